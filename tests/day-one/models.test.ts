import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { served } from '../config/ask.ts';
import { DIALECTS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';
import { clientsAt } from '../translation/clients.ts';
import {
  BASE,
  COSTS,
  configOf,
  DATED,
  DATED_AT,
  ENV,
  entryOf,
  heard,
  lastRecord,
  SHUT_DOWN,
  SHUT_DOWN_ON,
  startVendor,
  TEXT,
  UNKNOWN,
  usageOf,
} from './lab.ts';

/** What the vendor is spoken to in: all that it has, so that responses pass; or chat alone, so that two surfaces are translated. */
for (const dialects of [[], ['openai-chat']]) {
  describe(`a vendor that speaks ${dialects.join() || 'all of its dialects'}`, async () => {
    const vendor = await startVendor();
    const headgate = await startHeadgate({ config: configOf(vendor.url, dialects), env: ENV });
    after(async () => {
      await headgate[Symbol.asyncDispose]();
      await vendor.close();
    });
    await heard(headgate);
    const clients = clientsAt(headgate.url, headgate.key);

    for (const model of [UNKNOWN, DATED, DATED_AT, SHUT_DOWN])
      for (const surface of DIALECTS)
        for (const streamed of [false, true])
          test(`${model} is called and billed on ${surface}, ${streamed ? 'streamed' : 'whole'}`, async () => {
            const usage = usageOf(model);
            for (const name of [model, `openai/${model}`]) {
              const said = await clients[surface](name, streamed);
              assert.deepEqual([said.text, said.usage], [TEXT, usage], name);
              assert.equal(vendor.requests.at(-1)?.model, model, 'the vendor gets its own name');
              const record = await lastRecord(headgate);
              assert.deepEqual([record.requested_model, record.model, record.upstream_model], [name, model, model]);
              assert.deepEqual([record.provider, record.status, record.streamed], ['openai', 'succeeded', streamed]);
              const tokens = [record.input_tokens, record.cached_tokens, record.output_tokens, record.usage_source];
              assert.deepEqual(tokens, [usage.input, usage.cached, usage.output, 'provider']);
              assert.deepEqual([record.cost_usd, record.vendor_cost_usd], [COSTS[model], COSTS[model]]);
              const isDated = model === DATED || model === DATED_AT;
              assert.equal(record.price_inferred_from, isDated ? BASE : null);
              assert.deepEqual(record.unpriced, model === UNKNOWN ? ['input', 'cache_read', 'output'] : []);
            }
          });

    test('what can be called is listed, but for what was shut down; the catalog tells what is known of each', async () => {
      const names = await served(headgate);
      for (const model of [UNKNOWN, DATED, DATED_AT]) assert.ok(names.includes(`openai:${model}`), model);
      assert.ok(!names.includes(`openai:${SHUT_DOWN}`));
      const base = await entryOf(headgate, BASE);
      for (const model of [UNKNOWN, DATED, DATED_AT, SHUT_DOWN]) {
        const entry = await entryOf(headgate, model);
        const inferred = model === DATED || model === DATED_AT ? BASE : null;
        assert.deepEqual(
          [entry?.listed_by, entry?.inferred_from, entry?.pricing.inferred_from ?? null, entry?.shut_down_at],
          [model === SHUT_DOWN ? null : 'vendor', inferred, inferred, model === SHUT_DOWN ? SHUT_DOWN_ON : null],
          model,
        );
        const price = { [UNKNOWN]: null, [SHUT_DOWN]: 30 }[model];
        assert.equal(entry?.pricing.input_per_1m, price === undefined ? base?.pricing.input_per_1m : price);
      }
    });
  });
}
