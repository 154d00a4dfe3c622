import type { Budget, CallBudgets } from '../src/core/budget.ts';
import type { CatalogEntry } from '../src/core/provider.ts';
import type { Intent } from '../src/core/records.ts';
import { Budgets } from '../src/limits/budgets.ts';
import { createLimiter } from '../src/limits/limiter.ts';
import { readRecords, writeIntent } from '../src/store/journal/record-json.ts';
import { plainKey } from '../src/testing/plain-key.ts';

/**
 * `node bench/budgets.ts`: measures what budgets cost a call on the thread that answers it, in CPU µs (found, reserved,
 * written into the intent, and settled), and what reading the intent costs the table thread.
 */
const CALLS = 200_000;
const ROUNDS = 9;
const OPEN_AT_ONCE = 50;
const MODEL = { entry: { id: 'm' } as CatalogEntry, sent: 'm', find: () => undefined };

const clock = { now: Date.now, monotonic: () => performance.now() };
const limiter = createLimiter({
  clock,
  spend: { spent: async () => 0n },
  defaults: () => ({ requestsPerMinute: 1e9, tokensPerMinute: 1e9 }),
});

/** Measures with this many budgets, each of which applies to every model. */
async function measure(count: number): Promise<{ call: number; read: number }> {
  const list = Array.from({ length: count }, (_, index) => budget(index));
  const budgets = new Budgets({ ofProduct: () => null, ofKey: () => list });
  const key = { ...plainKey, id: `key_${count}` };
  const request = () => ({ tokens: 100, cost: 1_000n, model: 'm', budgets: budgets.of(key, MODEL) });
  (await limiter.reserve(key, request())).settle(0, 0n);
  const open = [];
  let [bytes, intent] = [0, ''];
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) {
    const wanted = request();
    const reserved = limiter.reserve(key, wanted);
    if (reserved instanceof Promise) throw new Error('What was spent is read before.');
    intent = writeIntent(intentOf(wanted.budgets), null);
    bytes += intent.length;
    open.push(reserved);
    if (open.length > OPEN_AT_ONCE) open.shift()!.settle(90, 700n);
  }
  const call = since(before);
  for (const each of open) each.settle(90, 700n);
  const group = `[${Array.from({ length: 100 }, () => intent).join()}]`;
  const reading = process.cpuUsage();
  for (let each = 0; each < CALLS / 100; each += 1) bytes += readRecords(group).length;
  return { call: bytes > 0 ? call : 0, read: since(reading) };
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

function budget(index: number): Budget {
  const [id, name] = [`budget_${String(index).padStart(26, '0')}`, `the budget of project "${index}"`];
  return {
    id,
    name,
    amount: 10n ** 18n,
    per: 'month',
    overrides: [],
    isHard: true,
    instead: null,
    models: null,
  };
}

function intentOf({ ids }: CallBudgets): Intent {
  return {
    id: 'usage_00000000000000000000000001',
    requestId: 'req_00000000000000000000000001',
    clientRequestId: null,
    organizationId: 'org_00000000000000000000000001',
    keyId: 'key_00000000000000000000000001',
    source: 'api_key',
    product: null,
    tool: null,
    dialect: 'openai-chat',
    model: 'gpt-4o-mini',
    requestedModel: 'gpt-4o-mini',
    route: null,
    provider: 'openai',
    upstreamModel: 'gpt-4o-mini',
    streamed: false,
    createdAt: 1_795_262_400_000,
    estimatedInputTokens: 100,
    price: null,
    held: 1_000n,
    budgets: ids,
  };
}

const COUNTS = [0, 1, 10];
const rounds: { call: number; read: number }[][] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const results = [];
  for (const count of COUNTS) results.push(await measure(count));
  rounds.push(results);
}
const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1]!;
console.log(`${ROUNDS} rounds of ${CALLS} calls; µs of CPU a call, medians`);
for (const [index, count] of COUNTS.entries()) {
  const [call, read] = [rounds.map((each) => each[index]!.call), rounds.map((each) => each[index]!.read)];
  const more = rounds.map((each) => each[index]!.call - each[0]!.call);
  console.log(
    `${String(count).padStart(2)} budgets: ${median(call).toFixed(2)} on the calls' thread (${median(more).toFixed(2)} more, ` +
      `paired), ${median(read).toFixed(2)} to read the intent again`,
  );
}
