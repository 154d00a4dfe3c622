/** A message to people, in plain text. */
export type Mail = { to: readonly string[]; subject: string; text: string };

/** Hands a message to the mail server. Rejects where none of its recipients was taken. */
export type SendMail = (mail: Mail) => Promise<void>;
