import type { LookupFunction } from 'node:net';
import type { SendWebhook, WebhookOutcome, WebhookRequest } from '../core/webhooks.ts';
import { isPrivateHost, NotPublicError, publicLookup } from './private-networks.ts';

/** How long one request may take, in ms. */
const TIMEOUT_MS = 10_000;

/**
 * Sends requests to addresses that are not the gateway's own choice: over https, straight (without the environment's proxies,
 * which would connect elsewhere), to public addresses alone. Addresses are checked as each connection is made, so that a name
 * cannot mean another address then. `allowedHosts` the operator allows by name, over http too. Redirects are not followed,
 * and answers are not read.
 */
export function createWebhookPost(allowedHosts: () => readonly string[]): SendWebhook {
  return async (request) => {
    const url = new URL(request.url);
    const isAllowed = allowedHosts().includes(url.hostname);
    if (url.protocol !== 'https:' && !isAllowed) return { fault: 'The address is not https.' };
    if (!isAllowed && isPrivateHost(url.hostname)) return NOT_PUBLIC;
    return post(request, isAllowed ? undefined : publicLookup);
  };
}

const NOT_PUBLIC: WebhookOutcome = { fault: 'The address is not public.' };
async function post(
  { url, headers, body }: WebhookRequest,
  lookup: LookupFunction | undefined,
): Promise<WebhookOutcome> {
  // Imported on use, because it takes some megabytes.
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connect: lookup === undefined ? {} : { lookup } });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    // Its bytes are let go with the connection, which ends below.
    answer.body.on('error', () => undefined);
    return { status: answer.statusCode };
  } catch (error) {
    if (error instanceof NotPublicError) return NOT_PUBLIC;
    const { code, name } = error as { code?: unknown; name?: string };
    return { fault: `It could not be sent: ${typeof code === 'string' ? code : name}.` };
  } finally {
    await dispatcher.destroy();
  }
}
