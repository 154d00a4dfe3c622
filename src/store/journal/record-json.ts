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

export type SettlementRecord = Extract<JournalRecord, { settlement: Settlement }>;

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
  reported?: UsageJson | null,
  budgets?: string,
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
  errorCode?: string | null,
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
  if (isPlain) return storable(JSON.stringify(json));
  const more = [
    product === null && tool === null ? null : [product, tool?.name ?? null, tool?.version ?? null],
    held === null ? null : held.toString(),
    route,
    budgets === '' ? null : budgets,
  ] as const;
  const told = more.findLastIndex((each) => each !== null) + 1;
  for (let index = 0; index < told; index += 1) json.push(more[index] as never);
  return storable(JSON.stringify(json));
}

/** NUL, or half of a surrogate pair, as `JSON.stringify` writes them. What precedes them is whole escaped backslashes. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * JSON whose texts every engine can store: names of callers and vendors may have characters that some databases refuse or change.
 * They become U+FFFD, so that a record is the same in all.
 *
 * /!\ Hot path: a record without any escaped character is searched once, natively.
 */
export function storable(json: string): string {
  return json.includes('\\u') ? json.replace(UNSTORABLE, '$1\\ufffd') : json;
}

/** Whether a text is one that `writeSettlement` made. */
export function isSettlement(text: string): boolean {
  return text.startsWith('["s"');
}

/** @param priceVersion the same for the price in `settlement.routed` */
export function writeSettlement(settlement: Settlement, priceVersion: string | null): string {
  const { cost, routed, counted, reported, budgets } = settlement;
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
  const isPlain = toldCounted === null && reported === null && budgets === undefined;
  if (routed !== null || !isPlain) json.push(routed === null ? null : jsonOfRouted(routed, priceVersion));
  if (!isPlain) json.push(toldCounted);
  if (reported !== null) json.push(writeUsage(reported));
  if (budgets !== undefined) json.push(...(reported === null ? [null] : []), budgets);
  return storable(JSON.stringify(json));
}

/** A settlement as a journal would have kept it, for one that passes by the journals. */
export function asJournaled(settlement: Settlement): SettlementRecord {
  return readSettlement(JSON.parse(writeSettlement(settlement, null)) as SettlementJson);
}

/**
 * What many calls in a row have in common, as it stood in the record that was read last. Another record's equal text is replaced
 * by it, since a map finds a text that it has been asked for before in a fifth of the time of a new one.
 */
const commonTexts = { organizationId: '', keyId: '', model: '', requestedModel: '', provider: '', upstreamModel: '' };

function common(name: keyof typeof commonTexts, text: string): string {
  const known = commonTexts[name];
  if (known === text) return known;
  commonTexts[name] = text;
  return text;
}

const NO_CALLER: CallerJson = [null, null, null];

/** Reads back the records of a JSON array. */
export function readRecords(json: string): JournalRecord[] {
  return (JSON.parse(json) as (IntentJson | SettlementJson)[]).map((record) =>
    record[0] === 'i' ? readIntent(record) : readSettlement(record),
  );
}

function readIntent(json: IntentJson): JournalRecord {
  const price = json[15];
  const [product, tool, version] = json[16] ?? NO_CALLER;
  const held = json[17];
  const intent: Intent = {
    id: json[1],
    requestId: json[2],
    clientRequestId: json[3],
    organizationId: common('organizationId', json[4]),
    keyId: common('keyId', json[5]),
    source: json[6],
    product,
    tool: tool === null ? null : { name: tool, version },
    dialect: json[7],
    model: common('model', json[8]),
    requestedModel: common('requestedModel', json[9]),
    route: json[18] ?? null,
    provider: common('provider', json[10]),
    upstreamModel: common('upstreamModel', json[11]),
    streamed: json[12] === 1,
    createdAt: json[13],
    estimatedInputTokens: json[14],
    price: priceIn(price),
    held: held == null ? null : BigInt(held),
    budgets: json[19] ?? '',
  };
  return { intent, priceVersion: versionIn(price) };
}

function readSettlement(json: SettlementJson): SettlementRecord {
  const { 11: cost, 15: dropped, 16: routed, 17: counted, 18: reported, 19: budgets } = json;
  const charged = { items: readLineItems(json[10]), total: cost === null ? null : BigInt(cost) };
  const settlement: Settlement = {
    id: json[1],
    organizationId: common('organizationId', json[2]),
    keyId: common('keyId', json[3]),
    createdAt: json[4],
    status: json[5],
    httpStatus: json[6],
    errorKind: json[7],
    usage: readUsage(json[8]),
    usageSource: json[9],
    lineItems: charged.items,
    cost: charged.total,
    counted: counted == null ? countedCost(charged, null) : BigInt(counted),
    reported: reported == null ? null : readUsage(reported),
    ...(budgets !== undefined && { budgets }),
    settledAt: json[12],
    timeToFirstTokenMs: json[13],
    attempts: json[14].map(readAttempt),
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
  const { credential, possiblyBilled, errorCode } = attempt;
  const isPlain = credential === DEFAULT_CREDENTIAL && !possiblyBilled && errorCode === null;
  if (!isPlain) json.push(credential, possiblyBilled ? 1 : 0);
  if (errorCode !== null) json.push(errorCode);
  return json;
}

function readAttempt(json: AttemptJson): AttemptRecord {
  return {
    provider: common('provider', json[0]),
    upstreamModel: common('upstreamModel', json[1]),
    credential: json[9] ?? DEFAULT_CREDENTIAL,
    status: json[2],
    httpStatus: json[3],
    errorKind: json[4],
    errorCode: json[11] ?? null,
    upstreamRequestId: json[5],
    startedAt: json[6],
    endedAt: json[7],
    usageSource: json[8],
    possiblyBilled: json[10] === 1,
  };
}
