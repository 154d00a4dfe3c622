/** A message to people, in plain text. */
export type Mail = { to: readonly string[]; subject: string; text: string };

/** Hands a message to the mail server. Rejects if the server accepts none of the recipients. */
export type SendMail = (mail: Mail) => Promise<void>;
