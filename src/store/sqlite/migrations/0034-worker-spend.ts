/**
 * What each worker has spent, by the ids of keys and budgets. When a worker dies, its account in a budget is replaced by what it
 * really spent. A start empties the table, as it empties the leases.
 */
export const workerSpend = `
  create table worker_spend (
    instance_id text not null,
    key_id text not null,
    utc_day text not null,
    amount_nano integer not null,
    primary key (instance_id, key_id, utc_day)
  ) strict, without rowid;
`;
