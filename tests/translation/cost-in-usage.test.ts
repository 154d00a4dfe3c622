import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { loadRecordings, replay, SAMPLES, usageIn } from '../../src/testing/recordings.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
const PRICE = '{ input_per_1m: 10, output_per_1m: 20 }';
const providers = DIALECTS.map(
  (id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], only: [{ id: m, price: ${PRICE} }, unpriced] }\n`,
);
const server = await startHeadgate({ config: `providers:\n${providers.join('')}` });
after(async () => {
  await server[Symbol.asyncDispose]();
  await vendor.close();
});

type Event = { usage?: unknown; response?: { usage?: unknown } };

const WANTED = { 'service-include-cost': 'true' };
const BODIES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hello' }], stream_options: { include_usage: true } },
  'openai-responses': { input: 'Hello' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 },
};

type Asked = { surface: keyof typeof BODIES; model: string; stream: boolean };

async function call({ surface, model, stream }: Asked, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(`${server.url}${PATHS[surface]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...BODIES[surface], model, stream }),
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}

/** The last usage that a stream tells. */
function lastUsage(text: string): Record<string, unknown> {
  const events = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Event);
  const usage = events.map((event) => event.usage ?? event.response?.usage).findLast((each) => each != null);
  return usage as Record<string, unknown>;
}

/** What a stream says, but for what is different in each: ids and times. */
const said = (text: string) => text.split('\n').length;

for (const spoken of DIALECTS) {
  const { recordings } = await loadRecordings(SAMPLES, spoken);
  const recording = recordings.find((each) => usageIn(each) !== null && each.stream)!;
  for (const surface of DIALECTS) {
    test(`a stream of ${surface} from ${spoken} says in its last usage what it costs, where that is asked for`, async () => {
      const ask = (model: string, headers: Record<string, string>) => {
        vendor.plan(replay(recording), { times: 1 });
        return call({ surface, model: `${spoken}/${model}`, stream: true }, headers);
      };
      const plain = await ask('m', {});
      assert.equal('cost' in lastUsage(plain), false);
      const text = await ask('m', WANTED);
      const { cost, ...usage } = lastUsage(text);
      const [record] = (await server.usage({ limit: '1' })).data;
      assert.ok(Number(cost) > 0);
      assert.equal(cost, record?.cost_usd);
      assert.deepEqual(usage, lastUsage(plain));
      assert.equal(said(text), said(plain), 'all else is as without');
      assert.equal(lastUsage(await ask('unpriced', WANTED)).cost, null);
    });

    test(`a whole answer of ${surface} from ${spoken} says in its usage what it costs, where that is asked for`, async () => {
      const whole = recordings.find((each) => usageIn(each) !== null && !each.stream)!;
      const usageOf = async (model: string, headers: Record<string, string>) => {
        vendor.plan(replay(whole), { times: 1 });
        const text = await call({ surface, model: `${spoken}/${model}`, stream: false }, headers);
        return (JSON.parse(text) as { usage: Record<string, unknown> }).usage;
      };
      const plain = await usageOf('m', {});
      assert.equal('cost' in plain, false);
      const { cost, ...usage } = await usageOf('m', WANTED);
      const [record] = (await server.usage({ limit: '1' })).data;
      assert.ok(Number(cost) > 0);
      assert.equal(cost, record?.cost_usd);
      assert.deepEqual(usage, plain);
      assert.equal((await usageOf('unpriced', WANTED)).cost, null);
    });
  }
}
