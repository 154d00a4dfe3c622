/** What translation could not carry of a call and its answer: a JSON list of names, or nothing. */
export const dropped = `
  alter table calls add column dropped text;
`;
