import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PERMISSIONS } from '../src/core/permissions.ts';
import { createIds } from '../src/http/ids.ts';
import { loadPepper } from '../src/keys/pepper.ts';
import type { Administration } from '../src/organization/administration.ts';
import { createProjectKey } from '../src/organization/api-keys/service.ts';
import { createBudget } from '../src/organization/budgets/service.ts';
import { createProject } from '../src/organization/projects/service.ts';
import { openStorage } from '../src/store/open.ts';
import { startHeadgate } from '../tests/support/headgate.ts';
import { p95Beside, startLoad, startUpstream } from './helpers.ts';
import { spread } from './report/statistics.ts';
import { fillStore } from './store/fill.ts';
import { FACTS, MODEL } from './workloads.ts';

/**
 * `node bench/search-and-attention.ts [--records 1000000] [--keys 3000] [--rate 200] [--data FOLDER]`: measures attention items and
 * search over a store with many records, keys and budgets, and a catalog of 1,500 models: how long answers take during
 * calls, and how much they slow these down. A named folder is kept, and filled only if it is missing.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    keys: { type: 'string', default: '3000' },
    rate: { type: 'string', default: '200' },
    data: { type: 'string' },
  },
});
const MODELS = 1_500;
const BUDGETS = 300;
const PROJECTS = 40;
const MEASURED_MS = 5_000;
const UNREACHED = 1_000_000_000;

const home = values.data === undefined ? mkdtempSync(join(tmpdir(), 'headgate-found-')) : null;
const data = values.data ?? join(home!, 'data');
using upstream = await startUpstream();
using load = startLoad();
const models = Array.from({ length: MODELS }, (_, number) => `{ id: maker/model-${number}-instruct }`);
const config = `
providers:
  bench:
    base_url: ${upstream.url}/v1
    api_key: bench-upstream-key
    only: [{ id: ${MODEL}, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }, ${models.join(', ')}]
  # It has been shut down: what was called is added up for that.
  openai: { base_url: "${upstream.url}/v1", api_key: bench-upstream-key, only: [gpt-3.5-turbo] }
limits: { requests_per_minute: ${UNREACHED}, tokens_per_minute: ${UNREACHED} }
`;
await using gateway = await startHeadgate({ config, data });
const { key } = await gateway.createKey();
const { key: adminKey } = await gateway.createKey('--admin');
await gateway.stop();
await fillStore(data, Number(values.records));
await fillSettings();
await gateway.restart();

const route = {
  ...{ port: Number(new URL(gateway.url).port), path: FACTS.chat.path, model: MODEL },
  headers: { authorization: `Bearer ${key}` },
};
const order = {
  kind: 'open',
  workload: 'chat',
  route,
  ms: MEASURED_MS,
  connections: 16,
  perSecond: Number(values.rate),
} as const;
await p95Beside(load, order, async () => {});
const alone = await p95Beside(load, order, async () => {});
console.log(`calls alone: p95 ${alone.toFixed(1)} ms`);
for (const [name, path] of [
  ['attention', 'attention'],
  ['search, two letters', 'search?query=mo'],
  ['search, a model', 'search?query=model-1234'],
  ['search, a key', 'search?query=worker%20number%202'],
  ['search, nothing', 'search?query=zzzz'],
  ['search, keys alone', 'search?query=worker&types=api_key'],
] as const) {
  const took: number[] = [];
  let found = 0;
  const beside = await p95Beside(load, order, async () => {
    const startedAt = performance.now();
    found = await ask(`/v1/organization/${path}`);
    took.push(performance.now() - startedAt);
    await turn(20);
  });
  const { median, max } = spread(took)!;
  console.log(
    `${name.padEnd(24)} median ${median.toFixed(1)} ms, worst ${max.toFixed(1)} ms of ${took.length}; ` +
      `calls p95 ${beside.toFixed(1)} ms, ${(beside / alone).toFixed(1)} times; ${found} items`,
  );
}
await gateway.stop();
if (home !== null) rmSync(home, { recursive: true });

async function ask(path: string): Promise<number> {
  const answer = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${adminKey}` } });
  const { data: items } = (await answer.json()) as { data?: unknown[] };
  if (items === undefined) throw new Error(`${path}: ${answer.status}`);
  return items.length;
}

/** Creates keys of several projects, a tenth of which expire soon, and budgets for one key each. */
async function fillSettings(): Promise<void> {
  const storage = await openStorage({ folder: data, instanceId: 'instance_settings', durability: 'normal' });
  const [organization] = await storage.organizations.list();
  const { settings, keys, audit, webhooks } = storage;
  const admin: Administration = {
    ...{ settings, keys, audit, webhooks, pepper: loadPepper(data, null), ids: createIds(), random: randomBytes },
    clock: { now: Date.now, monotonic: () => performance.now() },
    by: {
      organizationId: organization!.id,
      actor: { type: 'operator' },
      permissions: new Set(PERMISSIONS),
      request: null,
    },
  };
  const isFilled = (await settings.count(organization!.id, 'budget')) > 0;
  const served = { find: () => undefined, products: new Map() };
  const names = { served, rules: { directory: async () => served, routes: storage.routes } };
  const projects: string[] = [];
  for (let number = 0; !isFilled && number < PROJECTS; number += 1)
    projects.push((await createProject(admin, { name: `Team number ${number}` })).id);
  for (let number = 0; !isFilled && number < Number(values.keys); number += 1) {
    const expiresAt = number % 10 === 0 ? Date.now() + (number + 1) * 300_000 : null;
    const wanted = { name: `worker number ${number}`, owner: null, expiresAt };
    const { key: made } = await createProjectKey(admin, projects[number % PROJECTS]!, wanted);
    if (number >= BUDGETS) continue;
    const holders = [{ type: 'api_key' as const, id: made.id }];
    const rest = { isHard: true, alerts: [], recipients: [], overrides: [], models: null, instead: null };
    await createBudget(
      admin,
      { name: `budget ${number}`, holders, amount: 1_000_000_000n, per: 'month', ...rest },
      names,
    );
  }
  await storage.close();
}
