import type { ErrorKind } from './errors.ts';
import type { LineItem, NanoDollars, Price, PriceComponent } from './money.ts';
import type { Decision } from './route.ts';
import type { KeySettings } from './settings.ts';
import type { Usage, UsageSource } from './usage.ts';

/** Where usage comes from; a property of the key. */
export const SOURCES = ['api_key', 'product', 'developer_tool', 'console'] as const;
/** Those of keys that people make; a key of the console is made by the console's first call. */
export const KEY_SOURCES = ['api_key', 'product', 'developer_tool'] as const;
export type Source = (typeof SOURCES)[number];

/** `interrupted`: the process died while the call was open, and a later start closed its record. */
export const CALL_STATUSES = ['succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export type CallingTool = { name: string; version: string | null };

/** What is written before a byte goes upstream. `provider`, `upstreamModel` and `price` are of the target that is tried first. Times are Unix milliseconds. */
export type Intent = {
  /** The usage record's id; sorts by time. */
  id: string;
  requestId: string;
  /** The caller's own `x-request-id`, if it sent a valid one. */
  clientRequestId: string | null;
  organizationId: string;
  keyId: string;
  source: Source;
  /** The operator's product that calls; `null` for every other source. */
  product: string | null;
  /** The developer tool that calls, as it names itself; `null` for every other source. */
  tool: CallingTool | null;
  dialect: string;
  /** The name in the catalog, and the name the caller sent. */
  model: string;
  requestedModel: string;
  /** The route that decides who serves the call; `null` where it names a vendor's model. */
  route: string | null;
  provider: string;
  upstreamModel: string;
  streamed: boolean;
  createdAt: number;
  /** Estimated tokens of the prompt, for recovery after a crash. */
  estimatedInputTokens: number;
  price: Price | null;
  /**
   * The cost it may have, held against the limits of its key and its budgets; `null` where there is none. Of a call that names
   * no maximum of output: the least that had to be left for it.
   */
  held: NanoDollars | null;
  /** The ids of the budgets that it is held against (`CallBudgets.ids`): its settlement adds what it counted to each. */
  budgets: string;
};

/** One try at one target. */
export type AttemptRecord = {
  provider: string;
  upstreamModel: string;
  /** Of the provider's credentials. */
  credential: string;
  status: CallStatus;
  /** What the provider answered, if it got that far. */
  httpStatus: number | null;
  errorKind: ErrorKind | null;
  /** What the provider calls the error for programs (`error.details.error_code`); `null` where it says nothing. */
  errorCode: string | null;
  upstreamRequestId: string | null;
  startedAt: number;
  endedAt: number;
  usageSource: UsageSource;
  /** It failed, and the vendor may have charged for it all the same. */
  possiblyBilled: boolean;
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
  /** What it takes of the limits of its key and product: one number for memory and store. See `countedCost`. */
  counted: NanoDollars;
  /** The budgets that it counts to, where they are not those of the intent: some hold for models that did not serve. */
  budgets?: string;
  /** What the vendor reported, where that was not believed and `usage` was counted instead. */
  reported: Usage | null;
  settledAt: number;
  timeToFirstTokenMs: number | null;
  attempts: readonly AttemptRecord[];
  /** What translation could not carry of the call and its answer (`core/losses.ts`). */
  dropped: readonly string[];
  /** Where that is not what the intent says: another target came to serve, or the caller is charged another price. */
  routed: Routed | null;
};

/** A settled call, with what its intent said of it and a log tells. */
export type EndedCall = {
  requestId: string;
  /** `null` where no key has the settlement's id. */
  keyName: string | null;
  model: string;
  /** Who served it last. */
  provider: string;
  upstreamModel: string;
  settlement: Settlement;
};

/** What a route made of a call. */
export type Routed = {
  /** Who served it last, and the price that the caller was charged by. */
  provider: string;
  upstreamModel: string;
  price: Price | null;
  /** What the vendors charged, all attempts together; `null` where that cannot be told. */
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
  /** The route that decided who serves it; `null` for a call that named a vendor's model. */
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
  /** What the caller is charged, and what the vendors charged. */
  cost: NanoDollars | null;
  vendorCost: NanoDollars | null;
  /** What it took of the limits of its key and product. */
  counted: NanoDollars;
  /** What the vendor reported, where that was not believed. */
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
  /** Only what keys of this project have used. */
  projectId?: string;
  status?: CallStatus;
  /** Unix ms: from the first, inclusive, to the second, exclusive. */
  from?: number;
  until?: number;
  limit: number;
  after?: string;
};

/** A settled call and the decision it followed. */
export type DecidedCall = { record: UsageRecord; decision: Decision };

/** One settled call with all that was kept of it. */
export type UsageDetail = {
  record: UsageRecord;
  /** Of the key that called; `null` where it is kept no more. */
  keyName: string | null;
  /** What its cost is the sum of; where that is not known, of what has a price. */
  lineItems: readonly LineItem[];
  /** Whether it was billed by the price of its route, and not by that of who served it. */
  isRoutePrice: boolean;
  /** The vendor's name of the model whose price it was billed by, where that was taken for a dated name of it. */
  priceInferredFrom: string | null;
  /** What was used and is not covered by the price it was billed by: why its cost is not known. */
  unpriced: readonly PriceComponent[];
  attempts: readonly AttemptRecord[];
  decision: Decision | null;
};

/** A page, newest first. `null` stands for an `after` that is not a record of this organization. */
export type UsagePage = { records: UsageRecord[]; keyNames: KeyNames; hasMore: boolean } | null;

/** Names of keys by their ids. */
export type KeyNames = Readonly<Record<string, string>>;

export type Organization = { id: string; name: string; createdAt: number };

/** What a limit of spending is for: all time, or each UTC day, week (from Monday on) or month. */
export const SPEND_PERIODS = ['life', 'day', 'week', 'month'] as const;
export type SpendLimit = { amount: NanoDollars; per: (typeof SPEND_PERIODS)[number] };

/** Keys that belong together: those of a product, of a project, or of an organization. */
export const KEY_GROUPS = ['product', 'project', 'organization'] as const;
export type KeyGroup = { of: (typeof KEY_GROUPS)[number]; id: string };

/** What stands in the place of a key's id where a limit is a group's: it has spent what all of its keys have. */
export function budgetId({ of, id }: KeyGroup): string {
  return `${of}:${id}`;
}

/** The group whose budget an id names; `null` for any other id, such as a key's. */
export function budgetOwner(id: string): KeyGroup | null {
  const of = KEY_GROUPS.find((group) => id.startsWith(`${group}:`));
  return of === undefined ? null : { of, id: id.slice(of.length + 1) };
}

/** Whose usage records a key reads: its organization's, its project's, or its own alone. The widest comes first. */
export const USAGE_SCOPES = ['organization', 'project', 'own'] as const;
export type UsageScope = (typeof USAGE_SCOPES)[number];

/** The narrower of two scopes of usage. */
export function narrowerScope(one: UsageScope, other: UsageScope): UsageScope {
  return USAGE_SCOPES.indexOf(one) > USAGE_SCOPES.indexOf(other) ? one : other;
}

/** Whose calls may be read: of these keys alone. Where nothing is named, those of the whole organization. */
export type CallsOf = { keyId?: string; projectId?: string };

/** Models' keys call models; those of administration make and change settings, and call none. */
export const KEY_ACCESS = ['models', 'administration'] as const;
export type KeyAccess = (typeof KEY_ACCESS)[number];

/** Whose key it is: a person's, or a service account's. */
export type KeyOwner = { type: 'user' | 'service_account'; id: string };

/** Who has made a key: a person, themselves or by a key of theirs; the holder of a key that is nobody's; or a command. */
export type KeyMaker = { type: 'user' | 'api_key'; id: string } | { type: 'operator' };

/** An API key as the store keeps it: never the secret itself. */
export type ApiKey = {
  id: string;
  organizationId: string;
  /** `null` for a key of administration. */
  projectId: string | null;
  /** `null` for a key that nobody's name stands on: those of the command. */
  owner: KeyOwner | null;
  /** `null`: unknown, since keys of before did not say. */
  createdBy: KeyMaker | null;
  access: KeyAccess;
  /** What it may be used for, as OpenAI says it; none: everything. */
  scopes: readonly string[];
  /** From where it may be used, as addresses and ranges in CIDR; `null`: from anywhere. */
  ipRanges: readonly string[] | null;
  /** What its project and organization say of its calls: where it was looked up for a call. */
  inForce?: KeySettings;
  name: string;
  source: Source;
  /** The operator's product it belongs to; `null` for every other source. */
  product: string | null;
  /**
   * May see what only those who run the gateway may: the system route, and how vendors do; and change settings, as a key of
   * administration may.
   */
  admin: boolean;
  /** Whose usage records it reads. */
  usage: UsageScope;
  /** First and last characters, so that a person can tell keys apart. */
  hint: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Since when it is off; `null` where it is on. */
  disabledAt: number | null;
  /** `null`: every model. */
  allowedModels: readonly string[] | null;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  spendLimit: SpendLimit | null;
  /** Grows with each change of it. */
  version: number;
};

/** Who comes without a key is taken for one like this, with a name of their own: it calls models, limits nothing and ends never. */
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

/** What can be changed of a key. What is left out stays as it is. */
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

/** What a key's calls took of its limits, in all and in the UTC day that was asked for, its week and its month, and when the last began (Unix ms). */
export type KeyUse = {
  keyId: string;
  inAll: NanoDollars;
  inDay: NanoDollars;
  inWeek: NanoDollars;
  inMonth: NanoDollars;
  lastUsedAt: number | null;
};
