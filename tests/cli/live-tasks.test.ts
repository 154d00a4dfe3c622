import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type HeadgateOptions, type Running, runHeadgate, startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider({ models: ['lab-large'] });
const folder = await mkdtemp(join(tmpdir(), 'headgate-tasks-'));
after(async () => {
  await vendor.close();
  await rm(folder, { recursive: true });
});

const CONFIG = `
providers:
  lab: { base_url: "${vendor.url}", api_key: "\${LAB_KEY}", models: [{ id: lab-large, price: { input_per_1m: 10, output_per_1m: 20 } }] }
routes: { acme/fast: { targets: [lab-large] } }
products: { desk: { name: Desk, routes: [acme/fast] } }
`;
const SECRETS = { LAB_KEY: 'sk-of-the-other-terminal', HEADGATE_PEPPER: 'a pepper of the other terminal alone' };

const body = join(folder, 'call.json');
await writeFile(body, JSON.stringify({ messages: [{ role: 'user', content: 'hi' }] }));

/** A command in a terminal that has neither the gateway's variables nor its pepper. */
async function elsewhere({ data }: Running, ...args: string[]): Promise<Record<string, unknown>> {
  const there: HeadgateOptions = { config: CONFIG, data };
  const { code, json, stdout, stderr } = await runHeadgate([...args, '--json'], there);
  assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  return json as Record<string, unknown>;
}

async function call({ url }: Running, key: unknown, model: string): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Keys are looked at again within a second of a change. */
async function until(status: number, gateway: Running, key: unknown): Promise<void> {
  while ((await call(gateway, key, 'lab-large')) !== status);
}

for (const workers of ['1', '2']) {
  test(`keys, usage and routes are the gateway’s own, which has ${workers} process(es): its pepper, its providers`, async () => {
    await using gateway = await startHeadgate({ config: CONFIG, env: SECRETS, args: ['--workers', workers] });
    const made = await elsewhere(gateway, 'keys', 'create', '--name', 'ci', '--spend-limit', '25/month');
    assert.ok(!existsSync(join(gateway.data, 'pepper')), 'no other pepper was made');
    assert.equal(await call(gateway, made.key, 'acme/fast'), 200);

    const listed = (await elsewhere(gateway, 'usage', 'list')).data as { model: string; cost_usd: number }[];
    assert.deepEqual(
      listed.map(({ model }) => model),
      ['acme/fast'],
    );
    const summary = (await elsewhere(gateway, 'usage', 'summary', '--by', 'key')).data as Record<string, unknown>[];
    assert.equal(summary[0]?.cost_usd, listed[0]?.cost_usd);
    const shown = await elsewhere(gateway, 'usage', 'show', String((listed[0] as { id?: string }).id));
    assert.equal((shown.decision as { route: string }).route, 'acme/fast');
    const keys = (await elsewhere(gateway, 'keys', 'list')).data as { name: string; spent_usd: number }[];
    assert.equal(keys.find(({ name }) => name === 'ci')?.spent_usd, listed[0]?.cost_usd);

    const draft = join(folder, 'draft.yaml');
    await writeFile(draft, 'targets: [lab/lab-large]\n');
    const route = await elsewhere(gateway, 'routes', 'show', 'acme/fast');
    const [place] = route.places as { provider: string; input_per_1m: number; left_out: unknown }[];
    assert.deepEqual([place?.provider, place?.input_per_1m, place?.left_out], ['lab', 10, null]);
    const explained = await elsewhere(gateway, 'routes', 'explain', 'acme/fast', '--file', body);
    assert.deepEqual(
      (explained.order as { provider: string; credential: string }[]).map(({ provider, credential }) => [
        provider,
        credential,
      ]),
      [['lab', 'default']],
    );
    const replayed = await elsewhere(gateway, 'routes', 'replay', 'acme/fast', '--draft', draft);
    assert.deepEqual([replayed.calls, replayed.moved], [1, 0], 'the provider is on there, and off here');
    await elsewhere(gateway, 'routes', 'put', 'acme/other', '--file', draft);
    const routes = (await elsewhere(gateway, 'routes', 'list')).data as { id: string }[];
    assert.deepEqual(
      routes.map(({ id }) => id),
      ['acme/fast', 'acme/other'],
    );
    await elsewhere(gateway, 'routes', 'remove', 'acme/other');

    const rotated = await elsewhere(gateway, 'keys', 'rotate', 'ci', '--overlap', '0s');
    await until(200, gateway, rotated.key);
    await elsewhere(gateway, 'keys', 'edit', 'ci', '--off');
    await until(401, gateway, rotated.key);
    await elsewhere(gateway, 'keys', 'revoke', 'ci');
  });
}

test('what the gateway refuses is said as the command would say it', async () => {
  await using gateway = await startHeadgate({ config: CONFIG, env: SECRETS });
  const broken = join(folder, 'broken.yaml');
  await writeFile(broken, 'targets: [lab-large]\nstrategi: [priority]\n');
  const refused: [args: string[], code: number, words: RegExp][] = [
    [['keys', 'create', '--name', ' '], 2, /^--name must not be empty/m],
    [['keys', 'create', '--name', 'x', '--product', 'none'], 2, /^There is no product none; the products are: desk/m],
    [
      ['keys', 'create', '--name', 'x', '--organization', 'org_0'],
      1,
      /^There is no organization org_0\. Organizations: /m,
    ],
    [['keys', 'revoke', 'nobody'], 1, /^There is no API key with this id or name/m],
    [['usage', 'show', 'usage_0'], 1, /^There is no usage record with this id/m],
    [['routes', 'show', 'nothing'], 1, /^There is no route nothing\. Routes: acme\/fast\./m],
    [['routes', 'put', 'acme/x', '--file', broken], 1, /^.*broken\.yaml:2:1 strategi: is not a setting/m],
    [['routes', 'put', 'acme/fast', '--file', broken], 1, /can be changed only there/],
    [['routes', 'explain', 'nothing', '--file', body], 1, /“?nothing”?/],
    [['routes', 'explain', 'acme/fast', '--file', body, '--surface', 'smoke'], 2, /^--surface must be one of chat/],
  ];
  for (const [args, code, words] of refused) {
    const told = await runHeadgate(args, { config: CONFIG, data: gateway.data });
    assert.equal(told.code, code, `${args.join(' ')}: ${told.stderr}`);
    assert.match(told.stderr, words, args.join(' '));
  }
  assert.doesNotMatch(gateway.stderr(), /"level":50/, 'a refusal is no fault');
});
