import type { Price } from '../../core/money.ts';
import { DEFAULT_CREDENTIAL } from '../../core/provider.ts';
import type { Attempt, Intent, Settlement } from '../../core/records.ts';
import type { Usage } from '../../core/usage.ts';
import {
  type LineItemJson,
  type PriceJson,
  readLineItems,
  readPrice,
  writeLineItems,
  writeRates,
  writeTiers,
} from '../price-json.ts';
import { type NamedRecordJson, readNamedRecord } from './named-records.ts';

/**
 * What a journal holds: the beginning of a call, or its end. A price that the tables have already is told by the id of
 * its version; then the intent itself has none.
 */
export type JournalRecord = { intent: Intent; priceVersion: string | null } | { settlement: Settlement };

/**
 * A record on one line: a JSON array, whose first element tells which of the two it is, with the members in this order.
 * Money is a string. What one version wrote, all later ones must read.
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
];
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
];
type UsageJson = [
  input: number,
  cacheRead: number,
  cacheWrite: number,
  cacheWrite1h: number,
  output: number,
  reasoning: number,
  audioInput: number,
  audioOutput: number,
  serviceTier: string | null,
];
type AttemptJson = [
  provider: string,
  upstreamModel: string,
  status: Attempt['status'],
  httpStatus: number | null,
  errorKind: Attempt['errorKind'],
  upstreamRequestId: string | null,
  startedAt: number,
  endedAt: number,
  usageSource: Attempt['usageSource'],
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
    priceVersion ?? (intent.price === null ? null : jsonOfPrice(intent.price)),
  ];
  return JSON.stringify(json);
}

export function writeSettlement(settlement: Settlement): string {
  const { usage, cost } = settlement;
  const json: SettlementJson = [
    's',
    settlement.id,
    settlement.organizationId,
    settlement.keyId,
    settlement.createdAt,
    settlement.status,
    settlement.httpStatus,
    settlement.errorKind,
    [
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.cacheWrite1hTokens,
      usage.outputTokens,
      usage.reasoningTokens,
      usage.audioInputTokens,
      usage.audioOutputTokens,
      usage.serviceTier ?? null,
    ],
    settlement.usageSource,
    writeLineItems(settlement.lineItems),
    cost === null ? null : cost.toString(),
    settlement.settledAt,
    settlement.timeToFirstTokenMs,
    settlement.attempts.map(jsonOfAttempt),
    settlement.dropped,
  ];
  return JSON.stringify(json);
}

/** Reads back the records of a JSON array. */
export function readRecords(json: string): JournalRecord[] {
  return (JSON.parse(json) as (IntentJson | SettlementJson | NamedRecordJson)[]).map((record) => {
    if (!Array.isArray(record)) return readNamedRecord(record);
    return record[0] === 'i' ? readIntent(record) : { settlement: readSettlement(record) };
  });
}

function readIntent(json: IntentJson): JournalRecord {
  const [, id, requestId, clientRequestId, organizationId, keyId, source, dialect, model, ...rest] = json;
  const [requestedModel, provider, upstreamModel, streamed, createdAt, estimatedInputTokens, price] = rest;
  const intent: Intent = {
    id,
    requestId,
    clientRequestId,
    organizationId,
    keyId,
    source,
    product: null,
    tool: null,
    dialect,
    model,
    requestedModel,
    provider,
    upstreamModel,
    streamed: streamed === 1,
    createdAt,
    estimatedInputTokens,
    price: price === null || typeof price === 'string' ? null : readPrice(price),
  };
  return { intent, priceVersion: typeof price === 'string' ? price : null };
}

function readSettlement(json: SettlementJson): Settlement {
  const [, id, organizationId, keyId, createdAt, status, httpStatus, errorKind, usage, usageSource, ...rest] = json;
  const [lineItems, cost, settledAt, timeToFirstTokenMs, attempts, dropped] = rest;
  return {
    id,
    organizationId,
    keyId,
    createdAt,
    status,
    httpStatus,
    errorKind,
    usage: readUsage(usage),
    usageSource,
    lineItems: readLineItems(lineItems),
    cost: cost === null ? null : BigInt(cost),
    settledAt,
    timeToFirstTokenMs,
    attempts: attempts.map(readAttempt),
    dropped,
    routed: null,
  };
}

function jsonOfPrice(price: Price): PriceJson {
  let json = jsonOfPrices.get(price);
  if (json === undefined) {
    const { rates, tiers, source, date } = price;
    json = { rates: writeRates(rates), tiers: writeTiers(tiers), source, date };
    jsonOfPrices.set(price, json);
  }
  return json;
}

function jsonOfAttempt(attempt: Attempt): AttemptJson {
  return [
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
}

function readUsage(json: UsageJson): Usage {
  const [inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens, ...rest] = json;
  const [reasoningTokens, audioInputTokens, audioOutputTokens, serviceTier] = rest;
  return {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    outputTokens,
    reasoningTokens,
    audioInputTokens,
    audioOutputTokens,
    ...(serviceTier === null ? {} : { serviceTier }),
  };
}

function readAttempt(json: AttemptJson): Attempt {
  const [provider, upstreamModel, status, httpStatus, errorKind, upstreamRequestId, ...rest] = json;
  const [startedAt, endedAt, usageSource] = rest;
  return {
    provider,
    upstreamModel,
    credential: DEFAULT_CREDENTIAL,
    status,
    httpStatus,
    errorKind,
    upstreamRequestId,
    startedAt,
    endedAt,
    usageSource,
    possiblyBilled: false,
  };
}
