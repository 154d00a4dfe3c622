import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Running, startHeadgate } from '../tests/support/headgate.ts';
import { p95Beside, startLoad, startUpstream } from './helpers.ts';
import { DAYS, fillStore } from './store/fill.ts';
import { FACTS, MODEL } from './workloads.ts';

/**
 * `node bench/usage-lists.ts [--records 1200000] [--rate 200] [--data FOLDER]`: fills a store through the journal, then
 * requests lists with each filter during calls: how long a page takes, and how much it slows the calls. A named folder
 * is kept, and filled only if it is missing.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1200000' },
    rate: { type: 'string', default: '200' },
    data: { type: 'string' },
  },
});
const RECORDS = Number(values.records);
const RATE = Number(values.rate);
const UNREACHED = 1_000_000_000;
const MEASURED_MS = 3_000;

const home = values.data === undefined ? mkdtempSync(join(tmpdir(), 'headgate-tables-')) : null;
const data = values.data ?? join(home!, 'data');
using upstream = await startUpstream();
using load = startLoad();
const config = `
providers:
  bench:
    base_url: ${upstream.url}/v1
    api_key: bench-upstream-key
    only: [{ id: ${MODEL}, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }]
limits: { requests_per_minute: ${UNREACHED}, tokens_per_minute: ${UNREACHED} }
`;
await using gateway = await startHeadgate({ config, data });
const { key } = await gateway.createKey();
await gateway.stop();
await fillStore(data, RECORDS);
await gateway.restart();

const headers = { authorization: `Bearer ${key}` };
const route = { port: Number(new URL(gateway.url).port), path: FACTS.chat.path, model: MODEL, headers };
const order = { kind: 'open', workload: 'chat', route, ms: MEASURED_MS, connections: 16, perSecond: RATE } as const;
await p95Beside(load, order, async () => {});
const alone = await p95Beside(load, order, async () => {});
console.log(`calls alone: p95 ${alone.toFixed(1)} ms`);
for (const [name, path] of await queries(gateway)) {
  const took: number[] = [];
  let answer = '';
  const beside = await p95Beside(load, order, async () => {
    const startedAt = performance.now();
    answer = await page(gateway, path);
    took.push(performance.now() - startedAt);
  });
  took.sort((a, b) => a - b);
  const [median, worst] = [took[Math.floor(took.length / 2)]!, took.at(-1)!];
  console.log(
    `${name.padEnd(56)} median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms of ${took.length}; ` +
      `calls p95 ${beside.toFixed(1)} ms, ${(beside / alone).toFixed(1)} times; ${answer}`,
  );
}
await gateway.stop();
if (home !== null) rmSync(home, { recursive: true });

/** Each filter with its first page and its last, with few results, and with none. */
async function queries(running: Running): Promise<[string, string][]> {
  const first: [string, string][] = [
    ['no filter', ''],
    ['model', 'model=model-3'],
    ['model that is rare', 'model=model-rare'],
    ['model that nobody called', 'model=none'],
    ['source=api_key', 'source=api_key'],
    ['source=product', 'source=product'],
    ['product', 'product=product-2'],
    ['tool', 'tool=codex'],
    ['key', `api_key_id=key_${'7'.padStart(26, '0')}`],
    ['a common model and a rare one’s product', 'model=model-rare&source=api_key'],
    ['two that are common, and never together', 'tool=codex&source=api_key'],
    ['status=failed', 'status=failed'],
    ['status that is rare', 'status=interrupted'],
    ['status that no call has', 'status=cancelled'],
    ['status of a model', 'status=failed&model=model-3'],
    ['all of them', `model=model-7&source=developer_tool&tool=codex&api_key_id=key_${'1'.padStart(26, '0')}`],
  ];
  const oldest = Math.floor(Date.now() / 1000 - DAYS * 86_400 + 600);
  const last = first.map(([name, query]): [string, string] => [
    `${name}, the last page`,
    `${query}&end_time=${oldest}`,
  ]);
  const { data: records } = await list(running, `/v1/usage?limit=1&end_time=${oldest}`);
  return [
    ...first.map(([name, query]): [string, string] => [name, query]),
    ...last,
    ['behind the oldest but some', `model=model-3&after=${records?.[0]?.id}`],
    ['times alone, of before', `end_time=${oldest - 3_600}`],
  ].map(([name, query]): [string, string] => [name!, `/v1/usage?limit=100&${query}`]);
}

async function page(running: Running, path: string): Promise<string> {
  const { status, data: records, has_more: hasMore } = await list(running, path);
  return `${status}, ${records?.length ?? 0} records${hasMore === true ? ', more' : ''}`;
}

type List = { status: number; data?: { id: string }[]; has_more?: boolean };

async function list(running: Running, path: string): Promise<List> {
  const response = await fetch(running.url + path, { headers });
  return { ...((await response.json()) as object), status: response.status };
}
