import type { ErrorKind } from './errors.ts';
import type { LineItem, NanoDollars, Price, PriceComponent } from './money.ts';
import type { Decision } from './route.ts';
import type { KeySettings } from './settings.ts';
import type { Usage, UsageSource } from './usage.ts';

/** The sources of usage, which are properties of keys. */
export const SOURCES = ['api_key', 'product', 'developer_tool', 'console'] as const;
/** The sources of keys that people create. The console's first call creates its key. */
export const KEY_SOURCES = ['api_key', 'product', 'developer_tool'] as const;
export type Source = (typeof SOURCES)[number];

/** `interrupted`: the process died while the call was open, and a later start closed its record. */
export const CALL_STATUSES = ['succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export type CallingTool = { name: string; version: string | null };

/**
 * The record written before anything is sent. `provider`, `upstreamModel` and `price` are of the first target. Times are
 * Unix ms.
 */
export type Intent = {
  /** The usage record's id; sorts by time. */
  id: string;
  requestId: string;
  /** The caller's own `x-request-id`, if it sent a valid one. */
  clientRequestId: string | null;
  organizationId: string;
  keyId: string;
  source: Source;
  /** The calling product; `null` for other sources. */
  product: string | null;
  /** The calling developer tool, as it names itself; `null` for other sources. */
  tool: CallingTool | null;
  dialect: string;
  /** The name in the catalog, and the name that the caller sent. */
  model: string;
  requestedModel: string;
  /** The route of the call; `null` if it names a vendor's model. */
  route: string | null;
  provider: string;
  upstreamModel: string;
  streamed: boolean;
  createdAt: number;
  /** Estimated tokens of the prompt, for recovery after a crash. */
  estimatedInputTokens: number;
  price: Price | null;
  /**
   * The possible cost, which is reserved in the limits of its key and its budgets; `null` without such limits. For a
   * call without a maximum of output tokens: the least amount that had to be left.
   */
  held: NanoDollars | null;
  /** The ids of its budgets (`CallBudgets.ids`). Its settlement adds the counted amount to each. */
  budgets: string;
};

/** One attempt at one target. */
export type AttemptRecord = {
  provider: string;
  upstreamModel: string;
  /** The name of the credential. */
  credential: string;
  status: CallStatus;
  /** The provider's status, if it answered. */
  httpStatus: number | null;
  errorKind: ErrorKind | null;
  /** The provider's error code for programs (`error.details.error_code`); `null` without one. */
  errorCode: string | null;
  upstreamRequestId: string | null;
  startedAt: number;
  endedAt: number;
  usageSource: UsageSource;
  /** True if it failed but the vendor may have charged for it. */
  possiblyBilled: boolean;
};

/** The record written at the end of a call, whatever its outcome. */
export type Settlement = {
  id: string;
  organizationId: string;
  keyId: string;
  createdAt: number;
  status: CallStatus;
  /** The status that the caller received. */
  httpStatus: number;
  errorKind: ErrorKind | null;
  usage: Usage;
  usageSource: UsageSource;
  lineItems: readonly LineItem[];
  cost: NanoDollars | null;
  /** The amount that counts against limits, the same in memory and store. See `countedCost`. */
  counted: NanoDollars;
  /** The budgets that it counts against, if they differ from the intent's because other models served. */
  budgets?: string;
  /** The vendor's report, if it was implausible and `usage` was counted instead. */
  reported: Usage | null;
  settledAt: number;
  timeToFirstTokenMs: number | null;
  attempts: readonly AttemptRecord[];
  /** What translation of the call and its answer lost (`core/losses.ts`). */
  dropped: readonly string[];
  /** Set if another target served than the intent says, or the caller is charged another price. */
  routed: Routed | null;
};

/** A settled call with the members of its intent that the log shows. */
export type EndedCall = {
  requestId: string;
  /** `null` if the key no longer exists. */
  keyName: string | null;
  model: string;
  /** The provider that was tried last. */
  provider: string;
  upstreamModel: string;
  settlement: Settlement;
};

/** The result of routing a call. */
export type Routed = {
  /** The provider that was tried last, and the price for the caller. */
  provider: string;
  upstreamModel: string;
  price: Price | null;
  /** The vendors' charges for all attempts; `null` if unknown. */
  vendorCost: NanoDollars | null;
  decision: Decision | null;
};

/** A settled call as `GET /v1/usage` shows it. */
export type UsageRecord = {
  id: string;
  requestId: string;
  clientRequestId: string | null;
  organizationId: string;
  keyId: string;
  source: Source;
  product: string | null;
  tool: CallingTool | null;
  dialect: string;
  model: string;
  requestedModel: string;
  /** The route of the call; `null` if it named a vendor's model. */
  route: string | null;
  provider: string;
  upstreamModel: string;
  streamed: boolean;
  createdAt: number;
  status: CallStatus;
  httpStatus: number;
  errorKind: string | null;
  usage: Usage;
  usageSource: UsageSource;
  /** The caller's price, and the vendors' charges. */
  cost: NanoDollars | null;
  vendorCost: NanoDollars | null;
  /** The amount that counted against limits. */
  counted: NanoDollars;
  /** The vendor's report, if it was implausible. */
  reported: Usage | null;
  latencyMs: number;
  timeToFirstTokenMs: number | null;
  attempts: number;
  dropped: readonly string[];
};

export type UsageQuery = {
  organizationId: string | null;
  model?: string;
  source?: Source;
  product?: string;
  /** A tool's name. */
  tool?: string;
  keyId?: string;
  /** Only usage of keys of this project. */
  projectId?: string;
  status?: CallStatus;
  /** Unix ms: from the first, inclusive, to the second, exclusive. */
  from?: number;
  until?: number;
  limit: number;
  after?: string;
};

/** A settled call and its routing decision. */
export type DecidedCall = { record: UsageRecord; decision: Decision };

/** A settled call with all stored details. */
export type UsageDetail = {
  record: UsageRecord;
  /** The name of the calling key; `null` if it no longer exists. */
  keyName: string | null;
  /** The items of its cost; if the cost is unknown, the items with a price. */
  lineItems: readonly LineItem[];
  /** True if it was billed at the route's price, not at the target's. */
  isRoutePrice: boolean;
  /** The undated model name whose price was inferred for it. */
  priceInferredFrom: string | null;
  /** Used components without a price, which make its cost unknown. */
  unpriced: readonly PriceComponent[];
  attempts: readonly AttemptRecord[];
  decision: Decision | null;
};

/** A page, newest first; `null` if `after` is not a record of this organization. */
export type UsagePage = { records: UsageRecord[]; keyNames: KeyNames; hasMore: boolean } | null;

/** Names of keys by their ids. */
export type KeyNames = Readonly<Record<string, string>>;

export type Organization = { id: string; name: string; createdAt: number };

/** The periods of spend limits: forever, or each UTC day, week (from Monday) or month. */
export const SPEND_PERIODS = ['life', 'day', 'week', 'month'] as const;
export type SpendLimit = { amount: NanoDollars; per: (typeof SPEND_PERIODS)[number] };

/** Groups of keys: of a product, project or organization. */
export const KEY_GROUPS = ['product', 'project', 'organization'] as const;
export type KeyGroup = { of: (typeof KEY_GROUPS)[number]; id: string };

/** The id of a group's limit, in place of a key id. Its spending is that of all keys of the group. */
export function budgetId({ of, id }: KeyGroup): string {
  return `${of}:${id}`;
}

/** The group of a group limit's id; `null` for other ids, such as a key's. */
export function budgetOwner(id: string): KeyGroup | null {
  const of = KEY_GROUPS.find((group) => id.startsWith(`${group}:`));
  return of === undefined ? null : { of, id: id.slice(of.length + 1) };
}

/** The usage records that a key may read: of its organization, its project, or its own. Widest first. */
export const USAGE_SCOPES = ['organization', 'project', 'own'] as const;
export type UsageScope = (typeof USAGE_SCOPES)[number];

/** The narrower of two scopes of usage. */
export function narrowerScope(one: UsageScope, other: UsageScope): UsageScope {
  return USAGE_SCOPES.indexOf(one) > USAGE_SCOPES.indexOf(other) ? one : other;
}

/** Restricts readable calls to a key or project; empty: the whole organization. */
export type CallsOf = { keyId?: string; projectId?: string };

/** `models` keys call models. `administration` keys manage settings and cannot call models. */
export const KEY_ACCESS = ['models', 'administration'] as const;
export type KeyAccess = (typeof KEY_ACCESS)[number];

/** The owner of a key: a person or a service account. */
export type KeyOwner = { type: 'user' | 'service_account'; id: string };

/** The creator of a key: a person (directly or with their key), a key without an owner, or a command. */
export type KeyMaker = { type: 'user' | 'api_key'; id: string } | { type: 'operator' };

/** A stored API key, without its secret. */
export type ApiKey = {
  id: string;
  organizationId: string;
  /** `null` for admin keys. */
  projectId: string | null;
  /** `null` for keys without an owner, which the command creates. */
  owner: KeyOwner | null;
  /** `null`: unknown, for keys of earlier versions. */
  createdBy: KeyMaker | null;
  access: KeyAccess;
  /** Allowed uses, in OpenAI's terms; empty: all. */
  scopes: readonly string[];
  /** Addresses and CIDR ranges that may use it; `null`: any. */
  ipRanges: readonly string[] | null;
  /** Settings of its project and organization; present if it was looked up for a call. */
  inForce?: KeySettings;
  name: string;
  source: Source;
  /** Its product; `null` for other sources. */
  product: string | null;
  /**
   * True if the key may see what otherwise only operators see (the system route, the health of vendors), and change
   * settings as an admin key does.
   */
  admin: boolean;
  /** The usage records that it may read. */
  usage: UsageScope;
  /** First and last characters, which identify the key to people. */
  hint: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** The time since which it is disabled; `null` if it is enabled. */
  disabledAt: number | null;
  /** `null`: every model. */
  allowedModels: readonly string[] | null;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  spendLimit: SpendLimit | null;
  /** Grows with each change of it. */
  version: number;
};

/**
 * What limits are counted for: a key, a signed-in person, or a rate that keys share. Limiters compare subjects: one is the
 * same object as long as its limits are the same.
 */
export type LimitSubject = Pick<
  ApiKey,
  'id' | 'projectId' | 'product' | 'requestsPerMinute' | 'tokensPerMinute' | 'spendLimit'
> & { organizationId: string | null };

/** A subject that has rates and counts against no budget. `null`: the default. */
export function rateSubject(
  id: string,
  { requestsPerMinute, tokensPerMinute }: Pick<LimitSubject, 'requestsPerMinute' | 'tokensPerMinute'>,
): LimitSubject {
  return {
    ...{ id, requestsPerMinute, tokensPerMinute },
    ...{ organizationId: null, projectId: null, product: null, spendLimit: null },
  };
}

/** The template of the key that represents a caller without one: it calls models without limits and never expires. */
export const NO_KEY: Omit<ApiKey, 'id' | 'organizationId' | 'name'> = {
  projectId: null,
  owner: null,
  createdBy: null,
  access: 'models',
  scopes: [],
  ipRanges: null,
  source: 'api_key',
  product: null,
  admin: false,
  usage: 'organization',
  hint: '',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  disabledAt: null,
  version: 1,
  allowedModels: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  spendLimit: null,
};

/** Changes to a key. Absent members stay unchanged. */
export type KeyChanges = Partial<
  Pick<
    ApiKey,
    | 'name'
    | 'expiresAt'
    | 'disabledAt'
    | 'allowedModels'
    | 'requestsPerMinute'
    | 'tokensPerMinute'
    | 'spendLimit'
    | 'scopes'
    | 'ipRanges'
    | 'admin'
    | 'usage'
  >
>;

/** A key's counted spending: total, and in the given UTC day, its week and its month; and its last call (Unix ms). */
export type KeyUse = {
  keyId: string;
  inAll: NanoDollars;
  inDay: NanoDollars;
  inWeek: NanoDollars;
  inMonth: NanoDollars;
  lastUsedAt: number | null;
};
