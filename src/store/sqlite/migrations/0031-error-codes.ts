/** What a provider calls an error for programs, of a call's last attempt and of those before it. Few attempts have one. */
export const errorCodes = `
  alter table calls add column error_code text;
  alter table earlier_attempts add column error_code text;
`;
