import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequestBody } from './request.ts';
import { findSharedId, refuseSharedId } from './shared-ids.ts';

const find = (json: string) => findSharedId(readRequestBody(Buffer.from(json), 100_000), { keeps: ['store'] });

const NAMES = [
  ...['file_id', 'file_ids', 'vector_store_id', 'vector_store_ids', 'container_id', 'skill_id', 'connector_id'],
  ...['previous_response_id', 'previous_message_id', 'cached_content', 'cachedContent', 'container'],
];

for (const name of NAMES) {
  test(`${name} is found wherever it stands, among many like it, and however it is written`, () => {
    const param = `a[1].b.${name}`;
    const words = JSON.stringify(`"${name}" _id contai cached voice" `.repeat(2000));
    for (const before of ['0', words]) {
      assert.deepEqual(find(`{"a":[${before},{"b":{"${name}":"x"}}]}`), { kind: 'names', param });
      assert.deepEqual(find(`{"a":[${before},{"b":{"${name}":null}}]}`), null);
    }
    for (let at = 0; at < name.length; at += 1) {
      const escaped = `\\u${name.charCodeAt(at).toString(16).padStart(4, '0').toUpperCase()}`;
      const json = `{"a":[0,{"b":{"${name.slice(0, at)}${escaped}${name.slice(at + 1)}":"x"}}]}`;
      assert.deepEqual(find(json), { kind: 'names', param }, json);
    }
  });
}

test('what has an id as its own is found', () => {
  for (const name of ['container', 'audio', 'voice', 'conversation', 'prompt']) {
    assert.deepEqual(find(`{"${name}":{"id":"x"}}`), { kind: 'names', param: `${name}.id` });
  }
  assert.deepEqual(find('{"store":true}'), { kind: 'keeps', param: 'store' });
  assert.equal(
    find('{"store":false,"prompt":"a text","a":{"prompt":{"id":"x"},"conversation":"y","voice":"alloy"}}'),
    null,
  );
});

test('a name that stands twice is told apart from one that is nothing', () => {
  assert.deepEqual(find('{"a":{"file_id":"x","file_id":null}}'), { kind: 'unclear' });
  assert.deepEqual(find('{"a":{"file_id":null,"b":{"c":1,"c":2}}}'), { kind: 'unclear' });
  assert.equal(find('{"a":{"b":{"c":1,"c":2}}}'), null, 'nothing could be named');
});

test('a caller’s own JSON may have any names; the call itself is none', () => {
  const own = '{"file_id":"x","container":"y"}';
  for (const name of ['parameters', 'input_schema', 'schema', 'arguments', 'metadata', 'annotations', 'citations']) {
    assert.equal(find(`{"a":{"${name}":${own}}}`), null);
  }
  assert.equal(find(`{"a":{"type":"server_tool_use","input":${own}}}`), null);
  assert.deepEqual(find(`{"type":"tool_use","input":${own}}`), { kind: 'names', param: 'input.file_id' });
  assert.deepEqual(find(`{"a":{"type":"text","input":${own}}}`), { kind: 'names', param: 'a.input.file_id' });
});

test('depth is no way past it, nor beyond the stack', () => {
  const deep = 50_000;
  const found = find(`{"a":${'['.repeat(deep)}{"file_id":"x"}${']'.repeat(deep)}}`);
  assert.deepEqual(found, { kind: 'names', param: `a${'[0]'.repeat(deep)}.file_id` });
});

test('a refusal names the field, unless the account is its callers’ own', () => {
  const envelope = {
    ...{ model: 'm', stream: false, maxOutputTokens: null, choices: 1, wantsUsage: false, estimatedInputTokens: 1 },
    ...readRequestBody(Buffer.from('{}'), 1),
    sharedId: { kind: 'names', param: 'a.file_id' },
  } as const;
  const refusal = { kind: 'invalid_request', status: 400, param: 'a.file_id', code: 'unsupported_parameter' };
  assert.throws(() => refuseSharedId(envelope, {}), refusal);
  assert.throws(() => refuseSharedId(envelope, { sharedIds: 'refuse' }), refusal);
  refuseSharedId(envelope, { sharedIds: 'allow' });
});
