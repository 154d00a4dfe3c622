import type { Mail } from '../core/mail.ts';
import type { Secret } from '../core/secret.ts';
import { isLoopbackHost } from '../core/special-networks.ts';

/** Where mail goes out: `smtp://` or `smtps://`, with a name and password where they are asked for; and from whom it is. */
export type MailServer = { url: Secret; from: string };

/** The longest that reaching the server, its greeting, and a silence of it may take, in ms; and all of it. */
const STEP_MS = 5_000;
const TOTAL_MS = 15_000;

/**
 * Hands a message to the mail server, over a connection of its own. A name and password are told only where TLS hides them, but
 * on this very machine. Rejects where nobody of the recipients was taken.
 */
export async function sendBySmtp({ url, from }: MailServer, { to, subject, text }: Mail): Promise<void> {
  // Imported on use: most gateways send no mail.
  const { createTransport } = await import('nodemailer');
  const { username, hostname } = new URL(url.reveal());
  const transport = createTransport({
    url: url.reveal(),
    requireTLS: username !== '' && !isLoopbackHost(hostname),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The mail server took too long.')), TOTAL_MS);
  try {
    await Promise.race([transport.sendMail({ from, to: [...to], subject, text }), late.promise]);
  } catch (error) {
    // Of the waits that end at once, any may be the first to be told: all are a server that says nothing.
    if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error;
    throw new Error(`The mail server said nothing for ${STEP_MS / 1000} seconds.`, { cause: error });
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}
