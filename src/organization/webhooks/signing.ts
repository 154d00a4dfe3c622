import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '../../core/secret.ts';
import type { WebhookEvent, WebhookRequest } from '../../core/webhooks.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** The number of the endpoint's secret, which grows with each rotation. */
export type SigningEndpoint = { id: string; url: string; secretNumber: number };

/**
 * The secret of an endpoint, as it is shown once: `whsec_` and base64. It is derived from the pepper, the endpoint's id
 * and the number of the secret, so the database contains nothing that could sign.
 */
export function webhookSecret(pepper: Secret, { id, secretNumber }: Omit<SigningEndpoint, 'url'>): string {
  return PREFIX + Buffer.from(keyOf(pepper, id, secretNumber)).toString('base64');
}

function keyOf(pepper: Secret, id: string, secretNumber: number): Uint8Array {
  const label = `headgate webhook ${id} ${secretNumber}`;
  return new Uint8Array(hkdfSync('sha256', pepper.reveal(), '', label, SECRET_BYTES));
}

/**
 * The signed request for an event, as in Standard Webhooks.
 *
 * @param earlier the number of the previous secret, if it is still valid: the request is signed with both
 * @param now Unix ms; a receiver refuses requests that are some minutes old
 */
export function signedWebhook(
  pepper: Secret,
  endpoint: SigningEndpoint & { earlier?: number },
  event: WebhookEvent,
  now: number,
): WebhookRequest {
  const { id, type, at, data } = event;
  const body = JSON.stringify({ object: 'event', id, type, created_at: Math.floor(at / 1000), data });
  const timestamp = String(Math.floor(now / 1000));
  const numbers = [endpoint.secretNumber, ...(endpoint.earlier === undefined ? [] : [endpoint.earlier])];
  const signatures = numbers.map((number) => {
    const hmac = createHmac('sha256', keyOf(pepper, endpoint.id, number));
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}
