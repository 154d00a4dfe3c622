CREATE TABLE counters (
    name text primary key,
    value integer not null
  ) strict, without rowid;
CREATE TABLE organizations (
    id text primary key,
    name text not null,
    created_at integer not null
  ) strict, without rowid;
CREATE TABLE api_keys (
    id text primary key,
    organization_id text not null references organizations (id),
    name text not null,
    source text not null,
    hint text not null,
    hash blob not null unique,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    allowed_models text,
    requests_per_minute integer,
    tokens_per_minute integer,
    spend_limit_nano integer,
    spend_limit_per text, product text, admin integer not null default 0, usage_scope text not null default 'organization', disabled_at integer, earlier_until integer, project_id text, owner_type text, owner_id text, access text not null default 'models', scopes text not null default '[]', ip_ranges text, version integer not null default 1,
    check ((spend_limit_nano is null) = (spend_limit_per is null))
  ) strict, without rowid;
CREATE TABLE price_versions (
    id text primary key,
    provider text not null,
    upstream_model text not null,
    rates text not null,
    tiers text not null,
    source text not null,
    date text not null
  ) strict, without rowid;
CREATE TABLE calls (
    organization_id text not null,
    id text not null,
    request_id text not null,
    client_request_id text,
    key_id text not null,
    source text not null,
    dialect text not null,
    model text not null,
    requested_model text not null,
    provider text not null,
    upstream_model text not null,
    streamed integer not null,
    created_at integer not null,
    estimated_input_tokens integer not null,
    price_version text,
    instance_id text not null,
    status text not null,
    http_status integer,
    error_kind text,
    input_tokens integer,
    cache_read_tokens integer,
    cache_write_tokens integer,
    cache_write_1h_tokens integer,
    output_tokens integer,
    reasoning_tokens integer,
    audio_input_tokens integer,
    audio_output_tokens integer,
    service_tier text,
    usage_source text,
    line_items text,
    cost_nano integer,
    settled_at integer,
    time_to_first_token_ms integer, dropped text, attempts integer not null default 0, upstream_status integer, upstream_request_id text, attempted_at integer, product text, tool_name text, tool_version text, credential text, possibly_billed integer, charged_otherwise integer, vendor_cost_nano integer, held_nano integer, counted_nano integer, reported_usage text, route text, usage_group integer, more_usage text, budgets text,
    primary key (organization_id, id)
  ) strict, without rowid;
CREATE TABLE "earlier_attempts" (
    call_id text not null,
    number integer not null,
    provider text not null,
    upstream_model text not null,
    status text not null,
    http_status integer,
    error_kind text,
    upstream_request_id text,
    started_at integer not null,
    ended_at integer not null,
    usage_source text not null, credential text, possibly_billed integer,
    primary key (call_id, number)
  ) strict, without rowid;
CREATE TABLE key_spend (
    key_id text not null,
    utc_day text not null,
    amount_nano integer not null,
    primary key (key_id, utc_day)
  ) strict, without rowid;
CREATE TABLE journals (
    file text primary key,
    taken_over_to integer not null
  ) strict, without rowid;
CREATE TABLE decisions (
    number integer primary key,
    organization_id text not null,
    call_id text not null,
    route_id text not null,
    route_version text not null,
    created_at integer not null,
    json text not null,
    unique (organization_id, call_id)
  ) strict;
CREATE TABLE routes (
    id text primary key,
    definition text not null,
    origin text not null,
    updated_at integer not null
  , canary text) strict, without rowid;
CREATE TABLE route_versions (
    version text primary key,
    definition text not null
  ) strict, without rowid;
CREATE TABLE route_models (
    number integer primary key,
    id text not null unique,
    route_id text not null,
    created_at integer not null,
    source text not null,
    rows integer not null,
    evaluation text not null,
    weights blob not null
  ) strict;
CREATE TABLE live_route_models (
    route_id text primary key,
    model_id text not null references route_models (id)
  ) strict, without rowid;
CREATE TABLE route_rows (
    number integer primary key,
    route_id text not null,
    id text not null,
    origin text not null,
    at integer not null,
    features text not null,
    scores text not null,
    propensity real not null,
    unique (route_id, id)
  ) strict;
CREATE TABLE feedback (
    call_id text primary key,
    organization_id text not null,
    key_id text not null,
    score real not null,
    note text,
    at integer not null
  ) strict, without rowid;
CREATE TABLE ungrouped_calls (
    organization_id text primary key,
    up_to text not null
  ) strict, without rowid;
