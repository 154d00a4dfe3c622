/** How far each journal has been taken over into the tables; moved in the transaction that takes over. */
export const journals = `
  create table journals (
    file text primary key,
    taken_over_to integer not null
  ) strict, without rowid;
`;
