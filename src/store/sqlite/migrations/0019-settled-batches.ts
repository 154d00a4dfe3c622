/**
 * In which order calls came to be settled, for whoever follows them: a row for each transaction that settled calls of an
 * organization, with their ids, separated by commas. Numbers are given under the lock that writers hold, so that whoever has
 * read up to one has missed none before it. Only the newest rows are kept (`store/sqlite/settled-batches.ts`).
 */
export const settledBatches = `
  create table settled_batches (
    number integer primary key,
    organization_id text not null,
    call_ids text not null
  ) strict;
`;
