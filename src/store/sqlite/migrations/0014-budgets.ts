/**
 * `budgets` are the ids of the budgets that an open call is held against, between spaces: what it counts is added to each under
 * `key_spend`, which has sums by the ids of keys and of budgets. `told_thresholds` says what was told of a budget in a period.
 */
export const budgets = `
  alter table calls add column budgets text;

  create table told_thresholds (
    budget_id text not null,
    period text not null,
    threshold text not null,
    told_at integer not null,
    primary key (budget_id, period, threshold)
  ) strict, without rowid;
`;
