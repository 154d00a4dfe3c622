import type { Logger } from 'pino';
import type { SendMail } from '../core/mail.ts';
import type { AdminParts } from '../organization/administration.ts';
import type { SettingsParts } from '../organization/parts.ts';
import { WebhookSender } from '../organization/webhooks/sender.ts';
import { sendBySmtp } from '../upstream/mail.ts';
import { createWebhookPost } from '../upstream/webhook-post.ts';
import type { Setup } from './setup.ts';

/** The senders of webhooks and mail of this process, and the services for operations that use them. */
export function openWebhooksAndMail(admin: AdminParts, current: () => Setup, log: Logger) {
  const webhookHosts = () => current().config.server.webhookHosts;
  const sendWebhook = createWebhookPost(webhookHosts);
  const onError = (error: unknown) => log.warn({ err: error }, 'Webhooks could not be sent.');
  const parts: Pick<SettingsParts, 'sendWebhook' | 'webhookHosts' | 'sendMail'> = {
    sendWebhook,
    webhookHosts,
    sendMail() {
      const send = mailOf(current());
      if (send === null) return null;
      return async (mail) => {
        try {
          await send(mail);
        } catch (error) {
          log.warn({ err: error }, 'Mail could not be sent.');
          throw error;
        }
      };
    },
  };
  return { sender: new WebhookSender({ ...admin, send: sendWebhook, onError }), parts };
}

/** Sends mail with the configuration in force; `null` without a mail server. */
export function mailOf({ config, secrets }: Setup): SendMail | null {
  const { smtpUrl: url } = secrets;
  const { mail } = config;
  if (url === null || mail === null) return null;
  return (message) => sendBySmtp({ url, from: mail.from }, message);
}
