import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Intent, Settlement, Source } from '../../src/core/records.ts';
import { usageOf } from '../../src/core/usage.ts';
import { createIds } from '../../src/http/ids.ts';
import { openStorage } from '../../src/store/open.ts';

const BATCH = 500;
/** The number of days with calls. */
export const DAYS = 30;
const DAY_MS = 86_400_000;

/** The key and the model of a numbered call. A key is a number, or the id of an existing one. */
export type Caller = { key: number | string; kind: number; model: string };

/** Sixty keys with one model each. */
const FEW = (number: number): Caller => ({
  key: number % 60,
  kind: number % 10,
  model: number % 10_000 === 7 ? 'model-rare' : `model-${(number * 7) % 20}`,
});

/** Two hundred keys with four models each; some call far more than others. */
export function manyCallers(number: number): Caller & { key: number } {
  const part = (factor: number) => (Math.imul(number + 1, factor) >>> 0) / 2 ** 32;
  const key = Math.floor(200 * part(2_654_435_761) ** 2);
  return { key, kind: key % 10, model: `model-${(key * 7 + 3 * Math.floor(4 * part(2_246_822_519) ** 2)) % 20}` };
}

/**
 * Fills a store that was started once with calls of 30 days, through the journal's normal way into the tables, if it
 * has none yet. Some models are rare, one key in ten is a product's, two are developer tools', one call in a hundred
 * failed and one in 50,000 was interrupted.
 */
export async function fillStore(
  data: string,
  records: number,
  callerOf: (number: number) => Caller = FEW,
  { days = DAYS, organizationId }: { days?: number; organizationId?: string } = {},
): Promise<void> {
  const storage = await openStorage({ folder: data, instanceId: 'instance_fill', durability: 'normal' });
  const ids = createIds();
  const of = organizationId ?? (await storage.organizations.list())[0]!.id;
  const page = await storage.usage.list({ organizationId: null, limit: 1, model: 'model-0' });
  const from = Date.now() - days * DAY_MS;
  const startedAt = performance.now();
  for (let number = 0; page?.records.length === 0 && number < records; number += BATCH) {
    const intents = Array.from({ length: BATCH }, (_, index) => {
      const at = Math.floor(from + ((number + index) / records) * (days * DAY_MS - 60_000));
      return intentOf(number + index, callerOf(number + index), {
        id: ids.recordId(at),
        at,
        organizationId: of,
      });
    });
    await Promise.all(intents.map((intent) => storage.ledger.intend(intent)));
    await Promise.all(intents.map((intent, index) => storage.ledger.settle(settlementOf(intent, number + index))));
    if (number % (20 * BATCH) === 0) await storage.check();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await storage.close();
  const megabytes = statSync(join(data, 'headgate.db')).size / 1024 ** 2;
  console.log(`${records} records in ${seconds.toFixed(0)} s, ${megabytes.toFixed(0)} MB`);
}

function intentOf(
  number: number,
  { key, kind, model }: Caller,
  { id, at: createdAt, organizationId }: { id: string; at: number; organizationId: string },
): Intent {
  const source: Source = kind === 0 ? 'product' : kind < 3 ? 'developer_tool' : 'api_key';
  return {
    id,
    requestId: `req_${createdAt.toString(16).padStart(12, '0')}${String(number).padStart(20, '0')}`,
    clientRequestId: null,
    organizationId,
    keyId: typeof key === 'string' ? key : `key_${String(key).padStart(26, '0')}`,
    source,
    product: source === 'product' ? `product-${((number / 10) % 4) | 0}` : null,
    tool: source === 'developer_tool' ? { name: kind === 1 ? 'codex' : 'claude-code', version: '1.0' } : null,
    dialect: 'openai-chat',
    model,
    requestedModel: number % 3 === 0 ? `bench/${model}` : model,
    route: null,
    provider: 'bench',
    upstreamModel: model,
    streamed: number % 2 === 0,
    createdAt,
    estimatedInputTokens: 12,
    price: null,
    held: null,
    budgets: '',
  };
}

function settlementOf(
  { id, organizationId, keyId, createdAt, provider, upstreamModel }: Intent,
  number: number,
): Settlement {
  const status = number % 50_000 === 11 ? 'interrupted' : number % 100 === 13 ? 'failed' : 'succeeded';
  return {
    id,
    organizationId,
    keyId,
    createdAt,
    status,
    httpStatus: status === 'succeeded' ? 200 : 502,
    errorKind: status === 'succeeded' ? null : 'upstream_error',
    usage: usageOf({ inputTokens: 1_200, outputTokens: 100 }),
    usageSource: 'provider',
    lineItems: [
      { component: 'input', quantity: 1_200, rate: 150_000n, amount: 180_000n },
      { component: 'output', quantity: 100, rate: 600_000n, amount: 60_000n },
    ],
    cost: 240_000n,
    counted: 240_000n,
    reported: null,
    settledAt: createdAt + 900,
    timeToFirstTokenMs: 300,
    attempts: [
      {
        provider,
        upstreamModel,
        credential: 'default',
        status: 'succeeded',
        httpStatus: 200,
        errorKind: null,
        upstreamRequestId: `their_${id}`,
        startedAt: createdAt,
        endedAt: createdAt + 900,
        usageSource: 'provider',
        possiblyBilled: false,
        errorCode: null,
      },
    ],
    dropped: [],
    routed: null,
  };
}