CREATE TABLE usage_groups (
    number integer primary key,
    organization_id text not null,
    shape integer not null,
    key_id text not null,
    source text not null,
    product text not null,
    tool_name text not null,
    model text not null,
    route text not null,
    provider text not null,
    is_rest integer not null,
    by_caller integer,
    by_server integer,
    by_tool integer,
    unique (organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest)
  ) strict;
CREATE TABLE usage_days (
    organization_id text not null,
    shape integer not null,
    day integer not null,
    group_number integer not null,
    calls integer not null,
    failed integer not null,
    estimated integer not null,
    input_tokens integer not null,
    cached_tokens integer not null,
    output_tokens integer not null,
    cost_nano integer not null,
    without_cost integer not null,
    vendor_cost_nano integer not null,
    without_vendor_cost integer not null, retried integer not null default 0,
    primary key (organization_id, shape, day, group_number)
  ) strict, without rowid;
CREATE TABLE unsummed_calls (
    organization_id text primary key,
    up_to text not null
  ) strict, without rowid;
CREATE TABLE earlier_secrets (
    hash blob primary key,
    key_id text not null references api_keys (id),
    ends_at integer not null
  ) strict, without rowid;
CREATE TABLE key_use (
    key_id text primary key,
    last_used_at integer not null
  ) strict, without rowid;
CREATE TABLE settings (
    organization_id text not null references organizations (id),
    kind text not null,
    parent_id text not null,
    id text not null,
    version integer not null,
    created_at integer not null,
    value text not null,
    primary key (organization_id, kind, parent_id, id)
  ) strict, without rowid;
CREATE TABLE audit_log (
    number integer primary key,
    organization_id text not null,
    id text not null unique,
    type text not null,
    at integer not null,
    actor_id text,
    actor_email text,
    project_id text,
    resource_id text not null,
    event text not null,
    link blob not null
  ) strict;
CREATE TABLE told_thresholds (
    budget_id text not null,
    period text not null,
    threshold text not null,
    told_at integer not null,
    primary key (budget_id, period, threshold)
  ) strict, without rowid;
CREATE TABLE people (
    id text primary key,
    email text not null unique,
    name text,
    created_at integer not null,
    last_signed_in_at integer,
    password_hash text
  ) strict, without rowid;
CREATE TABLE passkeys (
    id text primary key,
    user_id text not null references people (id),
    name text not null,
    public_key blob not null,
    counter integer not null,
    transports text not null,
    created_at integer not null,
    last_used_at integer
  ) strict, without rowid;
CREATE TABLE sessions (
    id text primary key,
    hash blob not null unique,
    earlier_hash blob,
    earlier_until integer,
    user_id text not null references people (id),
    organization_id text,
    way text not null,
    signed_in_at integer not null,
    seen_at integer not null,
    ends_at integer not null,
    must_renew integer not null,
    address text,
    user_agent text
  ) strict, without rowid;
CREATE TABLE owner_links (
    hash blob primary key,
    organization_id text not null references organizations (id),
    email text,
    expires_at integer not null
  ) strict, without rowid;
CREATE TABLE used_challenges (
    hash blob primary key,
    expires_at integer not null
  ) strict, without rowid;
CREATE TABLE webhook_deliveries (
    id text not null primary key,
    organization_id text not null,
    endpoint_id text not null,
    created_at integer not null,
    event text not null,
    attempts integer not null default 0,
    next_at integer,
    delivered_at integer,
    last_status integer,
    last_fault text
  ) strict, without rowid;
CREATE TABLE call_groups (
    number integer primary key,
    organization_id text not null,
    key_id text not null,
    source text not null,
    product text not null,
    tool_name text not null,
    model text not null,
    requested_model text not null,
    status text not null,
    unique (organization_id, key_id, source, product, tool_name, model, requested_model, status)
  ) strict;
CREATE TABLE grouped_calls (
    group_number integer not null,
    call_id text not null,
    primary key (group_number, call_id)
  ) strict, without rowid;
CREATE TABLE settled_batches (
    number integer primary key,
    organization_id text not null,
    call_ids text not null
  ) strict;
CREATE TABLE first_tokens (
    organization_id text not null,
    day integer not null,
    ms integer not null,
    calls integer not null,
    primary key (organization_id, day, ms)
  ) strict, without rowid;
