import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { timeoutsOf } from '../support/timeouts.ts';
import { ask } from '../workers/ask.ts';
import { BEYOND, body, CALLS, callOf, OUTPUT, PATH, spentOf, until, usd } from './calls-at-once.ts';

/**
 * A thousand calls at once against the last dollar of a pool, the product's, under which two keys have limits of their own:
 * whole and streamed, and every fifth is left by its caller. Each costs what was held for it, unless it was left.
 */
/** In nano-dollars. */
const [POOL, KEY] = [400_000_000, 300_000_000];

for (const workers of [1, 4]) {
  test(`a thousand calls at once spend no budget by more than it has, and leave nothing reserved (${workers} processes)`, async (t) => {
    await using vendor = await startFakeProvider();
    vendor.plan(answer({ usage: { prompt_tokens: 1, completion_tokens: OUTPUT } }));
    await using headgate = await startHeadgate({
      args: ['--workers', `${workers}`],
      config: `
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: small, price: { input_per_1m: 0, output_per_1m: 10 } }] }
products: { search: { routes: [small], budget: { usd: ${POOL / 1e9}, per: month } } }
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
retries: { attempts: 1 }
timeouts: ${timeoutsOf()}
`,
    });
    const ofProduct = ['--product', 'search', '--spend-limit', `${KEY / 1e9}`];
    const keys = [await headgate.createKey(...ofProduct), await headgate.createKey(...ofProduct)];
    const other = await headgate.createKey('--product', 'search');
    const ends = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => callOf(headgate, keys[index % 2]!.key, index)),
    );
    assert.deepEqual([...new Set(ends)].toSorted(), ['200', '429', 'left']);
    t.diagnostic(`${ends.filter((end) => end === '429').length} of ${CALLS} were refused`);

    // Once every settlement is there, and workers have given back what they had leased: exactly what was not spent is left.
    const refusalOf = async (key: string) => (await ask(headgate, PATH, body(BEYOND), key)).text;
    await until(async () => {
      const spent = await spentOf(headgate);
      const [first, second] = keys.map(({ id }) => spent.get(id) ?? 0);
      const isRight = [
        [await refusalOf(keys[0]!.key), KEY - first!, KEY],
        [await refusalOf(keys[1]!.key), KEY - second!, KEY],
        [await refusalOf(other.key), POOL - first! - second!, POOL],
      ] as const;
      return isRight.every(([text, left, whole]) => text.includes(`has ${usd(left)} left of ${usd(whole)} `));
    });
    const spent = await spentOf(headgate);
    assert.ok([...spent.values()].reduce((sum, each) => sum + each, 0) <= POOL);
    for (const each of spent.values()) assert.ok(each <= KEY, `${each} of a key`);
  });
}
