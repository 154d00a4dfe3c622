import { type Kysely, sql } from 'kysely';
import { atLeast, bill, countedCost, PRODUCT_PRICE, type Price } from '../core/money.ts';
import type { Storage } from '../core/ports.ts';
import { DEFAULT_CREDENTIAL } from '../core/provider.ts';
import type { AttemptRecord, Routed, Settlement } from '../core/records.ts';
import { usageOf } from '../core/usage.ts';
import { readPrice } from './price-json.ts';
import type { Schema } from './schema.ts';

/** How many calls are settled at a time. */
const BATCH = 500;

/**
 * Recovers all other instances that left something, for the owner of the data, which alone knows that they are dead. Resolves with
 * the number of open calls.
 */
export async function recoverOthers(
  storage: Pick<Storage, 'instances' | 'recover' | 'forget'>,
  now: number,
): Promise<number> {
  let recovered = 0;
  for (const instanceId of await storage.instances()) {
    recovered += await storage.recover(instanceId, now);
    await storage.forget(instanceId);
  }
  return recovered;
}

/**
 * Settles as `interrupted` what a dead instance left open, at the price kept with each call: the prompt's estimate was
 * sent, so it is billed. Nothing is known of the answer, so what was held for the call counts against its limits. Tells
 * how many.
 */
export async function recoverCalls(
  db: Kysely<Schema>,
  settle: (settlements: readonly Settlement[]) => Promise<void>,
  instanceId: string,
  now: number,
): Promise<number> {
  for (let recovered = 0; ; ) {
    const calls = await abandoned(db, instanceId);
    await settle(calls.map((call) => interruption(call, now)));
    recovered += calls.length;
    if (calls.length < BATCH) return recovered;
  }
}

type Abandoned = Awaited<ReturnType<typeof abandoned>>[number];

function abandoned(db: Kysely<Schema>, instanceId: string) {
  return db
    .selectFrom('calls')
    .leftJoin('price_versions', 'price_versions.id', 'calls.price_version')
    .selectAll('calls')
    .select(['rates', 'tiers', 'price_versions.source as price_source', 'price_versions.date as price_date'])
    .where('status', '=', sql.lit('open')) // Not a parameter: SQLite could not use the index of open calls.
    .where('instance_id', '=', instanceId)
    .limit(BATCH)
    .execute();
}

function interruption(call: Abandoned, now: number): Settlement {
  const usage = usageOf({ inputTokens: Number(call.estimated_input_tokens) });
  const price = priceOf(call);
  const charged = bill(price, usage);
  const held = call.held_nano;
  const createdAt = Number(call.created_at);
  // The clock may have been set back since.
  const endedAt = Math.max(createdAt, now);
  const status = 'interrupted';
  const usageSource = 'estimated';
  const attempt: AttemptRecord = {
    provider: call.provider,
    upstreamModel: call.upstream_model,
    credential: DEFAULT_CREDENTIAL,
    status,
    httpStatus: null,
    errorKind: null,
    errorCode: null,
    upstreamRequestId: null,
    startedAt: createdAt,
    endedAt,
    usageSource,
    possiblyBilled: true,
  };
  return {
    id: call.id,
    organizationId: call.organization_id,
    keyId: call.key_id,
    createdAt,
    status,
    httpStatus: 500,
    errorKind: null,
    usage,
    usageSource,
    lineItems: charged.items,
    cost: charged.total,
    counted: atLeast(countedCost(charged, held), held ?? 0n),
    reported: null,
    settledAt: endedAt,
    timeToFirstTokenMs: null,
    attempts: [attempt],
    dropped: [],
    routed: price?.source.startsWith(PRODUCT_PRICE) === true ? ofProduct(call, price) : null,
  };
}

/** What the vendor charges stands nowhere, and neither does who was asked in the end. */
function ofProduct({ provider, upstream_model: upstreamModel }: Abandoned, price: Price): Routed {
  return { provider, upstreamModel, price, vendorCost: null, decision: null };
}

function priceOf({ rates, tiers, price_source: source, price_date: date }: Abandoned): Price | null {
  if (rates === null || tiers === null || source === null || date === null) return null;
  return readPrice({ rates, tiers, source, date });
}