insert into counters (name, value) values ('changes', 8);
insert into counters (name, value) values ('checks', 0);
insert into counters (name, value) values ('removed_groups', 1);
insert into counters (name, value) values ('route_changes', 1);
insert into organizations (id, name, created_at) values ('org_MY5FKWQXDAMZVDGV', 'Default', 1795832384154);
insert into api_keys (id, organization_id, name, source, hint, hash, created_at, expires_at, revoked_at, allowed_models, requests_per_minute, tokens_per_minute, spend_limit_nano, spend_limit_per, product, admin, usage_scope, disabled_at, earlier_until, project_id, owner_type, owner_id, access, scopes, ip_ranges, version) values ('key_9H8HHFMWP9DX8WGC', 'org_MY5FKWQXDAMZVDGV', 'admin', 'api_key', 'hg_live_9X…WrT8', x'a0ab8fae0d99fb7337425351403773ac7c2776790e7e1eab6973c8211b9c4c7a', 1795832405204, null, null, null, null, null, null, null, null, 0, 'organization', null, null, null, null, null, 'administration', '[]', null, 1);
insert into api_keys (id, organization_id, name, source, hint, hash, created_at, expires_at, revoked_at, allowed_models, requests_per_minute, tokens_per_minute, spend_limit_nano, spend_limit_per, product, admin, usage_scope, disabled_at, earlier_until, project_id, owner_type, owner_id, access, scopes, ip_ranges, version) values ('key_C5828721DCT0BNAJ', 'org_MY5FKWQXDAMZVDGV', 'calls', 'api_key', 'hg_live_ed…FASc', x'84638fd24293f4e7b1cfe86bcb2ecf63f17e33a9a86b99ceecdccf2c47b50f24', 1795832404130, null, null, null, null, null, null, null, null, 0, 'organization', null, null, 'proj_00_org_MY5FKWQXDAMZVDGV', null, null, 'models', '[]', null, 1);
insert into api_keys (id, organization_id, name, source, hint, hash, created_at, expires_at, revoked_at, allowed_models, requests_per_minute, tokens_per_minute, spend_limit_nano, spend_limit_per, product, admin, usage_scope, disabled_at, earlier_until, project_id, owner_type, owner_id, access, scopes, ip_ranges, version) values ('key_HVSD3YHB8W8YHX4B', 'org_MY5FKWQXDAMZVDGV', 'first key', 'api_key', 'hg_live_7N…YvFl', x'6656364cb8d34adc6ec677630510bc079345b6126034ce84b5e7bac372faf2b1', 1795832384158, null, null, null, null, null, null, null, null, 1, 'organization', null, null, 'proj_00_org_MY5FKWQXDAMZVDGV', null, null, 'models', '[]', null, 1);
insert into price_versions (id, provider, upstream_model, rates, tiers, source, date) values ('BpSoJwEhuhBPMjAHL6q1gg', 'lab', 'small', '{"input":"1000000","cache_read":"1000000","cache_write":"1000000","output":"2000000","cache_write_any":"1000000"}', '[]', 'headgate.yaml', '');
insert into price_versions (id, provider, upstream_model, rates, tiers, source, date) values ('VbcK5ODDE-8yXG-mZZc-RQ', 'echo', 'echo', '{"input":"0","output":"0"}', '[]', 'built in', '2026-07-02');
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets) values ('org_MY5FKWQXDAMZVDGV', 'usage_01M8FZ7RQPYVYD7AEE01ZVCY4R', 'req_01a21ff3e2f1144b54490ef674799b8f', null, 'key_HVSD3YHB8W8YHX4B', 'api_key', 'openai-chat', 'echo', 'echo', 'echo', 'echo', 0, 1795832406774, 16, 'VbcK5ODDE-8yXG-mZZc-RQ', '', 'succeeded', 200, null, 1, 0, 0, 0, 1, 0, 0, 0, null, 'provider', '[["input",1,"0","0"],["output",1,"0","0"]]', 0, 1795832406780, null, null, 1, 200, 'req_01a21ff3e2fa9e294b2cdaf2e62d40b9', 1795832406776, null, null, null, null, null, null, null, null, null, null, null, 4, null, null);
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets) values ('org_MY5FKWQXDAMZVDGV', 'usage_01M8FZ7RT16MQ1KYY2000CPXDE', 'req_01a21ff3e33e782d3f228e8254e2d163', null, 'key_C5828721DCT0BNAJ', 'api_key', 'openai-chat', 'echo', 'echo', 'echo', 'echo', 0, 1795832406849, 16, 'VbcK5ODDE-8yXG-mZZc-RQ', '', 'succeeded', 200, null, 1, 0, 0, 0, 1, 0, 0, 0, null, 'provider', '[["input",1,"0","0"],["output",1,"0","0"]]', 0, 1795832406850, null, null, 1, 200, 'req_01a21ff3e3417ddfb29af45758850505', 1795832406849, null, null, null, null, null, null, null, null, null, null, null, 6, null, null);
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets) values ('org_MY5FKWQXDAMZVDGV', 'usage_01M8FZ7RTRN7VR1GNH01PEP4N2', 'req_01a21ff3e3548fdf71121cd098ce58b9', null, 'key_C5828721DCT0BNAJ', 'api_key', 'openai-chat', 'acme/fast', 'acme/fast', 'echo', 'echo', 0, 1795832406872, 17, 'VbcK5ODDE-8yXG-mZZc-RQ', '', 'succeeded', 200, null, 1, 0, 0, 0, 1, 0, 0, 0, null, 'provider', '[["input",1,"0","0"],["output",1,"0","0"]]', 0, 1795832406875, null, null, 2, 200, 'req_01a21ff3e35a3ddf75f618aabe70b68e', 1795832406874, null, null, null, null, null, null, null, null, null, null, 'acme/fast', 8, null, null);
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets) values ('org_MY5FKWQXDAMZVDGV', 'usage_01M8FZ7RVNRTKCWC9400WGP46G', 'req_01a21ff3e3750fb34c29cf31bfee9b35', null, 'key_C5828721DCT0BNAJ', 'api_key', 'openai-chat', 'small', 'small', 'lab', 'small', 0, 1795832406901, 16, 'BpSoJwEhuhBPMjAHL6q1gg', 'instance_AATDFWK779QXRET7', 'open', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 0, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
insert into earlier_attempts (call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id, started_at, ended_at, usage_source, credential, possibly_billed) values ('usage_01M8FZ7RTRN7VR1GNH01PEP4N2', 1, 'lab', 'small', 'failed', null, 'upstream_unreachable', null, 1795832406872, 1795832406874, 'none', null, null);
insert into journals (file, taken_over_to) values ('journal.instance_AATDFWK779QXRET7.000001.952511df', 3988);
insert into decisions (number, organization_id, call_id, route_id, route_version, created_at, json) values (1, 'org_MY5FKWQXDAMZVDGV', 'usage_01M8FZ7RTRN7VR1GNH01PEP4N2', 'acme/fast', '81a79aeb6580ed86', 1795832406872, '{"route":"acme/fast","routeVersion":"81a79aeb6580ed86","modelVersion":null,"seed":542028703,"traits":{"at":1795832406869,"surface":"openai-chat","stream":false,"tools":0,"images":false,"audio":false,"files":false,"structuredOutput":false,"turns":1,"midTurn":false,"promptTokens":17,"maxOutputTokens":null,"keyId":"key_C5828721DCT0BNAJ","source":"api_key","product":null,"project":null,"metadata":{},"tags":[],"user":null,"demandsPrice":false,"allowedModels":null,"conversation":"oi3dTIscmLN6eBLvgLMPA","features":null,"steering":null},"candidates":[{"model":"small","provider":"lab","upstreamModel":"small","credential":"default","role":"target","health":{"circuit":"closed","openUntil":null,"credentialOutUntil":null,"firstTokenMs":null,"wholeMs":null,"inFlight":0},"expectedCost":817000,"chance":null,"leftOut":null},{"model":"echo","provider":"echo","upstreamModel":"echo","credential":"default","role":"target","health":{"circuit":"closed","openUntil":null,"credentialOutUntil":null,"firstTokenMs":null,"wholeMs":2.5896475751174264,"inFlight":0},"expectedCost":0,"chance":null,"leftOut":null}],"order":[0,1],"contextOrder":[],"policyOrder":[],"warm":null,"because":["priority: small first."],"explored":false,"propensity":1,"kept":false}');
insert into routes (id, definition, origin, updated_at, canary) values ('acme/fast', '{"targets":["small","echo"]}', 'file', 1795832383248, null);
insert into route_versions (version, definition) values ('81a79aeb6580ed86', '{"targets":["small","echo"]}');
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (1, 'org_MY5FKWQXDAMZVDGV', 1, 'key_HVSD3YHB8W8YHX4B', 'api_key', '', '', '', '', '', 0, null, null, null);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (2, 'org_MY5FKWQXDAMZVDGV', 2, '', '', '', '', 'echo', '', 'echo', 0, null, null, null);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (3, 'org_MY5FKWQXDAMZVDGV', 3, '', '', '', '', '', '', '', 0, null, null, null);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (4, 'org_MY5FKWQXDAMZVDGV', 0, 'key_HVSD3YHB8W8YHX4B', 'api_key', '', '', 'echo', '', 'echo', 0, 1, 2, 3);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (5, 'org_MY5FKWQXDAMZVDGV', 1, 'key_C5828721DCT0BNAJ', 'api_key', '', '', '', '', '', 0, null, null, null);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (6, 'org_MY5FKWQXDAMZVDGV', 0, 'key_C5828721DCT0BNAJ', 'api_key', '', '', 'echo', '', 'echo', 0, 5, 2, 3);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (7, 'org_MY5FKWQXDAMZVDGV', 2, '', '', '', '', 'acme/fast', 'acme/fast', 'echo', 0, null, null, null);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (8, 'org_MY5FKWQXDAMZVDGV', 0, 'key_C5828721DCT0BNAJ', 'api_key', '', '', 'acme/fast', 'acme/fast', 'echo', 0, 5, 7, 3);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 0, 20785, 4, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 0, 20785, 6, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 0, 20785, 8, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 1, 20785, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 1, 20785, 5, 2, 0, 0, 2, 0, 2, 0, 0, 0, 0, 1);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 2, 20785, 2, 2, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 2, 20785, 7, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_MY5FKWQXDAMZVDGV', 3, 20785, 3, 3, 0, 0, 3, 0, 3, 0, 0, 0, 0, 1);
insert into key_use (key_id, last_used_at) values ('key_C5828721DCT0BNAJ', 1795832406872);
insert into key_use (key_id, last_used_at) values ('key_HVSD3YHB8W8YHX4B', 1795832406774);
insert into settings (organization_id, kind, parent_id, id, version, created_at, value) values ('org_MY5FKWQXDAMZVDGV', 'invite', '', 'invite_01M8FZ7RP8JA9PRQSM01FKFM9H', 1, 1795832406728, '{"email":"ada@example.com","role":"reader","projects":[],"groups":[],"tokenHash":"e3f920326ea5058bd6b2b56c6b42d0e5af2326f778ad30b4a23e263179fa88d8","expiresAt":1796437206728,"acceptedAt":null,"invitedBy":"operator"}');
insert into settings (organization_id, kind, parent_id, id, version, created_at, value) values ('org_MY5FKWQXDAMZVDGV', 'project', '', 'proj_00_org_MY5FKWQXDAMZVDGV', 1, 1795832384154, '{"name":"Default project","archivedAt":null,"isDefault":true,"externalKeyId":null,"geography":null,"models":null}');
insert into settings (organization_id, kind, parent_id, id, version, created_at, value) values ('org_MY5FKWQXDAMZVDGV', 'project', '', 'proj_01M8FZ7QXMAB8BR6AX01P1TVZZ', 1, 1795832405940, '{"name":"Apollo","externalKeyId":null,"geography":null,"archivedAt":null,"isDefault":false,"models":null}');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (1, 'org_MY5FKWQXDAMZVDGV', 'audit_log-01M8FZ7P535BBW3Q9X00ZMA4ZT', 'api_key.created', 1795832404131, null, null, 'proj_00_org_MY5FKWQXDAMZVDGV', 'key_C5828721DCT0BNAJ', '{"id":"audit_log-01M8FZ7P535BBW3Q9X00ZMA4ZT","organizationId":"org_MY5FKWQXDAMZVDGV","type":"api_key.created","at":1795832404131,"actor":{"type":"operator"},"project":{"id":"proj_00_org_MY5FKWQXDAMZVDGV","name":"Default project"},"resourceId":"key_C5828721DCT0BNAJ","details":{"name":"calls","changes_requested":{"name":"calls","product":null,"expiresAt":null,"allowedModels":null,"requestsPerMinute":null,"tokensPerMinute":null,"spendLimit":null,"admin":false}},"request":null}', x'37e94626e39db5d7594b4124041ef31c7d266396dce5c43a6ba28e81584e33b1');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (2, 'org_MY5FKWQXDAMZVDGV', 'audit_log-01M8FZ7Q6N9JHB26KE00QYZKAN', 'api_key.created', 1795832405205, null, null, null, 'key_9H8HHFMWP9DX8WGC', '{"id":"audit_log-01M8FZ7Q6N9JHB26KE00QYZKAN","organizationId":"org_MY5FKWQXDAMZVDGV","type":"api_key.created","at":1795832405205,"actor":{"type":"operator"},"project":null,"resourceId":"key_9H8HHFMWP9DX8WGC","details":{"data":{"scopes":[]},"name":"admin","access":"administration"},"request":null}', x'93e718a99b7ce80aa2ef33a10cdc053d93a4ea4252627aa72092107b534fc1f9');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (3, 'org_MY5FKWQXDAMZVDGV', 'audit_log-01M8FZ7QXMAB8BR6AX01P1TW00', 'project.created', 1795832405940, null, null, 'proj_01M8FZ7QXMAB8BR6AX01P1TVZZ', 'proj_01M8FZ7QXMAB8BR6AX01P1TVZZ', '{"id":"audit_log-01M8FZ7QXMAB8BR6AX01P1TW00","organizationId":"org_MY5FKWQXDAMZVDGV","type":"project.created","at":1795832405940,"actor":{"type":"operator"},"project":{"id":"proj_01M8FZ7QXMAB8BR6AX01P1TVZZ","name":"Apollo"},"resourceId":"proj_01M8FZ7QXMAB8BR6AX01P1TVZZ","details":{"data":{"name":"Apollo","title":"Apollo"}},"request":null}', x'66d6f5d2348850fa40af36f084fbe026408835bffca7178ef02daa76471184f6');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (4, 'org_MY5FKWQXDAMZVDGV', 'audit_log-01M8FZ7RP8JA9PRQSM01FKFM9J', 'invite.sent', 1795832406728, null, null, null, 'invite_01M8FZ7RP8JA9PRQSM01FKFM9H', '{"id":"audit_log-01M8FZ7RP8JA9PRQSM01FKFM9J","organizationId":"org_MY5FKWQXDAMZVDGV","type":"invite.sent","at":1795832406728,"actor":{"type":"operator"},"project":null,"resourceId":"invite_01M8FZ7RP8JA9PRQSM01FKFM9H","details":{"data":{"email":"ada@example.com","role":"reader","projects":[],"groups":[]}},"request":null}', x'a3eebf508af62aa7c737506b8852cfe0064ae1882faa97f56702792b0a147c64');
insert into owner_links (hash, organization_id, email, expires_at) values (x'7863e2806f07086143f4d0da9b93cdfcba985e61bf1c65d642363188d3add5b7', 'org_MY5FKWQXDAMZVDGV', null, 1795918784164);
insert into call_groups (number, organization_id, key_id, source, product, tool_name, model, requested_model, status) values (1, 'org_MY5FKWQXDAMZVDGV', 'key_HVSD3YHB8W8YHX4B', 'api_key', '', '', 'echo', 'echo', 'succeeded');
insert into call_groups (number, organization_id, key_id, source, product, tool_name, model, requested_model, status) values (2, 'org_MY5FKWQXDAMZVDGV', 'key_C5828721DCT0BNAJ', 'api_key', '', '', 'echo', 'echo', 'succeeded');
insert into call_groups (number, organization_id, key_id, source, product, tool_name, model, requested_model, status) values (3, 'org_MY5FKWQXDAMZVDGV', 'key_C5828721DCT0BNAJ', 'api_key', '', '', 'acme/fast', 'acme/fast', 'succeeded');
insert into grouped_calls (group_number, call_id) values (1, 'usage_01M8FZ7RQPYVYD7AEE01ZVCY4R');
insert into grouped_calls (group_number, call_id) values (2, 'usage_01M8FZ7RT16MQ1KYY2000CPXDE');
insert into grouped_calls (group_number, call_id) values (3, 'usage_01M8FZ7RTRN7VR1GNH01PEP4N2');
insert into settled_batches (number, organization_id, call_ids) values (1, 'org_MY5FKWQXDAMZVDGV', 'usage_01M8FZ7RQPYVYD7AEE01ZVCY4R,usage_01M8FZ7RT16MQ1KYY2000CPXDE,usage_01M8FZ7RTRN7VR1GNH01PEP4N2');
CREATE INDEX api_keys_by_organization on api_keys (organization_id);
CREATE TRIGGER organizations_insert_counted after insert on organizations begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE TRIGGER organizations_update_counted after update on organizations begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE TRIGGER organizations_delete_counted after delete on organizations begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE TRIGGER api_keys_insert_counted after insert on api_keys begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE TRIGGER api_keys_update_counted after update on api_keys begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE TRIGGER api_keys_delete_counted after delete on api_keys begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE INDEX open_calls on calls (instance_id) where status = 'open';
CREATE TRIGGER attempts_go_with_their_call after delete on calls begin
    delete from "earlier_attempts" where call_id = old.id;
  end;
