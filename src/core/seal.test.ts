import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opens, packSeal, SEAL_MARK, type Seal, unpackSeal } from './seal.ts';

const SEAL: Seal = {
  dialect: 'anthropic-messages',
  provider: 'anthropic',
  form: 'signature',
  id: null,
  value: 'EqQB+/=\u2028"\\ 🙂',
};

test('a seal comes back from its packing as it was, byte for byte', () => {
  for (const seal of [SEAL, { ...SEAL, provider: null, id: 'rs_1', form: 'encrypted' as const, value: '' }]) {
    const packed = packSeal(seal);
    assert.match(packed, /^headgate-seal-1\.[A-Za-z0-9_-]+$/);
    assert.deepEqual(unpackSeal(packed), seal);
  }
});

test('what is not one of ours is none', () => {
  const almost = (value: unknown) => SEAL_MARK + Buffer.from(JSON.stringify(value)).toString('base64url');
  const others = [
    '',
    'EqQB',
    SEAL_MARK,
    `${SEAL_MARK}!!`,
    packSeal(SEAL).slice(0, -4),
    almost({}),
    almost([]),
    almost(['made-up', null, 'signature', null, '']),
    almost(['gemini', 1, 'signature', null, '']),
    almost(['gemini', null, 'other', null, '']),
    almost(['gemini', null, 'signature', 1, '']),
    almost(['gemini', null, 'signature', null, 1]),
  ];
  for (const other of others) assert.equal(unpackSeal(other), null, other);
});

test('only who made it can open it; where nobody knows who did, whoever speaks its dialect may try', () => {
  assert.ok(opens(SEAL, 'anthropic-messages', 'anthropic'));
  assert.ok(!opens(SEAL, 'anthropic-messages', 'other'));
  assert.ok(!opens(SEAL, 'openai-responses', 'anthropic'));
  assert.ok(opens({ ...SEAL, provider: null }, 'anthropic-messages', 'other'));
});
