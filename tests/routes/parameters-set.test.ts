import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { ask as askOnce, errorOf } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';
import { ask, chat } from '../workers/ask.ts';

/** `defaults` and `force` that are set over HTTP: of two names of one model, and of a route. */

const vendor = await startFakeProvider({ lenient: true });
vendor.plan((request) => scripted('openai-chat', [{ text: 'Hello', usage: { input: 5, output: 2 } }])(request));
after(() => vendor.close());

const off = { id: 'x', upstream: 'm', force: { reasoning_effort: 'none' } };
const on = { id: 'x-thinking', upstream: 'm', force: { reasoning_effort: 'high' } };
const settingsOf = (models: object[]) => ({ base_url: vendor.url, dialects: ['openai-chat'], models });

for (const [workers, layer] of [
  [1, 'fast'],
  [4, 'node'],
] as const) {
  test(`parameters are set, changed and removed over HTTP, at all processes (${workers} workers, ${layer})`, async () => {
    await using headgate = await startHeadgate({
      config: JSON.stringify({
        server: { workers, http_layer: layer, provider_hosts: ['127.0.0.1'] },
        limits: { requests_per_minute: 100_000 },
      }),
    });
    const set = async (path: string, body: object) => {
      const { status, text } = await askOnce(`${headgate.url}/v1/organization${path}`, { key: headgate.key, body });
      assert.equal(status, 200, text);
    };
    const held = (model: string, expected: readonly unknown[]) => heldByAll(headgate, { workers, model, expected });
    await set('/providers', { id: 'own', ...settingsOf([off, on]) });
    await held('own/x-thinking', ['m', 'high', undefined]);
    await held('own/x', ['m', 'none', undefined]);
    await set('/providers/own', { models: [off, { ...on, force: undefined, defaults: { temperature: 0.25 } }] });
    await held('own/x-thinking', ['m', undefined, 0.25]);
    await set('/routes', { id: 'lab/way', yaml: 'targets: [own/x-thinking]\nforce: { temperature: 0.5 }\n' });
    await held('lab/way', ['m', undefined, 0.5]);
    await set('/providers/own', { models: [off, { id: 'x-thinking', upstream: 'm' }] });
    await held('own/x-thinking', ['m', undefined, undefined]);
    await held('own/x', ['m', 'none', undefined]);
  });
}

/**
 * Asks until as many calls in a row as there are processes were sent with these: the model, the effort and the temperature. Each
 * call has a connection of its own, and these are handed to the processes in turn.
 */
async function heldByAll(
  headgate: Running,
  { workers, model, expected }: { workers: number; model: string; expected: readonly unknown[] },
): Promise<void> {
  const sent = async () => {
    const { status, text } = await ask(headgate, '/v1/chat/completions', chat(model));
    // A process that has not heard of the setting yet does not know the name.
    if (status === 404) return null;
    assert.equal(status, 200, text);
    const { json } = vendor.requests.at(-1)!;
    return [field(json, 'model'), field(json, 'reasoning_effort'), field(json, 'temperature')];
  };
  for (let inARow = 0; inARow < workers; ) {
    inARow = JSON.stringify(await sent()) === JSON.stringify(expected) ? inARow + 1 : 0;
  }
}

test('names of parameters that cannot be set are refused by their field', async () => {
  await using headgate = await startHeadgate({ config: 'server: { provider_hosts: [127.0.0.1] }\n' });
  const send = (path: string, body: unknown) =>
    askOnce(`${headgate.url}/v1/organization${path}`, { key: headgate.key, body });
  for (const member of ['defaults', 'force']) {
    for (const name of ['model', 'messages', 'stream', 'tools', 'max_tokens', '__proto__']) {
      const own = JSON.stringify({ id: 'own', ...settingsOf([off, { id: 'y', [member]: { body: { NAME: 1 } } }]) });
      const answer = await send('/providers', own.replace('NAME', name));
      const at = `models.1.${member}.body.${name}`;
      assert.deepEqual([answer.status, errorOf(answer).param], [400, at], answer.text);
    }
    const route = { id: 'lab/way', yaml: `targets: [echo]\n${member}: { model: x }\n` };
    const { status, text } = await send('/routes', route);
    assert.equal(status, 400);
    assert.match(text, new RegExp(`${member}.model`));
  }
});
