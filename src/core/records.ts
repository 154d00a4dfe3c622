import type { ErrorKind } from './errors.ts';
import type { LineItem, NanoDollars, Price } from './money.ts';
import type { Usage, UsageSource } from './usage.ts';

/** Where usage comes from; a property of the key. */
export const SOURCES = ['api_key', 'product', 'developer_tool'] as const;
export type Source = (typeof SOURCES)[number];

/** `interrupted`: the process died while the call was open, and a later start closed its record. */
export type CallStatus = 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

/** What is written before a byte goes upstream. Times are Unix milliseconds. */
export type Intent = {
  /** The usage record's id; sorts by time. */
  id: string;
  requestId: string;
  /** The caller's own `x-request-id`, if it sent a valid one. */
  clientRequestId: string | null;
  organizationId: string;
  keyId: string;
  source: Source;
  dialect: string;
  /** The name in the catalog, and the name the caller sent. */
  model: string;
  requestedModel: string;
  provider: string;
  upstreamModel: string;
  streamed: boolean;
  createdAt: number;
  /** Estimated tokens of the prompt, for recovery after a crash. */
  estimatedInputTokens: number;
  price: Price | null;
};

/** One try at one target. */
export type Attempt = {
  provider: string;
  upstreamModel: string;
  status: CallStatus;
  /** What the provider answered, if it got that far. */
  httpStatus: number | null;
  errorKind: ErrorKind | null;
  upstreamRequestId: string | null;
  startedAt: number;
  endedAt: number;
  usageSource: UsageSource;
};

/** What is written when the call is over, whatever happened. */
export type Settlement = {
  id: string;
  organizationId: string;
  keyId: string;
  createdAt: number;
  status: CallStatus;
  /** What the caller was answered. */
  httpStatus: number;
  errorKind: ErrorKind | null;
  usage: Usage;
  usageSource: UsageSource;
  lineItems: readonly LineItem[];
  cost: NanoDollars | null;
  settledAt: number;
  timeToFirstTokenMs: number | null;
  attempts: readonly Attempt[];
  /** What translation could not carry of the call and its answer (`core/losses.ts`). */
  dropped: readonly string[];
};

/** A settled call as `GET /v1/usage` shows it. */
export type UsageRecord = {
  id: string;
  requestId: string;
  clientRequestId: string | null;
  organizationId: string;
  keyId: string;
  source: Source;
  dialect: string;
  model: string;
  requestedModel: string;
  provider: string;
  upstreamModel: string;
  streamed: boolean;
  createdAt: number;
  status: CallStatus;
  httpStatus: number;
  errorKind: string | null;
  usage: Usage;
  usageSource: UsageSource;
  cost: NanoDollars | null;
  latencyMs: number;
  timeToFirstTokenMs: number | null;
  attempts: number;
  dropped: readonly string[];
};

export type UsageQuery = { organizationId: string | null; model?: string; limit: number; after?: string };

/** A page, newest first. `null` stands for an `after` that is not a record of this organization. */
export type UsagePage = { records: UsageRecord[]; hasMore: boolean } | null;

export type Organization = { id: string; name: string; createdAt: number };

/** A spend limit is for the key's life, or for each UTC day or month. */
export type SpendLimit = { amount: NanoDollars; per: 'life' | 'day' | 'month' };

/** An API key as the store keeps it: never the secret itself. */
export type ApiKey = {
  id: string;
  organizationId: string;
  name: string;
  source: Source;
  /** First and last characters, so that a person can tell keys apart. */
  hint: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** `null`: every model. */
  allowedModels: readonly string[] | null;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  spendLimit: SpendLimit | null;
};
