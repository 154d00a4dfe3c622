import { joinLosses } from '../../core/losses.ts';
import { countedCost, type Price } from '../../core/money.ts';
import { DEFAULT_CREDENTIAL } from '../../core/provider.ts';
import type { AttemptRecord, Intent, Routed, Settlement } from '../../core/records.ts';
import type { Decision } from '../../core/route.ts';
import {
  type LineItemJson,
  type PriceJson,
  readLineItems,
  readPrice,
  writeLineItems,
  writeRates,
  writeTiers,
} from '../price-json.ts';
import { readUsage, type UsageJson, writeUsage } from '../usage-json.ts';

/**
 * What a journal holds: the beginning of a call, or its end. A price that the tables have already is told by the id of
 * its version; then the intent itself, or what a route made of the call, has none.
 */
export type JournalRecord =
  | { intent: Intent; priceVersion: string | null }
  | { settlement: Settlement; priceVersion: string | null };

/**
 * A record on one line: a JSON array, whose first element tells which of the two it is, with the members in this order.
 * Money is a string. What one version wrote, all later ones must read. What a plain call does not have to
 * tell stands at the end, or not at all.
 *
 * /!\ Hot path: two of these are made, checked and written for each call. Names would be more than half of the bytes.
 */
type IntentJson = [
  tag: 'i',
  id: string,
  requestId: string,
  clientRequestId: string | null,
  organizationId: string,
  keyId: string,
  source: Intent['source'],
  dialect: string,
  model: string,
  requestedModel: string,
  provider: string,
  upstreamModel: string,
  streamed: 0 | 1,
  createdAt: number,
  estimatedInputTokens: number,
  price: PriceJson | string | null,
  caller?: CallerJson | null,
  held?: string | null,
  route?: string | null,
  budgets?: string,
];
type CallerJson = [product: string | null, tool: string | null, version: string | null];
type SettlementJson = [
  tag: 's',
  id: string,
  organizationId: string,
  keyId: string,
  createdAt: number,
  status: Settlement['status'],
  httpStatus: number,
  errorKind: Settlement['errorKind'],
  usage: UsageJson,
  usageSource: Settlement['usageSource'],
  lineItems: readonly LineItemJson[],
  cost: string | null,
  settledAt: number,
  timeToFirstTokenMs: number | null,
  attempts: AttemptJson[],
  dropped: readonly string[],
  routed?: RoutedJson | null,
  counted?: string | null,
  reported?: UsageJson,
];
type RoutedJson = [
  provider: string,
  upstreamModel: string,
  price: PriceJson | string | null,
  vendorCost: string | null,
  decision: Decision | null,
];
type AttemptJson = [
  provider: string,
  upstreamModel: string,
  status: AttemptRecord['status'],
  httpStatus: number | null,
  errorKind: AttemptRecord['errorKind'],
  upstreamRequestId: string | null,
  startedAt: number,
  endedAt: number,
  usageSource: AttemptRecord['usageSource'],
  credential?: string,
  possiblyBilled?: 0 | 1,
];

/** Many calls have the same price object, and its JSON is made once. */
const jsonOfPrices = new WeakMap<Price, PriceJson>();

/** @param priceVersion the id of the price's version, where it is in the tables; else the price itself is written */
export function writeIntent(intent: Intent, priceVersion: string | null): string {
  const json: IntentJson = [
    'i',
    intent.id,
    intent.requestId,
    intent.clientRequestId,
    intent.organizationId,
    intent.keyId,
    intent.source,
    intent.dialect,
    intent.model,
    intent.requestedModel,
    intent.provider,
    intent.upstreamModel,
    intent.streamed ? 1 : 0,
    intent.createdAt,
    intent.estimatedInputTokens,
    priceVersion ?? jsonOfPrice(intent.price),
  ];
  const { product, tool, held, route, budgets } = intent;
  const isPlain = product === null && tool === null && held === null && route === null && budgets === '';
  if (isPlain) return JSON.stringify(json);
  const more = [
    product === null && tool === null ? null : [product, tool?.name ?? null, tool?.version ?? null],
    held === null ? null : held.toString(),
    route,
    budgets === '' ? null : budgets,
  ] as const;
  const told = more.findLastIndex((each) => each !== null) + 1;
  for (let index = 0; index < told; index += 1) json.push(more[index] as never);
  return JSON.stringify(json);
}

/** @param priceVersion the same for the price in `settlement.routed` */
export function writeSettlement(settlement: Settlement, priceVersion: string | null): string {
  const { cost, routed, counted, reported } = settlement;
  const json: SettlementJson = [
    's',
    settlement.id,
    settlement.organizationId,
    settlement.keyId,
    settlement.createdAt,
    settlement.status,
    settlement.httpStatus,
    settlement.errorKind,
    writeUsage(settlement.usage),
    settlement.usageSource,
    writeLineItems(settlement.lineItems),
    cost === null ? null : cost.toString(),
    settlement.settledAt,
    settlement.timeToFirstTokenMs,
    settlement.attempts.map(jsonOfAttempt),
    settlement.dropped,
  ];
  // Where it is absent it is the cost: what counts in place of an unknown one is always told.
  const toldCounted = counted === cost ? null : counted.toString();
  const isPlain = toldCounted === null && reported === null;
  if (routed !== null || !isPlain) json.push(routed === null ? null : jsonOfRouted(routed, priceVersion));
  if (!isPlain) json.push(toldCounted);
  if (reported !== null) json.push(writeUsage(reported));
  return JSON.stringify(json);
}