CREATE VIEW attempts as
    select call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id, started_at,
      ended_at, usage_source, coalesce(credential, 'default') as credential, coalesce(possibly_billed, 0) as possibly_billed
    from earlier_attempts
    union all
    select id, attempts, provider, upstream_model, status, upstream_status, error_kind, upstream_request_id,
      attempted_at, settled_at, usage_source, coalesce(credential, 'default'), coalesce(possibly_billed, 0)
    from calls
    where attempts > 0 and (id, attempts) not in (select call_id, number from earlier_attempts);
CREATE INDEX api_keys_by_product on api_keys (product) where product is not null;
CREATE INDEX decisions_by_route on decisions (route_id, created_at);
CREATE INDEX route_models_by_route on route_models (route_id, created_at);
CREATE TRIGGER decisions_go_with_their_call after delete on calls begin
    delete from decisions where organization_id = old.organization_id and call_id = old.id;
    delete from feedback where call_id = old.id;
  end;
CREATE TRIGGER routes_insert_counted after insert on routes begin
    update counters set value = value + 1 where name = 'route_changes';
  end;
CREATE TRIGGER routes_update_counted after update on routes begin
    update counters set value = value + 1 where name = 'route_changes';
  end;
CREATE TRIGGER routes_delete_counted after delete on routes begin
    update counters set value = value + 1 where name = 'route_changes';
  end;
