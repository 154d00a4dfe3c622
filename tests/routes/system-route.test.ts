import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RouteLab, startRouteLab } from './lab.ts';
import { type Answered, startTraffic } from './traffic.ts';

const UNKNOWN = 'sistem';
const NO_ROUTE = 'helpdesk-only';

describe('the system route', () => {
  let lab: RouteLab;
  let keys: Record<'product' | 'other' | 'plain' | 'admin', string>;
  before(async () => {
    lab = await startRouteLab({
      config: `
system: { targets: [one-model, two-model] }
products:
  helpdesk: { name: Helpdesk }
  desk: { name: Desk, routes: [lab/two] }
aliases: { house: system }
`,
    });
    keys = {
      product: (await lab.gateway.createKey('--product', 'helpdesk')).key,
      other: (await lab.gateway.createKey('--product', 'desk')).key,
      plain: (await lab.gateway.createKey()).key,
      admin: (await lab.gateway.createKey('--admin')).key,
    };
  });
  after(() => lab[Symbol.asyncDispose]());

  async function call(key: string, model: string): Promise<Answered> {
    await using traffic = startTraffic(lab.gateway, key);
    return await traffic.call(model);
  }

  async function get(key: string, path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(`${lab.gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, text: await response.text() };
  }

  test('answers the product that it is for, and survives as any route does', async () => {
    const first = await call(keys.product, 'system');
    assert.deepEqual([first.status, first.provider], [200, 'one']);
    lab.vendors.one.plan('overloaded', { times: 1 });
    const second = await call(keys.product, 'system');
    assert.deepEqual([second.status, second.provider, second.attempts], [200, 'two', 2]);
    const [row] = (await lab.gateway.usage({ limit: '1' })).data;
    assert.deepEqual([row?.source, row?.product, row?.model], ['product', 'helpdesk', 'system']);
  });

  test('a product calls its routes, and nothing else', async () => {
    assert.equal((await call(keys.other, 'lab/two')).status, 200);
    assert.equal((await call(keys.product, 'lab/two')).status, 403);
    assert.equal((await call(keys.product, 'one-model')).status, 403);
  });

  for (const name of ['plain', 'other'] as const) {
    test(`${name} keys: the same 404 as for a model that was never there`, async () => {
      const before = lab.counts();
      const known = await call(keys[name], 'system');
      const unknown = await call(keys[name], UNKNOWN);
      assert.deepEqual([known.status, unknown.status], [404, 404]);
      assert.equal(known.body.replaceAll('`system`', '`?`'), unknown.body.replaceAll(`\`${UNKNOWN}\``, '`?`'));
      assert.doesNotMatch(known.body.replace('`system`', ''), /system/);
      const alias = await call(keys[name], 'house');
      const never = await call(keys[name], NO_ROUTE);
      assert.equal(alias.status, 404);
      assert.equal(
        withoutNear(alias.body.replace('`house`', '`?`')),
        withoutNear(never.body.replace(`\`${NO_ROUTE}\``, '`?`')),
      );
      assert.deepEqual(lab.counts(), before);
    });

    test(`${name} keys: it is in no list`, async () => {
      for (const path of ['/v1/models', '/v1/models/catalog', '/v1/models/catalog?search=system']) {
        const { status, text } = await get(keys[name], path);
        assert.equal(status, 200);
        assert.doesNotMatch(text, /system|house/, path);
      }
      const [known, unknown] = [
        await get(keys[name], '/v1/models/system'),
        await get(keys[name], `/v1/models/${UNKNOWN}`),
      ];
      assert.deepEqual([known.status, unknown.status], [404, 404]);
      assert.equal(known.text.replaceAll('system', '?'), unknown.text.replaceAll(UNKNOWN, '?'));
    });
  }

  test('its product sees it, with what it is', async () => {
    for (const key of [keys.product, keys.admin]) {
      const { text } = await get(key, '/v1/models/catalog?search=system');
      const [entry] = (JSON.parse(text) as { data: { id: string; origin: string }[] }).data;
      assert.deepEqual([entry?.id, entry?.origin], ['system', 'system_route']);
      assert.equal((await get(key, '/v1/models/system')).status, 200);
    }
  });

  test('what was decided for a route is told to administrators; others see the record without', async () => {
    const { status } = await call(keys.product, 'system');
    const [row] = (await lab.gateway.usage({ limit: '1' })).data;
    assert.equal(status, 200);
    const decisionFor = async (key: string): Promise<unknown> => {
      const detail = JSON.parse((await get(key, `/v1/usage/${row?.id}`)).text) as Record<string, unknown>;
      assert.deepEqual([detail.id, detail.model], [row?.id, 'system']);
      return detail.decision;
    };
    assert.notEqual(await decisionFor(keys.admin), null);
    for (const key of [keys.product, keys.plain, keys.other]) assert.equal(await decisionFor(key), null);
    const plain = await call(keys.plain, 'lab/two');
    assert.equal(plain.status, 200);
    const [own] = (await lab.gateway.usage({ limit: '1' })).data;
    const other = JSON.parse((await get(keys.other, `/v1/usage/${own?.id}`)).text) as Record<string, unknown>;
    assert.deepEqual([other.decision, other.provider, 'vendor_cost_usd' in other], [null, null, false]);
  });

  test('administrators see it, and may not call it', async () => {
    const before = lab.counts();
    const refused = await call(keys.admin, 'system');
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.body).error.code, 'model_not_allowed');
    assert.deepEqual(lab.counts(), before);
  });

  test('callers cannot steer a call of theirs into it', async () => {
    await using traffic = startTraffic(lab.gateway, keys.plain);
    const steered = await traffic.call('lab/two', { models: ['system'] });
    assert.equal(steered.status, 400);
    const unknown = await traffic.call('lab/two', { models: [UNKNOWN] });
    assert.equal(steered.body.replace('`system`', ''), unknown.body.replace(`\`${UNKNOWN}\``, ''));
  });
});

function withoutNear(body: string): string {
  return body.replace(/Nearest:.*?\./, '').replace(/"near":\[.*?\]/, '');
}
