import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';

/** A `*` would look like a pattern, and fit no name: it is refused with its field, whichever way it comes. */

const headgate = await startHeadgate();
after(() => headgate[Symbol.asyncDispose]());

async function send(path: string, body: object): Promise<{ status: number; param: unknown; message: string }> {
  const response = await fetch(`${headgate.url}/v1/organization${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { error?: { param: unknown; message: string } };
  return { status: response.status, param: error?.param, message: error?.message ?? '' };
}

test('over HTTP', async () => {
  const refusals: readonly [path: string, body: object, param: string][] = [
    ['/projects/default/api_keys', { name: 'k', allowed_models: ['echo', 'openai/*'] }, 'allowed_models.1'],
    ['/projects/default/model_permissions', { mode: 'allow_list', model_ids: ['*'] }, 'model_ids.0'],
    ['/aliases', { id: 'gpt-*', target: 'echo' }, 'id'],
    ['/aliases', { id: 'mine', target: 'ech*' }, 'target'],
  ];
  const { status } = await send('/aliases', { id: 'mine', target: 'echo' });
  assert.equal(status, 200);
  for (const [path, body, param] of refusals) {
    const refused = await send(path, body);
    assert.equal(refused.status, 400, `${path} ${refused.message}`);
    assert.equal(refused.param, param, path);
    assert.match(refused.message, /\*/);
  }
});

test('from a command', async () => {
  const { code, stderr } = await headgate.command('keys', 'create', '--name', 'k', '--models', 'openai/*');
  assert.notEqual(code, 0);
  assert.match(stderr, /--models/);
  assert.match(stderr, /\*/);
});

test('in the file', async () => {
  const parts: readonly [part: string, field: RegExp][] = [
    ['aliases: { "gpt-*": echo }', /aliases\.gpt-\*: must be a name/],
    ['aliases: { mine: "ech*" }', /aliases\.mine: must be a name/],
    ['routes: { r: { targets: ["echo/*"] } }', /routes\.r\.targets.*must be a name/],
    ['routes: { "r*": { targets: [echo] } }', /routes\.r\*: must be a name/],
    ['models: { "openai/*": { context_window: 5 } }', /models\.openai\/\*: must be a provider/],
    ['products: { p: { routes: ["*"] } }', /products\.p\.routes.*must be a name/],
  ];
  for (const [part, field] of parts) {
    assert.match(await headgate.reload(`${part}\n`), /was not reloaded/, part);
    await headgate.waitForLine(field);
  }
});