CREATE TRIGGER live_route_models_insert_counted after insert on live_route_models begin
    update counters set value = value + 1 where name = 'route_changes';
  end;
CREATE TRIGGER live_route_models_update_counted after update on live_route_models begin
    update counters set value = value + 1 where name = 'route_changes';
  end;
CREATE TRIGGER live_route_models_delete_counted after delete on live_route_models begin
    update counters set value = value + 1 where name = 'route_changes';
  end;
CREATE TRIGGER usage_days_lose_calls after delete on calls when old.usage_group is not null begin
    update usage_days set calls = calls - 1, failed = failed - (old.status = 'failed'), estimated = estimated - (old.usage_source = 'estimated'), input_tokens = input_tokens - old.input_tokens, cached_tokens = cached_tokens - old.cache_read_tokens, output_tokens = output_tokens - old.output_tokens, cost_nano = cost_nano - coalesce(old.cost_nano, 0), without_cost = without_cost - (old.cost_nano is null), vendor_cost_nano = vendor_cost_nano - coalesce(case when old.charged_otherwise is null then old.cost_nano else old.vendor_cost_nano end, 0), without_vendor_cost = without_vendor_cost - ((case when old.charged_otherwise is null then old.cost_nano else old.vendor_cost_nano end) is null)
    where organization_id = old.organization_id and shape in (0, 1, 2, 3) and day = old.created_at / 86400000
      and group_number in (
        select old.usage_group
        union all select by_caller from usage_groups where number = old.usage_group
        union all select by_server from usage_groups where number = old.usage_group
        union all select by_tool from usage_groups where number = old.usage_group
      );
    delete from usage_days
    where organization_id = old.organization_id and shape in (0, 1, 2, 3) and day = old.created_at / 86400000
      and group_number in (
        select old.usage_group
        union all select by_caller from usage_groups where number = old.usage_group
        union all select by_server from usage_groups where number = old.usage_group
        union all select by_tool from usage_groups where number = old.usage_group
      ) and calls = 0;
  end;
