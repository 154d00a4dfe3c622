import type { Mail, SendMail } from '../../core/mail.ts';
import { INVITE_DAYS } from './service.ts';

/** What came of mailing an invite. `off`: there is no mail server, or no link. */
export const INVITE_MAIL = ['sent', 'failed', 'off'] as const;
export type InviteMail = (typeof INVITE_MAIL)[number];

/** Mails the link of an invite to whom it is for. Never rejects: whoever invites is told, and can hand the link over. */
export async function mailInvite(sendMail: SendMail | null, email: string, link: string | null): Promise<InviteMail> {
  if (link === null || sendMail === null) return 'off';
  return sendMail(inviteMail(email, link)).then(
    () => 'sent' as const,
    () => 'failed' as const,
  );
}

function inviteMail(email: string, link: string): Mail {
  const { host } = new URL(link);
  return {
    to: [email],
    subject: `You are invited to Headgate at ${host}`,
    text: [
      `You are invited to an organization at ${host}. To accept, open this link once within ${INVITE_DAYS} days:`,
      '',
      link,
      '',
      'Anybody with the link can open it, so do not forward it. If you do not expect it, ignore this message.',
    ].join('\n'),
  };
}
