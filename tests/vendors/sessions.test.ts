import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
after(() => vendor.close());
const headgate = await startHeadgate({
  config: `
providers:
  zai: { base_url: "${vendor.url}", api_key: key-of-zai, only: [glm] }
  other: { base_url: "${vendor.url}", dialects: [openai-chat], only: [plain] }
`,
});
after(() => headgate[Symbol.asyncDispose]());

async function sessionOf(path: string, body: object, name: string): Promise<unknown> {
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json', [name]: 'session-1' },
    body: JSON.stringify({ ...body, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  assert.equal(response.status, 200, await response.text());
  return vendor.requests.at(-1)?.headers['x-session-id'];
}

test('a session reaches the vendor that reads it, in either format, and no other', async () => {
  assert.equal(await sessionOf('/v1/chat/completions', { model: 'glm' }, 'x-session-id'), 'session-1');
  assert.equal(await sessionOf('/v1/messages', { model: 'glm' }, 'x-claude-code-session-id'), 'session-1');
  assert.equal(await sessionOf('/v1/chat/completions', { model: 'plain' }, 'x-session-id'), undefined);
});