CREATE INDEX earlier_secrets_by_key on earlier_secrets (key_id);
CREATE TRIGGER api_keys_keep_earlier_secrets after update of hash on api_keys begin
    update earlier_secrets set ends_at = min(ends_at, new.earlier_until) where key_id = new.id;
    insert into earlier_secrets values (old.hash, old.id, new.earlier_until);
  end;
CREATE INDEX settings_by_id on settings (organization_id, kind, id);
CREATE TRIGGER organizations_have_a_default_project after insert on organizations begin
    insert into settings values (
      new.id, 'project', '', 'proj_00_' || new.id, 1, new.created_at,
      '{"name":"Default project","archivedAt":null,"isDefault":true,"externalKeyId":null,"geography":null,"models":null}'
    );
  end;
CREATE TRIGGER settings_insert_counted after insert on settings begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE TRIGGER settings_update_counted after update on settings begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE TRIGGER settings_delete_counted after delete on settings begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE INDEX api_keys_by_project on api_keys (organization_id, project_id, owner_id);
CREATE INDEX audit_log_by_organization on audit_log (organization_id, id);
CREATE TRIGGER audit_log_is_not_changed before update on audit_log begin
    select raise(abort, 'the audit log is not changed');
  end;
CREATE TRIGGER audit_log_is_not_cut before delete on audit_log begin
    select raise(abort, 'the audit log is not cut');
  end;
