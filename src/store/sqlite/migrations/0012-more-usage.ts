/**
 * What few calls use, as JSON (`MoreUsageJson`): tokens written to caches of other lives than the ordinary one and an hour, calls
 * of the vendor's own tools, and the region that the vendor says it served in. Null where there is none.
 */
export const moreUsage = `
  alter table calls add column more_usage text;
`;
