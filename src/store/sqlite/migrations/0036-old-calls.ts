/** Records of the versions that had to be grouped and summed in the background are ready in every database of version 35. */
export const oldCalls = `
  drop table ungrouped_calls;
  drop table unsummed_calls;
`;