CREATE TRIGGER usage_groups_removed after delete on usage_groups begin
    update counters set value = value + 1 where name = 'removed_groups';
  end;
CREATE INDEX members_by_person on settings (id) where kind = 'member';
CREATE INDEX passkeys_by_person on passkeys (user_id);
CREATE INDEX sessions_by_person on sessions (user_id);
CREATE INDEX sessions_by_earlier_hash on sessions (earlier_hash) where earlier_hash is not null;
CREATE INDEX sessions_by_end on sessions (ends_at);
CREATE INDEX used_challenges_by_end on used_challenges (expires_at);
CREATE INDEX webhook_deliveries_by_endpoint on webhook_deliveries (organization_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_due on webhook_deliveries (next_at) where next_at is not null;
CREATE TRIGGER call_groups_removed after delete on call_groups begin
    update counters set value = value + 1 where name = 'removed_groups';
  end;
CREATE TRIGGER groups_lose_calls after delete on calls begin
    delete from grouped_calls where call_id = old.id and group_number in (
      select number from call_groups
      where organization_id = old.organization_id and key_id = old.key_id and source = old.source
        and product = coalesce(old.product, '') and tool_name = coalesce(old.tool_name, '')
        and model = old.model and requested_model = old.requested_model and status = old.status
      union all
      select number from call_groups
      where organization_id = old.organization_id and key_id = old.key_id and source = old.source
        and product = coalesce(old.product, '') and tool_name = iif(old.tool_name is null, '', 'other')
        and model = 'other' and requested_model = 'other' and status = old.status
    );
  end;
CREATE INDEX prices_by_model
    on settings (organization_id, json_extract(value, '$.model'), json_extract(value, '$.from'), id)
    where kind = 'price_override';
CREATE TRIGGER usage_days_lose_retried after delete on calls when old.usage_group is not null and old.attempts > 1 begin
    update usage_days set retried = retried - 1 where organization_id = old.organization_id and shape in (0, 1, 2, 3) and day = old.created_at / 86400000
      and group_number in (
        select old.usage_group
        union all select by_caller from usage_groups where number = old.usage_group
        union all select by_server from usage_groups where number = old.usage_group
        union all select by_tool from usage_groups where number = old.usage_group
      );
  end;
CREATE TRIGGER first_tokens_lose_calls after delete on calls
  when old.usage_group is not null and old.time_to_first_token_ms is not null begin
    update first_tokens set calls = calls - 1 where organization_id = old.organization_id
      and day = old.created_at / 86400000 and ms = case when old.time_to_first_token_ms < 100 then max(old.time_to_first_token_ms, 0) when old.time_to_first_token_ms < 1000 then old.time_to_first_token_ms / 10 * 10 when old.time_to_first_token_ms < 10000 then old.time_to_first_token_ms / 100 * 100 when old.time_to_first_token_ms < 100000 then old.time_to_first_token_ms / 1000 * 1000 when old.time_to_first_token_ms < 1000000 then old.time_to_first_token_ms / 10000 * 10000 when old.time_to_first_token_ms < 10000000 then old.time_to_first_token_ms / 100000 * 100000 else 9900000 end;
    delete from first_tokens where organization_id = old.organization_id
      and day = old.created_at / 86400000 and ms = case when old.time_to_first_token_ms < 100 then max(old.time_to_first_token_ms, 0) when old.time_to_first_token_ms < 1000 then old.time_to_first_token_ms / 10 * 10 when old.time_to_first_token_ms < 10000 then old.time_to_first_token_ms / 100 * 100 when old.time_to_first_token_ms < 100000 then old.time_to_first_token_ms / 1000 * 1000 when old.time_to_first_token_ms < 1000000 then old.time_to_first_token_ms / 10000 * 10000 when old.time_to_first_token_ms < 10000000 then old.time_to_first_token_ms / 100000 * 100000 else 9900000 end and calls = 0;
  end;
CREATE INDEX usage_days_by_group on usage_days (group_number);
pragma user_version = 23;
