import type { SendMail } from '../core/mail.ts';
import { sendBySmtp } from '../upstream/mail.ts';
import type { Setup } from './setup.ts';

/** What sends mail as the configuration in force says; `null` where it names no mail server. */
export function mailOf({ config, secrets }: Setup): SendMail | null {
  const { smtpUrl: url } = secrets;
  const { mail } = config;
  if (url === null || mail === null) return null;
  return (message) => sendBySmtp({ url, from: mail.from }, message);
}
