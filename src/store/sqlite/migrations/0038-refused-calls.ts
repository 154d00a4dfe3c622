/** Calls that were refused before they had a record. */
export const refusedCalls = `
  create table refused_calls (
    id text primary key,
    request_id text not null,
    client_request_id text,
    at integer not null,
    organization_id text not null,
    key_id text not null,
    sent_key text,
    address text,
    source text not null,
    product text,
    tool_name text,
    tool_version text,
    requested_model text,
    http_status integer not null,
    error_kind text not null,
    message text not null,
    param text,
    latency_ms integer not null,
    shed integer not null
  ) strict, without rowid;
  create index refused_calls_by_organization on refused_calls (organization_id, id);
  create index refused_calls_by_key on refused_calls (key_id, id);
  create index refused_calls_by_request on refused_calls (request_id);
`;
