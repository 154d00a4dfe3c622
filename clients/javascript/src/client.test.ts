import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APIConnectionError, InternalServerError } from 'openai';
import { Headgate } from './client.ts';
import { PACING } from './pace.ts';

PACING.random = () => 0;

/** A client to which nobody answers in the end, and how often it has sent something. */
function unanswered(send: () => Promise<Response>) {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return send();
  };
  const client = new Headgate({ apiKey: 'k', adminAPIKey: 'a', baseURL: 'http://gateway', maxRetries: 1, fetch });
  return { client, sent: () => sent };
}

const lost = () => Promise.reject(new TypeError('The connection is gone.'));
const failed = async () => new Response('', { status: 502, headers: { 'retry-after-ms': '1' } });

test('a change of settings is sent once, for nobody knows whether it was done', async () => {
  for (const [send, error] of [[lost, APIConnectionError] as const, [failed, InternalServerError] as const]) {
    const { client, sent } = unanswered(send);
    await assert.rejects(client.settings.projects.apiKeys.create('proj_1', { name: 'nightly' }), error);
    await assert.rejects(client.admin.organization.projects.create({ name: 'search' }), error);
    assert.equal(sent(), 2);
  }
});

test('it is sent again where that is asked for, and what changes nothing is', async () => {
  const { client, sent } = unanswered(failed);
  const budget = { name: 'all', holders: [{ type: 'organization' as const }], amount_usd: 1, interval: 'day' as const };
  await assert.rejects(client.settings.budgets.create(budget, { maxRetries: 2 }), InternalServerError);
  assert.equal(sent(), 3);
  await assert.rejects(client.settings.budgets.retrieve('budget_1'), InternalServerError);
  assert.equal(sent(), 5);
  await assert.rejects(client.responses.create({ model: 'echo', input: 'Hello' }), InternalServerError);
  assert.equal(sent(), 7);
});