/** Reads back the records of a JSON array. */
export function readRecords(json: string): JournalRecord[] {
  return (JSON.parse(json) as (IntentJson | SettlementJson)[]).map((record) =>
    record[0] === 'i' ? readIntent(record) : readSettlement(record),
  );
}

function readIntent(json: IntentJson): JournalRecord {
  const [, id, requestId, clientRequestId, organizationId, keyId, source, dialect, model, ...rest] = json;
  const [requestedModel, provider, upstreamModel, streamed, createdAt, estimatedInputTokens, price, ...more] = rest;
  const [caller, held, route, budgets] = more;
  const [product, tool, version] = caller ?? [null, null, null];
  const intent: Intent = {
    id,
    requestId,
    clientRequestId,
    organizationId,
    keyId,
    source,
    product,
    tool: tool === null ? null : { name: tool, version },
    dialect,
    model,
    requestedModel,
    route: route ?? null,
    provider,
    upstreamModel,
    streamed: streamed === 1,
    createdAt,
    estimatedInputTokens,
    price: priceIn(price),
    held: held == null ? null : BigInt(held),
    budgets: budgets ?? '',
  };
  return { intent, priceVersion: versionIn(price) };
}

function readSettlement(json: SettlementJson): JournalRecord {
  const [, id, organizationId, keyId, createdAt, status, httpStatus, errorKind, usage, usageSource, ...rest] = json;
  const [lineItems, cost, settledAt, timeToFirstTokenMs, attempts, dropped, routed, counted, reported] = rest;
  const charged = { items: readLineItems(lineItems), total: cost === null ? null : BigInt(cost) };
  const settlement: Settlement = {
    id,
    organizationId,
    keyId,
    createdAt,
    status,
    httpStatus,
    errorKind,
    usage: readUsage(usage),
    usageSource,
    lineItems: charged.items,
    cost: charged.total,
    counted: counted == null ? countedCost(charged, null) : BigInt(counted),
    reported: reported === undefined ? null : readUsage(reported),
    settledAt,
    timeToFirstTokenMs,
    attempts: attempts.map(readAttempt),
    dropped: dropped.length === 0 ? dropped : joinLosses(dropped),
    routed: routed == null ? null : readRouted(routed),
  };
  return { settlement, priceVersion: routed == null ? null : versionIn(routed[2]) };
}

function readRouted([provider, upstreamModel, price, vendorCost, decision]: RoutedJson): Routed {
  return {
    provider,
    upstreamModel,
    price: priceIn(price),
    vendorCost: vendorCost === null ? null : BigInt(vendorCost),
    decision,
  };
}

function priceIn(price: PriceJson | string | null): Price | null {
  return price === null || typeof price === 'string' ? null : readPrice(price);
}

function versionIn(price: PriceJson | string | null): string | null {
  return typeof price === 'string' ? price : null;
}

function jsonOfRouted(routed: Routed, priceVersion: string | null): RoutedJson {
  const { provider, upstreamModel, price, vendorCost, decision } = routed;
  const vendors = vendorCost === null ? null : vendorCost.toString();
  return [provider, upstreamModel, priceVersion ?? jsonOfPrice(price), vendors, decision];
}

function jsonOfPrice(price: Price | null): PriceJson | null {
  if (price === null) return null;
  let json = jsonOfPrices.get(price);
  if (json === undefined) {
    const { rates, source, date } = price;
    json = { rates: writeRates(rates), tiers: writeTiers(price), source, date };
    jsonOfPrices.set(price, json);
  }
  return json;
}

function jsonOfAttempt(attempt: AttemptRecord): AttemptJson {
  const json: AttemptJson = [
    attempt.provider,
    attempt.upstreamModel,
    attempt.status,
    attempt.httpStatus,
    attempt.errorKind,
    attempt.upstreamRequestId,
    attempt.startedAt,
    attempt.endedAt,
    attempt.usageSource,
  ];
  const { credential, possiblyBilled } = attempt;
  if (credential !== DEFAULT_CREDENTIAL || possiblyBilled) json.push(credential, possiblyBilled ? 1 : 0);
  return json;
}

function readAttempt(json: AttemptJson): AttemptRecord {
  const [provider, upstreamModel, status, httpStatus, errorKind, upstreamRequestId, ...rest] = json;
  const [startedAt, endedAt, usageSource, credential, possiblyBilled] = rest;
  return {
    provider,
    upstreamModel,
    credential: credential ?? DEFAULT_CREDENTIAL,
    status,
    httpStatus,
    errorKind,
    upstreamRequestId,
    startedAt,
    endedAt,
    usageSource,
    possiblyBilled: possiblyBilled === 1,
  };
}
