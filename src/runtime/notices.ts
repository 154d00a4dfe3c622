import type { Logger } from 'pino';
import type { AdminParts } from '../admin/administration.ts';
import { WebhookSender } from '../admin/webhook-sender.ts';
import type { SettingsParts } from '../surfaces/organization/shared.ts';
import { createPublicPost } from '../upstream/public-post.ts';
import { mailOf } from './mail.ts';
import type { Setup } from './setup.ts';

/** What sends webhooks of this process, and what operations that send webhooks or mail are served with. */
export function openNotices(admin: AdminParts, current: () => Setup, log: Logger) {
  const webhookHosts = () => current().config.server.webhookHosts;
  const sendWebhook = createPublicPost(webhookHosts);
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
