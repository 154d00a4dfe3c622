import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { nanoOf } from '../spend-text.ts';
import { KEY_OPTION_OF, wantedEdit, wantedKey } from './wanted.ts';

const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;

test('a name is enough', () => {
  assert.deepEqual(wantedKey({ name: 'ci' }, NOW), {
    name: 'ci',
    product: null,
    expires_at: null,
    allowed_models: null,
    max_requests_per_1_minute: null,
    max_tokens_per_1_minute: null,
    spend_limit: null,
  });
});

test('every option sets its field', () => {
  const values = {
    name: 'ci',
    source: 'developer_tool',
    expires: '90d',
    models: 'echo, gpt-4o-mini',
    'requests-per-minute': '60',
    'tokens-per-minute': '10000',
    'spend-limit': '25/month',
  };
  assert.deepEqual(wantedKey(values, NOW), {
    name: 'ci',
    source: 'developer_tool',
    product: null,
    expires_at: (NOW + 90 * DAY) / 1000,
    allowed_models: ['echo', 'gpt-4o-mini'],
    max_requests_per_1_minute: 60,
    max_tokens_per_1_minute: 10_000,
    spend_limit: { amount_usd: '25', interval: 'month' },
  });
});

test('a product’s key is the product’s, whatever its source is said to be: the rules of keys see to that', () => {
  assert.equal(wantedKey({ name: 'desk', product: 'helpdesk' }, NOW).product, 'helpdesk');
});

const EXPIRIES: Readonly<Record<string, number>> = {
  '12h': NOW + DAY / 2,
  '2027-01-31': Date.UTC(2027, 0, 31),
  '2027-01-31T09:00:00Z': Date.UTC(2027, 0, 31, 9),
  '2027-01-31T09:00:00+02:00': Date.UTC(2027, 0, 31, 7),
};

for (const [text, moment] of Object.entries(EXPIRIES)) {
  test(`--expires ${text}`, () => assert.equal(wantedKey({ name: 'x', expires: text }, NOW).expires_at, moment / 1000));
}

const SPENDING: readonly (readonly [limit: string, per: string | undefined, amount: bigint, period: string])[] = [
  ['25', undefined, 25_000_000_000n, 'life'],
  ['$0.50', undefined, 500_000_000n, 'life'],
  ['0.000000001/day', undefined, 1n, 'day'],
  ['25', 'month', 25_000_000_000n, 'month'],
  ['25/week', undefined, 25_000_000_000n, 'week'],
  ['25/day', 'day', 25_000_000_000n, 'day'],
  ['9007199.254740993', undefined, 9_007_199_254_740_993n, 'life'], // More than a float can distinguish.
];

for (const [limit, per, amount, period] of SPENDING) {
  test(`--spend-limit ${limit}${per === undefined ? '' : ` --per ${per}`}`, () => {
    const { spend_limit: wanted } = wantedKey({ name: 'x', 'spend-limit': limit, ...(per && { per }) }, NOW);
    assert.deepEqual([nanoOf(wanted?.amount_usd ?? ''), wanted?.interval], [amount, period]);
  });
}

const REFUSED: readonly (readonly [values: Record<string, string>, sentence: RegExp])[] = [
  [{ expires: '90' }, /^--expires must be/],
  [{ expires: 'soon' }, /^--expires must be/],
  [{ expires: '2026-02-30' }, /^--expires must be/],
  [{ expires: '2027-01-31T09:00:00' }, /^--expires must be/],
  [{ source: 'phone' }, /^--source must be one of api_key, product, developer_tool\.$/],
  [{ 'requests-per-minute': '1.5' }, /^--requests-per-minute must be a whole number\.$/],
  [{ 'tokens-per-minute': 'many' }, /^--tokens-per-minute must be a whole number\.$/],
  [{ 'spend-limit': 'all' }, /^--spend-limit must be dollars/],
  [{ 'spend-limit': '1.2.3' }, /^--spend-limit must be dollars/],
  [{ 'spend-limit': '25/year' }, /^The period of a spend limit must be one of life, day, week, month, not year\.$/],
  [{ 'spend-limit': '25/day', per: 'month' }, /^--spend-limit has the period day, but --per is month\.$/],
  [{ per: 'day' }, /^--per needs a --spend-limit/],
];

for (const [values, sentence] of REFUSED) {
  test(`refuses ${JSON.stringify(values)}`, () => {
    assert.throws(
      () => wantedKey({ name: 'x', ...values }, NOW),
      (error) => error instanceof UsageError && sentence.test(error.message),
    );
  });
}

test('a refusal by the rules of keys names the option', async () => {
  const said = async (param: string, fault: string) => {
    const refused = Promise.reject(new GatewayError('invalid_request', `\`${param}\` ${fault}.`, { param }));
    const error = await inOptionsOf(KEY_OPTION_OF, refused).catch((error: unknown) => error);
    assert.ok(error instanceof UsageError);
    return error.message;
  };
  assert.equal(await said('name', 'must not be empty'), '--name must not be empty.');
  assert.equal(await said('product', 'must be'), '--product must be.');
  assert.equal(await said('spend_limit.amount', 'must be greater than 0'), '--spend-limit must be greater than 0.');
  assert.equal(await said('allowed_models.1', 'must not be empty'), '--models must not be empty.');
});

test('an edit has what is named, and takes away what is none', () => {
  const edit = (values: Record<string, string>, ...flags: string[]) => wantedEdit(values, new Set(flags), NOW);
  assert.deepEqual(edit({ name: 'web' }, 'off'), { name: 'web', enabled: false });
  assert.deepEqual(
    edit({
      expires: 'none',
      models: 'none',
      'requests-per-minute': 'none',
      'tokens-per-minute': '5',
      'spend-limit': 'none',
    }),
    {
      expires_at: null,
      allowed_models: null,
      max_requests_per_1_minute: null,
      max_tokens_per_1_minute: 5,
      spend_limit: null,
    },
  );
  assert.deepEqual(edit({ 'spend-limit': '25', per: 'month' }), {
    spend_limit: { amount_usd: '25', interval: 'month' },
  });
  assert.throws(() => edit({}), /^UsageError: Nothing is to be changed: name one of --name, --on/);
  assert.throws(() => edit({}, 'on', 'off'), UsageError);
  assert.throws(() => edit({ per: 'month' }), UsageError);
});
