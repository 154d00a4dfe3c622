/**
 * Calls that were refused before they had a record: `core/refused-calls.ts`. Bounded, and in no sum. Empty text stands for
 * the key and the organization of a call without an accepted key, and `sent_key` and `address` tell who sent it.
 */
export const refusedTables = `
  create table refused_calls (
    id text collate "C" primary key,
    request_id text collate "C" not null,
    client_request_id text collate "C",
    at bigint not null,
    organization_id text collate "C" not null,
    key_id text collate "C" not null,
    sent_key text collate "C",
    address text collate "C",
    source text collate "C" not null,
    product text collate "C",
    tool_name text collate "C",
    tool_version text collate "C",
    requested_model text collate "C",
    http_status bigint not null,
    error_kind text collate "C" not null,
    message text collate "C" not null,
    param text collate "C",
    latency_ms bigint not null,
    shed bigint not null
  );
  create index refused_calls_by_organization on refused_calls (organization_id, id);
  create index refused_calls_by_key on refused_calls (key_id, id);
  create index refused_calls_by_request on refused_calls (request_id);
`;
