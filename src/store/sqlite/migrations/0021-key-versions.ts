/** A key's version grows with each change of it, so that whoever changes what somebody else has changed meanwhile is told. */
export const keyVersions = `
  alter table api_keys add column version integer not null default 1;
`;
