/** Who has made a key (`KeyMaker`); of keys of before it is unknown. */
export const keyMakers = `
  alter table api_keys add column maker_type text;
  alter table api_keys add column maker_id text;
`;
