/** Whether a group still has a day is asked of each group at every purge. */
export const daysByGroup = `
  create index usage_days_by_group on usage_days (group_number);
`;
