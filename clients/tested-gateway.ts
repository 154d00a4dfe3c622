import { Pool } from 'undici';
import { answer } from '../src/testing/answers.ts';
import { startFakeProvider } from '../src/testing/fake-provider.ts';
import { type Running, startHeadgate } from '../tests/support/headgate.ts';
import { NOT_FOR_CLIENTS, OF_LATER_PARENTS } from './openapi/resources.ts';

/** A gateway for the tests of client libraries, with a fake vendor behind it. */
export type TestedGateway = AsyncDisposable & {
  /** What one run of tests reads: the address, and keys of its own, so that no run uses up what another needs. */
  environment(): Promise<Record<string, string>>;
};

/** More than a hundred pages of the most records that one can have. */
const SEEDED_RECORDS = 10_000;
const SEEDED_AT_ONCE = 64;
const UNLIMITED = ['--requests-per-minute', '1000000', '--tokens-per-minute', '100000000'];
const FAULTS = ['bad-request', 'unauthorized', 'endless-stream', 'reset'];
const TOOL_CALLS = [{ name: 'get_weather', arguments: '{"city":"Paris"}' }];

export async function startTestedGateway(): Promise<TestedGateway> {
  const vendor = await startFakeProvider();
  vendor.plan(answer({ toolCalls: TOOL_CALLS }), { model: 'fake-tools' });
  vendor.plan(answer({ text: '{"city":"Paris","population":2102650}' }), { model: 'fake-json' });
  const gateway = await startHeadgate({ config: configuration(vendor.url) });
  const paged = await gateway.createKey(...UNLIMITED);
  await seed(gateway, paged.key);
  return {
    environment: async () => ({
      HEADGATE_BASE_URL: gateway.url,
      HEADGATE_TEST_NOT_FOR_CLIENTS: JSON.stringify(Object.keys({ ...NOT_FOR_CLIENTS, ...OF_LATER_PARENTS })),
      HEADGATE_API_KEY: (await gateway.createKey(...UNLIMITED)).key,
      HEADGATE_ADMIN_KEY: (await gateway.createKey('--admin', ...UNLIMITED)).key,
      HEADGATE_TEST_PAGED: JSON.stringify(paged),
      HEADGATE_TEST_SLOW_KEY: (await gateway.createKey('--requests-per-minute', '120')).key,
      HEADGATE_TEST_POOR_KEY: (await gateway.createKey('--spend-limit', '0.0001', ...UNLIMITED)).key,
    }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await vendor.close();
    },
  };
}

/** Has as many calls recorded as are to be paged through. */
async function seed({ url }: Running, key: string): Promise<void> {
  const pool = new Pool(url, { connections: SEEDED_AT_ONCE });
  const body = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let left = SEEDED_RECORDS;
  const caller = async () => {
    while (left-- > 0) {
      const response = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 200) throw new Error(`A call was answered with ${response.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: SEEDED_AT_ONCE }, caller));
  await pool.close();
}

function configuration(vendorUrl: string): string {
  const chat = ['fake-tools', 'fake-json', ...FAULTS.map((name) => `fault:${name}`)];
  return `
providers:
  fake:
    base_url: ${vendorUrl}
    dialects: [openai-chat, openai-embeddings]
    only:
      - { id: fake-small, price: { input_per_1m: 1.5, output_per_1m: 6 } }
      - { id: text-embedding-3-small, dimensions: 1536 }
${chat.map((id) => `      - "${id}"`).join('\n')}
routes:
  acme/fast: { strategy: [cheapest], targets: [fake/fake-small] }
`;
}
