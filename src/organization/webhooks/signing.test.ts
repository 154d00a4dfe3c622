import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { Secret } from '../../core/secret.ts';
import type { WebhookEvent } from '../../core/webhooks.ts';
import { signedWebhook, webhookSecret } from './signing.ts';

const PEPPER = new Secret('a pepper of more than thirty-two characters');
const ENDPOINT = { id: 'whe_1', url: 'https://example.com/hook', secretNumber: 1 };
const EVENT: WebhookEvent = {
  id: 'evt_1',
  organizationId: 'org_1',
  type: 'spend_alert.triggered',
  at: 1_795_000_000_000,
  data: { id: 'alert_1', name: 'Grüße' },
};
const client = new OpenAI({ apiKey: 'none' });

test('the official client accepts what was signed, and nothing else', async () => {
  const { body, headers } = signedWebhook(PEPPER, ENDPOINT, EVENT, Date.now());
  const secret = webhookSecret(PEPPER, ENDPOINT);
  const told = (await client.webhooks.unwrap(body, { ...headers }, secret)) as unknown as Record<string, unknown>;
  assert.equal(told.type, 'spend_alert.triggered');
  assert.deepEqual(told.data, EVENT.data);
  await assert.rejects(async () => client.webhooks.unwrap(`${body} `, { ...headers }, secret));
  const other = webhookSecret(PEPPER, { ...ENDPOINT, secretNumber: 2 });
  await assert.rejects(async () => client.webhooks.unwrap(body, { ...headers }, other));
  const old = signedWebhook(PEPPER, ENDPOINT, EVENT, Date.now() - 3_600_000);
  await assert.rejects(async () => client.webhooks.unwrap(old.body, { ...old.headers }, secret));
});

test('behind a rotation both secrets count while the earlier one is named', async () => {
  const { body, headers } = signedWebhook(PEPPER, { ...ENDPOINT, secretNumber: 2, earlier: 1 }, EVENT, Date.now());
  for (const secretNumber of [1, 2]) {
    await client.webhooks.unwrap(body, { ...headers }, webhookSecret(PEPPER, { ...ENDPOINT, secretNumber }));
  }
});
