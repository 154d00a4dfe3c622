/** What endpoints are told of, one row for each event and endpoint. `next_at` is null once it was delivered or given up. */
export const webhooks = `
  create table webhook_deliveries (
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
  create index webhook_deliveries_by_endpoint on webhook_deliveries (organization_id, endpoint_id, id);
  create index webhook_deliveries_due on webhook_deliveries (next_at) where next_at is not null;
`;
