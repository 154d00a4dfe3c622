import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider({ models: ['lab-small'] });
const headgate = await startHeadgate({
  config: `
providers:
  lab: { base_url: "${vendor.url}", only: [{ id: lab-small, price: { input_per_1m: 1, output_per_1m: 2 } }] }
routes: { acme/fast: { targets: [lab-small], price: { input_per_1m: 10, output_per_1m: 20 } } }
system: { targets: [lab-small] }
products: { helpdesk: { name: Helpdesk } }
`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

/** Of the fake vendor's answer: 9 tokens in and 8 out, in dollars at the vendor's price, and at the route's. */
const VENDORS = (9 * 1000 + 8 * 2000) / 1e9;
const CHARGED = VENDORS * 10;

const CODEX = 'codex_cli_rs/0.169.0 (Debian 12; x86_64)';

/** Who calls what, and what its record says: one of each source. */
const CALLS = [
  { made: [], model: 'acme/fast', agent: '', source: 'api_key', product: null, tool: null, cost: CHARGED },
  {
    made: ['--product', 'helpdesk'],
    model: 'system',
    agent: CODEX,
    source: 'product',
    product: 'helpdesk',
    tool: null,
    cost: VENDORS,
  },
  {
    made: ['--source', 'developer_tool'],
    model: 'acme/fast',
    agent: CODEX,
    source: 'developer_tool',
    product: null,
    tool: { name: 'codex', version: '0.169.0' },
    cost: CHARGED,
  },
] as const;

for (const { made, model, agent, source, product, tool, cost } of CALLS) {
  test(`a call of source ${source} shows up as that, with both amounts`, async () => {
    const { id, key } = await headgate.createKey(...made);
    const response = await fetch(`${headgate.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    assert.equal(response.status, 200, await response.text());
    const filters = [
      { source },
      { api_key_id: id },
      ...(product === null ? [] : [{ product }]),
      ...(tool === null ? [] : [{ tool: tool.name }]),
    ];
    for (const filter of filters) {
      const { data } = await headgate.usage(filter);
      assert.equal(data.length, 1, JSON.stringify(filter));
      const [record] = data;
      assert.deepEqual(
        [record!.source, record!.product, record!.tool, record!.model, record!.api_key_id],
        [source, product, tool, model, id],
      );
      assert.deepEqual([record!.cost_usd, record!.vendor_cost_usd], [cost, VENDORS]);
    }
  });
}
