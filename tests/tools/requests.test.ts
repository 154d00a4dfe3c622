import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, beforeEach, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { startHeadgate } from '../support/headgate.ts';
import { actOut, DIALECTS, type ScriptedDialect } from './model.ts';
import { CLAUDE_CODE_ASIDE, CLAUDE_CODE_BODY, CLAUDE_CODE_HEADERS, CODEX_BODY, CODEX_HEADERS } from './requests.ts';
import { INPUT_TOKENS, OUTPUT_TOKENS } from './script.ts';

/** What coding agents send, without the agents: to a vendor of each dialect. Files in `expected/` hold what it is asked. */
const IDS = Object.keys(DIALECTS) as ScriptedDialect[];
const SCRIPT = { reasoning: 'Hm.', call: { name: 'none', input: {} }, text: 'Done.' };
const CALLS = {
  codex: { path: '/v1/responses', headers: CODEX_HEADERS, body: CODEX_BODY },
  'claude-code': { path: '/v1/messages?beta=true', headers: CLAUDE_CODE_HEADERS, body: CLAUDE_CODE_BODY },
  'claude-code-aside': { path: '/v1/messages?beta=true', headers: CLAUDE_CODE_HEADERS, body: CLAUDE_CODE_ASIDE },
} as const;

const vendor = await startFakeProvider();
const gateway = await startHeadgate({
  config: `providers:\n${IDS.map((id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], only: [m] }`).join('\n')}\n`,
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendor.close();
});
beforeEach(() => {
  vendor.forget();
  for (const id of IDS) vendor.plan(actOut(SCRIPT, id), { path: DIALECTS[id].path });
});

for (const name of Object.keys(CALLS) as (keyof typeof CALLS)[]) {
  const { path } = CALLS[name];
  const own = IDS.find((id) => path.startsWith(DIALECTS[id].path))!;

  test(`a call of ${name} reaches a vendor of its dialect as it was sent`, async () => {
    const response = await send(name, own);
    const { json, headers, path: reached } = vendor.requests.at(-1)!;
    assert.equal(reached, DIALECTS[own].path);
    assert.deepEqual(json, { model: 'm', ...CALLS[name].body });
    assert.equal(response.headers.get('service-dropped'), null);
    const sent: Readonly<Record<string, string>> = CALLS[name].headers;
    for (const header of ['anthropic-version', 'anthropic-beta']) assert.equal(headers[header], sent[header]);
  });

  for (const id of IDS.filter((each) => each !== own)) {
    test(`a call of ${name} reaches a vendor of ${id} in its words`, async () => {
      const response = await send(name, id);
      const asked = { dropped: response.headers.get('service-dropped'), body: vendor.requests.at(-1)?.json };
      const file = new URL(`expected/${name}.${id}.json`, import.meta.url);
      if (process.env.HEADGATE_GOLDEN === 'write') writeFileSync(file, `${JSON.stringify(asked, null, 2)}\n`);
      assert.deepEqual(asked, JSON.parse(readFileSync(file, 'utf8')));
    });
  }

  for (const id of IDS) {
    test(`a call of ${name} is billed by what a vendor of ${id} says`, async () => {
      const response = await send(name, id);
      const { data } = await gateway.usage();
      const record = data.find((each) => each.request_id === response.headers.get('x-request-id'));
      const said = ['usage_source', 'input_tokens', 'output_tokens'].map((member) => field(record, member));
      assert.deepEqual(said, ['provider', INPUT_TOKENS, OUTPUT_TOKENS]);
    });
  }
}

for (const path of ['/', '/api/hello']) {
  test(`Claude Code finds, without a key, that somebody is at ${path}`, async () => {
    const response = await fetch(gateway.url + path, { method: 'HEAD' });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), '');
  });
}

/** Sends it, and reads the whole answer: the record is there before its end. */
async function send(name: keyof typeof CALLS, id: ScriptedDialect): Promise<Response> {
  const { path, headers, body } = CALLS[name];
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${id}/m`, ...body }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return response;
}
