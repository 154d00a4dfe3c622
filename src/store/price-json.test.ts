import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Price } from '../core/money.ts';
import { readPrice, writeRates, writeTiers } from './price-json.ts';

const PLAIN: Price = {
  rates: { input: 2n ** 60n, output: 1n },
  tiers: [{ abovePromptTokens: 5, rates: { input: 3n } }],
  source: 'test',
  date: '2026-11-22',
};
const LISTED: Price = {
  ...PLAIN,
  services: { flex: { rates: { input: 1n }, tiers: [{ abovePromptTokens: 7, rates: { output: 9n } }] }, batch: PLAIN },
};

function kept(price: Price): Price {
  const { source, date } = price;
  return readPrice({ rates: writeRates(price.rates), tiers: writeTiers(price), source, date });
}

test('a price is read back as it was written, with and without lists by tier of service', () => {
  assert.deepEqual(kept(PLAIN), PLAIN);
  const { rates, tiers } = PLAIN;
  assert.deepEqual(kept(LISTED), { ...LISTED, services: { ...LISTED.services, batch: { rates, tiers } } });
  assert.deepEqual(kept({ ...PLAIN, services: {} }).services, {});
});

test('a price without such lists is written as it always was, so that its version stays the same', () => {
  assert.equal(writeTiers(PLAIN), '[{"abovePromptTokens":5,"rates":{"input":"3"}}]');
});

test('the same lists make the same text, in whatever order they are given', () => {
  const { flex, batch } = LISTED.services!;
  assert.equal(writeTiers({ ...PLAIN, services: { batch: batch!, flex: flex! } }), writeTiers(LISTED));
});
