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
    spend_limit_per text, product text, admin integer not null default 0, usage_scope text not null default 'organization', disabled_at integer, earlier_until integer, project_id text, owner_type text, owner_id text, access text not null default 'models', scopes text not null default '[]', ip_ranges text, version integer not null default 1, maker_type text, maker_id text, usage_chosen integer not null default 0,
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
    time_to_first_token_ms integer, dropped text, attempts integer not null default 0, upstream_status integer, upstream_request_id text, attempted_at integer, product text, tool_name text, tool_version text, credential text, possibly_billed integer, charged_otherwise integer, vendor_cost_nano integer, held_nano integer, counted_nano integer, reported_usage text, route text, usage_group integer, more_usage text, budgets text, error_code text,
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
    usage_source text not null, credential text, possibly_billed integer, error_code text,
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
CREATE TABLE known_networks (
    user_id text not null references people (id),
    network text not null,
    seen_at integer not null,
    primary key (user_id, network)
  ) strict, without rowid;
CREATE TABLE worker_spend (
    instance_id text not null,
    key_id text not null,
    utc_day text not null,
    amount_nano integer not null,
    primary key (instance_id, key_id, utc_day)
  ) strict, without rowid;
insert into counters (name, value) values ('changes', 8);
insert into counters (name, value) values ('checks', 0);
insert into counters (name, value) values ('removed_groups', 1);
insert into counters (name, value) values ('route_changes', 1);
insert into organizations (id, name, created_at) values ('org_DRGYVH814P473F0N', 'Default', 1795829491374);
insert into api_keys (id, organization_id, name, source, hint, hash, created_at, expires_at, revoked_at, allowed_models, requests_per_minute, tokens_per_minute, spend_limit_nano, spend_limit_per, product, admin, usage_scope, disabled_at, earlier_until, project_id, owner_type, owner_id, access, scopes, ip_ranges, version, maker_type, maker_id, usage_chosen) values ('key_2G2Q0EXSDPRG1APC', 'org_DRGYVH814P473F0N', 'first key', 'api_key', 'hg_live_08…455I', X'79B65005D4EAEC2245CC7193F75793DE879C5140F1CA752C1A2E43C36AB15FC8', 1795829491375, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 'organization', NULL, NULL, 'proj_00_org_DRGYVH814P473F0N', NULL, NULL, 'models', '[]', NULL, 1, 'operator', NULL, 1);
insert into api_keys (id, organization_id, name, source, hint, hash, created_at, expires_at, revoked_at, allowed_models, requests_per_minute, tokens_per_minute, spend_limit_nano, spend_limit_per, product, admin, usage_scope, disabled_at, earlier_until, project_id, owner_type, owner_id, access, scopes, ip_ranges, version, maker_type, maker_id, usage_chosen) values ('key_8Z0VPAZ7XD3A8CEK', 'org_DRGYVH814P473F0N', 'test', 'api_key', 'hg_live_jj…XtLn', X'D892C72491405220947D586556B0F7A86A0480082B1C617AC120968A89D01592', 1795829491787, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 'own', NULL, NULL, 'proj_00_org_DRGYVH814P473F0N', NULL, NULL, 'models', '[]', NULL, 1, 'operator', NULL, 1);
insert into api_keys (id, organization_id, name, source, hint, hash, created_at, expires_at, revoked_at, allowed_models, requests_per_minute, tokens_per_minute, spend_limit_nano, spend_limit_per, product, admin, usage_scope, disabled_at, earlier_until, project_id, owner_type, owner_id, access, scopes, ip_ranges, version, maker_type, maker_id, usage_chosen) values ('key_GNVAAPWXGA5D8WVG', 'org_DRGYVH814P473F0N', 'terraform', 'api_key', 'hg_live_Ze…C1ZI', X'866F31E0D6CBA32BFCCCF5E78EF7A90C9790308AE5C1A6D8218CF454A4C51F55', 1795829492152, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 'organization', NULL, NULL, NULL, NULL, NULL, 'administration', '[]', NULL, 1, 'operator', NULL, 1);
insert into price_versions (id, provider, upstream_model, rates, tiers, source, date) values ('BpSoJwEhuhBPMjAHL6q1gg', 'lab', 'small', '{"input":"1000000","cache_read":"1000000","cache_write":"1000000","output":"2000000","cache_write_any":"1000000"}', '[]', 'headgate.yaml', '');
insert into price_versions (id, provider, upstream_model, rates, tiers, source, date) values ('VbcK5ODDE-8yXG-mZZc-RQ', 'echo', 'echo', '{"input":"0","output":"0"}', '[]', 'built in', '2026-07-02');
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets, error_code) values ('org_DRGYVH814P473F0N', 'usage_01M8FWEV29CN3ER12401X03BY0', 'req_01a21fc76c445ff3cfd47540f62c0305', NULL, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', 'openai-chat', 'echo', 'echo', 'echo', 'echo', 0, 1795829492809, 16, 'VbcK5ODDE-8yXG-mZZc-RQ', '', 'succeeded', 200, NULL, 1, 0, 0, 0, 1, 0, 0, 0, NULL, 'provider', '[["input",1,"0","0"],["output",1,"0","0"]]', 0, 1795829492817, NULL, NULL, 1, 200, 'req_01a21fc76c4d19980f823e46b431c2f7', 1795829492811, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, NULL, NULL, NULL);
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets, error_code) values ('org_DRGYVH814P473F0N', 'usage_01M8FWEV2TNVR3FMDK0076BZAP', 'req_01a21fc76c5827bfc43a7374da1204cf', NULL, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', 'openai-chat', 'echo', 'echo', 'echo', 'echo', 1, 1795829492826, 20, 'VbcK5ODDE-8yXG-mZZc-RQ', '', 'succeeded', 200, NULL, 1, 0, 0, 0, 1, 0, 0, 0, NULL, 'provider', '[["input",1,"0","0"],["output",1,"0","0"]]', 0, 1795829492835, 4, NULL, 1, 200, 'req_01a21fc76c5b10e576377daa109ff88d', 1795829492827, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, NULL, NULL, NULL);
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets, error_code) values ('org_DRGYVH814P473F0N', 'usage_01M8FWEV395ZARFSBM015XN5YX', 'req_01a21fc76c66179bef3bef86a3f3cb17', NULL, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', 'openai-chat', 'acme/fast', 'acme/fast', 'echo', 'echo', 0, 1795829492841, 17, 'VbcK5ODDE-8yXG-mZZc-RQ', '', 'succeeded', 200, NULL, 1, 0, 0, 0, 1, 0, 0, 0, NULL, 'provider', '[["input",1,"0","0"],["output",1,"0","0"]]', 0, 1795829492844, NULL, NULL, 2, 200, 'req_01a21fc76c6c27959bd56c09f4b7477e', 1795829492843, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'acme/fast', 6, NULL, NULL, NULL);
insert into calls (organization_id, id, request_id, client_request_id, key_id, source, dialect, model, requested_model, provider, upstream_model, streamed, created_at, estimated_input_tokens, price_version, instance_id, status, http_status, error_kind, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, audio_input_tokens, audio_output_tokens, service_tier, usage_source, line_items, cost_nano, settled_at, time_to_first_token_ms, dropped, attempts, upstream_status, upstream_request_id, attempted_at, product, tool_name, tool_version, credential, possibly_billed, charged_otherwise, vendor_cost_nano, held_nano, counted_nano, reported_usage, route, usage_group, more_usage, budgets, error_code) values ('org_DRGYVH814P473F0N', 'usage_01M8FWEV3G5GB3DERX004C0P4X', 'req_01a21fc76c6f70208445533065a7f0b0', NULL, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', 'openai-chat', 'small', 'small', 'lab', 'small', 0, 1795829492848, 16, 'BpSoJwEhuhBPMjAHL6q1gg', 'instance_8EY5JJJSSSH6RJ8D', 'failed', 502, 'upstream_unreachable', 0, 0, 0, 0, 0, 0, 0, 0, NULL, 'none', '[]', 0, 1795829493850, NULL, NULL, 3, NULL, NULL, 1795829493846, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 8, NULL, NULL, NULL);
insert into earlier_attempts (call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id, started_at, ended_at, usage_source, credential, possibly_billed, error_code) values ('usage_01M8FWEV395ZARFSBM015XN5YX', 1, 'lab', 'small', 'failed', NULL, 'upstream_unreachable', NULL, 1795829492842, 1795829492843, 'none', NULL, NULL, NULL);
insert into earlier_attempts (call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id, started_at, ended_at, usage_source, credential, possibly_billed, error_code) values ('usage_01M8FWEV3G5GB3DERX004C0P4X', 1, 'lab', 'small', 'failed', NULL, 'upstream_unreachable', NULL, 1795829492848, 1795829492849, 'none', NULL, NULL, NULL);
insert into earlier_attempts (call_id, number, provider, upstream_model, status, http_status, error_kind, upstream_request_id, started_at, ended_at, usage_source, credential, possibly_billed, error_code) values ('usage_01M8FWEV3G5GB3DERX004C0P4X', 2, 'lab', 'small', 'failed', NULL, 'upstream_unreachable', NULL, 1795829493106, 1795829493107, 'none', NULL, NULL, NULL);
insert into journals (file, taken_over_to) values ('journal.instance_8EY5JJJSSSH6RJ8D.000001.1c925f27', 4488);
insert into decisions (number, organization_id, call_id, route_id, route_version, created_at, json) values (1, 'org_DRGYVH814P473F0N', 'usage_01M8FWEV395ZARFSBM015XN5YX', 'acme/fast', '81a79aeb6580ed86', 1795829492841, '{"route":"acme/fast","routeVersion":"81a79aeb6580ed86","modelVersion":null,"seed":4219504138,"traits":{"at":1795829492839,"surface":"openai-chat","stream":false,"tools":0,"images":false,"audio":false,"files":false,"structuredOutput":false,"turns":1,"midTurn":false,"promptTokens":17,"maxOutputTokens":null,"keyId":"key_8Z0VPAZ7XD3A8CEK","source":"api_key","product":null,"project":null,"metadata":{},"tags":[],"user":null,"demandsPrice":false,"allowedModels":null,"conversation":"or0Y-wCnSOZF9TkOBJrCY","features":null,"steering":null},"candidates":[{"model":"small","provider":"lab","upstreamModel":"small","credential":"default","role":"target","health":{"circuit":"closed","openUntil":null,"credentialOutUntil":null,"firstTokenMs":null,"wholeMs":null,"inFlight":0},"expectedCost":817000,"chance":null,"leftOut":null},{"model":"echo","provider":"echo","upstreamModel":"echo","credential":"default","role":"target","health":{"circuit":"closed","openUntil":null,"credentialOutUntil":null,"firstTokenMs":2.7085520000000542,"wholeMs":3.9309159999997974,"inFlight":0},"expectedCost":0,"chance":null,"leftOut":null}],"order":[0,1],"contextOrder":[],"policyOrder":[],"warm":null,"because":["priority: small first."],"explored":false,"propensity":1,"kept":false}');
insert into routes (id, definition, origin, updated_at, canary) values ('acme/fast', '{"targets":["small","echo"]}', 'file', 1795829491040, NULL);
insert into route_versions (version, definition) values ('81a79aeb6580ed86', '{"targets":["small","echo"]}');
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (1, 'org_DRGYVH814P473F0N', 1, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', '', '', '', '', '', 0, NULL, NULL, NULL);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (2, 'org_DRGYVH814P473F0N', 2, '', '', '', '', 'echo', '', 'echo', 0, NULL, NULL, NULL);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (3, 'org_DRGYVH814P473F0N', 3, '', '', '', '', '', '', '', 0, NULL, NULL, NULL);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (4, 'org_DRGYVH814P473F0N', 0, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', '', '', 'echo', '', 'echo', 0, 1, 2, 3);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (5, 'org_DRGYVH814P473F0N', 2, '', '', '', '', 'acme/fast', 'acme/fast', 'echo', 0, NULL, NULL, NULL);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (6, 'org_DRGYVH814P473F0N', 0, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', '', '', 'acme/fast', 'acme/fast', 'echo', 0, 1, 5, 3);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (7, 'org_DRGYVH814P473F0N', 2, '', '', '', '', 'small', '', 'lab', 0, NULL, NULL, NULL);
insert into usage_groups (number, organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest, by_caller, by_server, by_tool) values (8, 'org_DRGYVH814P473F0N', 0, 'key_8Z0VPAZ7XD3A8CEK', 'api_key', '', '', 'small', '', 'lab', 0, 1, 7, 3);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 0, 20785, 4, 2, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 0, 20785, 6, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 0, 20785, 8, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 1, 20785, 1, 4, 1, 0, 3, 0, 3, 0, 0, 0, 0, 2);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 2, 20785, 2, 2, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 2, 20785, 5, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 2, 20785, 7, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1);
insert into usage_days (organization_id, shape, day, group_number, calls, failed, estimated, input_tokens, cached_tokens, output_tokens, cost_nano, without_cost, vendor_cost_nano, without_vendor_cost, retried) values ('org_DRGYVH814P473F0N', 3, 20785, 3, 4, 1, 0, 3, 0, 3, 0, 0, 0, 0, 2);
insert into key_use (key_id, last_used_at) values ('key_2G2Q0EXSDPRG1APC', 1795829493860);
insert into key_use (key_id, last_used_at) values ('key_8Z0VPAZ7XD3A8CEK', 1795829492848);
insert into key_use (key_id, last_used_at) values ('key_GNVAAPWXGA5D8WVG', 1795829492185);
insert into settings (organization_id, kind, parent_id, id, version, created_at, value) values ('org_DRGYVH814P473F0N', 'invite', '', 'invite_01M8FWEV1TPHH4HWMQ00K8XQDS', 1, 1795829492794, '{"email":"ada@example.com","role":"reader","projects":[],"groups":[],"tokenHash":"5707e4d2822cc4d3be600465f4cdefaf18d4a4af415294ca32e18452eaab8eb0","expiresAt":1796434292794,"acceptedAt":null,"invitedBy":"key_GNVAAPWXGA5D8WVG","keyId":"key_GNVAAPWXGA5D8WVG"}');
insert into settings (organization_id, kind, parent_id, id, version, created_at, value) values ('org_DRGYVH814P473F0N', 'project', '', 'proj_00_org_DRGYVH814P473F0N', 1, 1795829491374, '{"name":"Default project","archivedAt":null,"isDefault":true,"externalKeyId":null,"geography":null,"models":null}');
insert into settings (organization_id, kind, parent_id, id, version, created_at, value) values ('org_DRGYVH814P473F0N', 'project', '', 'proj_01M8FWETEX037D9KZK00X5KD8E', 1, 1795829492189, '{"name":"Apollo","externalKeyId":null,"geography":null,"archivedAt":null,"isDefault":false,"models":null}');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (1, 'org_DRGYVH814P473F0N', 'audit_log-01M8FWET2CTXB5GKZJ017QPYHV', 'api_key.created', 1795829491788, NULL, NULL, 'proj_00_org_DRGYVH814P473F0N', 'key_8Z0VPAZ7XD3A8CEK', '{"id":"audit_log-01M8FWET2CTXB5GKZJ017QPYHV","organizationId":"org_DRGYVH814P473F0N","type":"api_key.created","at":1795829491788,"actor":{"type":"operator"},"project":{"id":"proj_00_org_DRGYVH814P473F0N","name":"Default project"},"resourceId":"key_8Z0VPAZ7XD3A8CEK","details":{"name":"test","changes_requested":{"name":"test","usage":"own","product":null,"expiresAt":null,"allowedModels":null,"requestsPerMinute":null,"tokensPerMinute":null,"spendLimit":null,"admin":false}},"request":null}', X'3CE345502EE8D9C9C29CDDC71002724206BBE6F0FFF8C577BF7738858BAFEEDD');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (2, 'org_DRGYVH814P473F0N', 'audit_log-01M8FWETDST656BK7V01F4JNT0', 'api_key.created', 1795829492153, NULL, NULL, NULL, 'key_GNVAAPWXGA5D8WVG', '{"id":"audit_log-01M8FWETDST656BK7V01F4JNT0","organizationId":"org_DRGYVH814P473F0N","type":"api_key.created","at":1795829492153,"actor":{"type":"operator"},"project":null,"resourceId":"key_GNVAAPWXGA5D8WVG","details":{"data":{"scopes":[]},"name":"terraform","access":"administration"},"request":null}', X'BACA37D9AF5131BECEC9AB42F2644AFDCB2C5533C78B9548DAEF7CABFE4F7A20');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (3, 'org_DRGYVH814P473F0N', 'audit_log-01M8FWETEX037D9KZK00X5KD8F', 'project.created', 1795829492189, 'key_GNVAAPWXGA5D8WVG', NULL, 'proj_01M8FWETEX037D9KZK00X5KD8E', 'proj_01M8FWETEX037D9KZK00X5KD8E', '{"id":"audit_log-01M8FWETEX037D9KZK00X5KD8F","organizationId":"org_DRGYVH814P473F0N","type":"project.created","at":1795829492189,"actor":{"type":"api_key","keyId":"key_GNVAAPWXGA5D8WVG","userId":null},"project":{"id":"proj_01M8FWETEX037D9KZK00X5KD8E","name":"Apollo"},"resourceId":"proj_01M8FWETEX037D9KZK00X5KD8E","details":{"data":{"name":"Apollo","title":"Apollo"}},"request":{"id":"req_01a21fc769d4d92e201b2cba89a9a8fd","address":"127.0.0.1"}}', X'E14E1C0FAF8E96F891FCA2A7B3BE829D63E830E57FC89B205160E5260A537D2B');
insert into audit_log (number, organization_id, id, type, at, actor_id, actor_email, project_id, resource_id, event, link) values (4, 'org_DRGYVH814P473F0N', 'audit_log-01M8FWEV1V1JJWXYZV01KMWK6V', 'invite.sent', 1795829492795, 'key_GNVAAPWXGA5D8WVG', NULL, NULL, 'invite_01M8FWEV1TPHH4HWMQ00K8XQDS', '{"id":"audit_log-01M8FWEV1V1JJWXYZV01KMWK6V","organizationId":"org_DRGYVH814P473F0N","type":"invite.sent","at":1795829492795,"actor":{"type":"api_key","keyId":"key_GNVAAPWXGA5D8WVG","userId":null},"project":null,"resourceId":"invite_01M8FWEV1TPHH4HWMQ00K8XQDS","details":{"data":{"email":"ada@example.com","role":"reader","projects":[],"groups":[]}},"request":{"id":"req_01a21fc76c3579d6f69c4521ccaf9c0d","address":"127.0.0.1"}}', X'4ED58FFF4FBE5E9A35BEAD38C439606AB0E5E79BD7EA9FAEAF3DBBF7E0E7B552');
insert into owner_links (hash, organization_id, email, expires_at) values (X'68DA0DB23846DBCF2FA10702D34CA3C5AA4E7E756901EEC8CE55DB0E7BED9BA7', 'org_DRGYVH814P473F0N', NULL, 1795915891380);
insert into call_groups (number, organization_id, key_id, source, product, tool_name, model, requested_model, status) values (1, 'org_DRGYVH814P473F0N', 'key_8Z0VPAZ7XD3A8CEK', 'api_key', '', '', 'echo', 'echo', 'succeeded');
insert into call_groups (number, organization_id, key_id, source, product, tool_name, model, requested_model, status) values (2, 'org_DRGYVH814P473F0N', 'key_8Z0VPAZ7XD3A8CEK', 'api_key', '', '', 'acme/fast', 'acme/fast', 'succeeded');
insert into call_groups (number, organization_id, key_id, source, product, tool_name, model, requested_model, status) values (3, 'org_DRGYVH814P473F0N', 'key_8Z0VPAZ7XD3A8CEK', 'api_key', '', '', 'small', 'small', 'failed');
insert into grouped_calls (group_number, call_id) values (1, 'usage_01M8FWEV29CN3ER12401X03BY0');
insert into grouped_calls (group_number, call_id) values (1, 'usage_01M8FWEV2TNVR3FMDK0076BZAP');
insert into grouped_calls (group_number, call_id) values (2, 'usage_01M8FWEV395ZARFSBM015XN5YX');
insert into grouped_calls (group_number, call_id) values (3, 'usage_01M8FWEV3G5GB3DERX004C0P4X');
insert into settled_batches (number, organization_id, call_ids) values (1, 'org_DRGYVH814P473F0N', 'usage_01M8FWEV29CN3ER12401X03BY0,usage_01M8FWEV2TNVR3FMDK0076BZAP,usage_01M8FWEV395ZARFSBM015XN5YX');
insert into settled_batches (number, organization_id, call_ids) values (2, 'org_DRGYVH814P473F0N', 'usage_01M8FWEV3G5GB3DERX004C0P4X');
insert into first_tokens (organization_id, day, ms, calls) values ('org_DRGYVH814P473F0N', 20785, 4, 1);
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
CREATE INDEX webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where next_at is not null;
CREATE INDEX webhook_deliveries_over on webhook_deliveries (created_at) where next_at is null;
CREATE INDEX audit_log_by_actor on audit_log (organization_id, actor_id, id);
CREATE INDEX audit_log_by_email on audit_log (organization_id, actor_email, id);
CREATE INDEX audit_log_by_user
    on audit_log (organization_id, case when json_valid(event) then json_extract(event, '$.actor.userId') end, id);
CREATE TRIGGER sessions_delete_counted after delete on sessions begin
    update counters set value = value + 1 where name = 'changes';
  end;
CREATE INDEX api_keys_with_old_usage on api_keys (organization_id, id)
    where usage_chosen = 0 and usage_scope = 'organization' and revoked_at is null;
CREATE INDEX api_keys_listed on api_keys (organization_id, access, created_at, id) where revoked_at is null;
CREATE INDEX api_keys_listed_by_project on api_keys (organization_id, project_id, access, created_at, id)
    where revoked_at is null;
CREATE INDEX api_keys_listed_by_owner on api_keys (organization_id, owner_id, access, created_at, id)
    where revoked_at is null and owner_id is not null;
CREATE INDEX api_keys_revoked on api_keys (organization_id, revoked_at) where revoked_at is not null;
CREATE INDEX api_keys_ending on api_keys (organization_id, expires_at)
    where expires_at is not null and revoked_at is null;
CREATE INDEX members_by_email on settings (organization_id, json_extract(value, '$.email')) where kind = 'member';
CREATE INDEX owners on settings (organization_id, json_extract(value, '$.role') = 'owner', id) where kind = 'member';
CREATE INDEX open_projects on settings (organization_id, json_extract(value, '$.archivedAt') is null, id)
    where kind = 'project';
CREATE INDEX audit_log_by_type on audit_log (organization_id, type, id);
CREATE INDEX audit_log_by_project on audit_log (organization_id, project_id, id) where project_id is not null;
CREATE INDEX api_keys_searched on api_keys (
      organization_id, access, project_id, lower(name), (name || id || replace(hint, '…', '...') glob '*[^ -~]*'),
      lower(id || ' ' || replace(hint, '…', '...')), name, id, hint, revoked_at)
    where revoked_at is null;
CREATE INDEX api_keys_by_models on api_keys
    (organization_id, access, project_id, allowed_models, disabled_at, expires_at, product, revoked_at) where revoked_at is null;
CREATE INDEX api_keys_ending_by_project on api_keys (organization_id, project_id, expires_at)
    where expires_at is not null and revoked_at is null;
CREATE INDEX api_keys_with_old_usage_by_project on api_keys (organization_id, project_id, id)
    where usage_chosen = 0 and usage_scope = 'organization' and revoked_at is null;
CREATE INDEX open_invites on settings
    (organization_id, json_extract(value, '$.invitedBy'), json_extract(value, '$.acceptedAt') is null, id)
    where kind = 'invite';
CREATE INDEX audit_log_by_group on audit_log (organization_id, (type || char(10) || coalesce(project_id, '') || char(10) || coalesce(actor_id, '') || char(10)
    || coalesce(actor_email, '') || char(10)
    || coalesce(case when json_valid(event) then json_extract(event, '$.actor.userId') end, '')), id);
CREATE INDEX audit_log_by_resource on audit_log (organization_id, resource_id, (type || char(10) || coalesce(project_id, '') || char(10) || coalesce(actor_id, '') || char(10)
    || coalesce(actor_email, '') || char(10)
    || coalesce(case when json_valid(event) then json_extract(event, '$.actor.userId') end, '')), id);
pragma user_version = 35;
