import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { readRequestBody } from '../request.ts';
import { peekAnswer } from './peek.ts';
import { referencesIn, withReferences } from './references.ts';

const CALL = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'a', arguments: '{}' };

function body(input: unknown, more = '') {
  return read(`{"model":"m",${more}"input":${JSON.stringify(input)}}`);
}

function read(json: string) {
  return readRequestBody(Buffer.from(json), 512);
}

test('items that are only named are found in all their forms, and nothing else is', () => {
  const text = { role: 'user', content: 'item_reference' };
  const named = [{ type: 'item_reference', id: 'a' }, { id: 'b' }, { id: 'c', type: null }, { type: null, id: 'd' }];
  assert.deepEqual(referencesIn(body([text, ...named])), ['a', 'b', 'c', 'd']);
  for (const one of named) {
    assert.deepEqual(referencesIn(body([one])), [one.id]);
    assert.deepEqual(referencesIn(read(JSON.stringify({ input: [one] }, null, 2))), [one.id]);
  }
  assert.equal(referencesIn(body([text, CALL, { role: 'user', id: 'x' }])), null);
  assert.equal(referencesIn(body('{"id":"x"}', '"prompt":{"id":"p"},')), null);
  assert.equal(referencesIn(read('{"input":[{"\\x":1,"id":"x"}]}')), null, 'a name is broken');
  assert.deepEqual(referencesIn(read('{"input":[{"\\u0069d":"x"}]}')), ['x']);
});

test('the items stand in their places, and everything else as it was', () => {
  const sent = body(
    [
      { role: 'user', content: '日本' },
      { type: 'item_reference', id: 'fc_1' },
    ],
    '"n":1.0,',
  );
  const written = withReferences(sent, (id) => (id === 'fc_1' ? CALL : undefined));
  assert.deepEqual(JSON.parse(written.toString()).input, [{ role: 'user', content: '日本' }, CALL]);
  assert.match(written.toString(), /^\{"model":"m","n":1\.0,"input":\[/);
});

test('reasoning that was not kept in any form is left out', () => {
  const sent = body([{ type: 'item_reference', id: 'rs_1' }]);
  const hollow = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
  const found = (item: object) => JSON.parse(withReferences(sent, () => item).toString()).input as unknown[];
  assert.deepEqual(found(hollow), []);
  for (const whole of [
    { ...hollow, encrypted_content: 'g' },
    { ...hollow, content: [{ type: 'reasoning_text', text: 'Hm.' }] },
  ]) {
    assert.deepEqual(found(whole), [whole]);
  }
});

test('of several that are left out, each takes one comma with it', () => {
  const known: Record<string, object> = { a: CALL, h: { type: 'reasoning', id: 'h' } };
  for (const ids of ['h', 'ah', 'ha', 'hah', 'hhaa', 'ahha', 'hhh', 'aahh']) {
    const spaced = JSON.stringify({ input: [...ids].map((id) => ({ id })) }, null, 2);
    const written = JSON.parse(withReferences(read(spaced), (id) => known[id]).toString()) as { input: unknown[] };
    assert.deepEqual(
      written.input,
      [...ids].filter((id) => id === 'a').map(() => CALL),
    );
  }
});

test('an item that is not known is refused by its place', () => {
  assert.throws(
    () => withReferences(body(['a', { id: 'x' }]), () => undefined),
    (error) => error instanceof GatewayError && error.status === 400 && error.param === 'input[1]',
  );
});

test('the items of a whole answer are told by their ids', () => {
  const answer = Buffer.from(JSON.stringify({ output: [CALL, { type: 'nameless' }] }));
  assert.deepEqual(peekAnswer(answer).items?.(), [{ id: 'fc_1', json: JSON.stringify(CALL) }]);
});
