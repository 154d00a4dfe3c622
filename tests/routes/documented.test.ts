import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import type { FaultName } from '../../src/testing/faults.ts';
import { startHeadgate } from '../support/headgate.ts';

/** What an example of the page says of a call. */
type Documented = {
  call: Record<string, unknown>;
  answered_by?: string;
  /** The vendor that fails meanwhile, and how. */
  vendor?: string;
  fails?: FaultName;
  /** Asked by so many callers, or so often by one. */
  callers?: number;
  times?: number;
  shares?: Record<string, number>;
};

const page = readFileSync(new URL('../../docs/routing.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^```yaml example=(\d)\n(.*?)^```/gms)].map(([, number, yaml]) => ({
  number,
  yaml: yaml!,
  calls: JSON.parse(blockOf(`json calls=${number}`)) as Documented[],
}));

const vendors: Readonly<Record<string, FakeProvider>> = {
  lab: await startFakeProvider({ models: ['lab-small', 'lab-large'] }),
  spare: await startFakeProvider({ models: ['spare-medium'] }),
};
after(async () => {
  for (const vendor of Object.values(vendors)) await vendor.close();
});

function blockOf(language: string): string {
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(page)?.[1];
  assert.ok(block !== undefined, `the page has a block of ${language}`);
  return block;
}

function configOf(routes: string): string {
  return `
providers:
  lab:
    base_url: ${vendors.lab!.url}
    only:
      - { id: lab-small, price: { input_per_1m: 0.1, output_per_1m: 0.4 } }
      - { id: lab-large, price: { input_per_1m: 2, output_per_1m: 8 } }
  spare:
    base_url: ${vendors.spare!.url}
    only: [{ id: spare-medium, price: { input_per_1m: 0.5, output_per_1m: 2 } }]
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
${routes}`;
}

test('the page has three examples', () => {
  assert.deepEqual(
    examples.map(({ number }) => number),
    ['1', '2', '3'],
  );
});

for (const { number, yaml, calls } of examples) {
  test(`example ${number} of the page is as it says`, async () => {
    await using headgate = await startHeadgate({ config: configOf(yaml) });
    const model = /^ {2}(\S+):$/m.exec(yaml)?.[1] ?? '';
    const ask = async (call: Record<string, unknown>): Promise<string> => {
      const response = await fetch(`${headgate.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, ...call }),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.equal(response.headers.get('service-route'), model);
      return response.headers.get('service-model') ?? '';
    };
    for (const documented of calls) await check(documented, ask);
  });
}

async function check(documented: Documented, ask: (call: Record<string, unknown>) => Promise<string>): Promise<void> {
  const { call, answered_by: expected, vendor, fails, callers, times, shares } = documented;
  if (vendor !== undefined && fails !== undefined) vendors[vendor]!.plan(fails);
  const answers: string[] = [];
  for (let index = 0; index < (callers ?? times ?? 1); index += 1) {
    answers.push(await ask(callers === undefined ? call : { ...call, user: `caller ${index}` }));
  }
  if (vendor !== undefined) vendors[vendor]!.forget();
  if (shares !== undefined) {
    for (const [name, share] of Object.entries(shares)) {
      const count = answers.filter((answer) => answer === name).length;
      // Five standard deviations of a binomial count.
      const bound = 5 * Math.sqrt(answers.length * share * (1 - share));
      assert.ok(Math.abs(count - answers.length * share) < bound, `${name}: ${count} of ${answers.length}`);
    }
  } else if (expected === 'always the same') {
    assert.equal(new Set(answers).size, 1);
  } else {
    assert.deepEqual([...new Set(answers)], [expected]);
  }
}

test('both amounts of example 1 stand in its usage record', async () => {
  await using headgate = await startHeadgate({ config: configOf(examples[0]!.yaml) });
  await fetch(`${headgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/fast', ...examples[0]!.calls[0]!.call }),
  });
  const [record] = (await headgate.usage()).data;
  // 9 tokens in and 8 out: at the route's price, and at the small model's.
  assert.equal(record?.cost_usd, (9 * 200 + 8 * 800) / 1e9);
  assert.equal(record?.vendor_cost_usd, (9 * 100 + 8 * 400) / 1e9);
  assert.equal(record?.model, 'acme/fast');
});
