import type { Audited } from './audit.ts';
import type { CallBudgets, ThresholdStore } from './budget.ts';
import type { GatewayError } from './errors.ts';
import type { FeedbackStore } from './feedback.ts';
import type { FirstTokenReader } from './first-tokens.ts';
import type { LeaseStore } from './leases.ts';
import type { NanoDollars, Price } from './money.ts';
import type { HeldRate, OutgoingUse } from './outgoing-rates.ts';
import type { PeopleStore } from './people.ts';
import type { Provider, ServedBy, Target } from './provider.ts';
import type {
  ApiKey,
  CallsOf,
  DecidedCall,
  Intent,
  KeyChanges,
  KeyUse,
  LimitSubject,
  Organization,
  Settlement,
  UsageDetail,
  UsagePage,
  UsageQuery,
} from './records.ts';
import type { RefusedCall, RefusedStore } from './refused-calls.ts';
import type { ModelStore, RouteStore } from './route-store.ts';
import type { KeyRotation, ProjectRateLimit } from './settings.ts';
import type { AuditReader, SettingsStore } from './settings-store.ts';
import type { SettledReader } from './settled.ts';
import type { Usage } from './usage.ts';
import type { BucketReader } from './usage-buckets.ts';
import type { SummaryReader } from './usage-summary.ts';
import type { WebhookStore } from './webhooks.ts';

/**
 * Injected, so that tests control time. `now` is Unix ms; `monotonic` is a monotonic time in ms.
 */
export type Clock = { now(): number; monotonic(): number };
export type Ids = {
  requestId(): string;
  /** Random letters and digits, which follow a prefix. */
  token(): string;
  recordId(now: number): string;
  keyId(): string;
  organizationId(): string;
};

/** The caller whose key was checked. */
export type Caller = {
  key: ApiKey;
  organization: Organization;
  /** Set for the operator's commands. `readsAll`: they named no organization, so reports cover all. */
  operator?: { readsAll: boolean };
};

/** The origin of a request: the address of its socket, or the one that trusted proxies report. */
export type Peer = { readonly remoteAddress?: string | undefined };

export type KeyChecker = {
  /**
   * Finds the caller of a key. Keys in the cache are answered synchronously, without storage. Throws (or rejects with)
   * a `GatewayError`: 401 with the kind of the fault, 403 if the key may not be used from this address, 503 if storage
   * failed.
   */
  check(secret: string, peer?: Peer): Caller | Promise<Caller>;
  /** Checks an accepted caller again: answers, throws and rejects as `check` does now for the same secret. */
  again(caller: Caller, peer?: Peer): Caller | Promise<Caller>;
  /**
   * Grows whenever a change may affect who is accepted (keys, sessions, networks, roles), and whenever such a change
   * could not be read.
   */
  readonly version: number;
};

/** The admission of a request. */
export type Admission = {
  /**
   * Checks the sender again, as of now. Throws, or rejects with, the `GatewayError` that the same request would get;
   * 503 if storage failed.
   */
  again(): undefined | Promise<unknown>;
};

/**
 * The state of one key's limits, for the six `x-ratelimit-*` headers. Resets are milliseconds until the bucket is full.
 */
export type LimitState = {
  limitRequests: number;
  limitTokens: number;
  remainingRequests: number;
  remainingTokens: number;
  resetRequestsMs: number;
  resetTokensMs: number;
};

/**
 * What a call has taken from its limits. It is settled exactly once: the reservation is returned, and the use is taken.
 * `counted` is the settlement's, and `at` (Unix ms) becomes the call's `createdAt`, so that memory and store count the
 * same amount in the same period. `uncounted`: the ids of budgets that do not apply to the model that served; nothing
 * is counted against them.
 */
export type Reservation = {
  readonly at: number;
  settle(tokens: number, counted: NanoDollars, uncounted?: ReadonlySet<string>): void;
  /** Replaces `settle` for a call that was not sent: its request is returned too. */
  cancel(): void;
};

export type LimitRequest = {
  /** The estimated prompt plus the largest possible output. */
  tokens: number;
  /** The highest possible cost, which is reserved; `null` if the model has no price, or no limit of money applies. */
  cost: NanoDollars | null;
  /** True if the vendor reports the cost only afterwards, and there is no price. */
  isPricedAfterwards?: boolean;
  /**
   * The least amount that a spend limit must have left (default: `cost`). If less than `cost` is left, the call is
   * admitted and takes the remainder below zero; the next call waits until its own `cost` is available again.
   */
  leastCost?: NanoDollars;
  /** The id of the model or route, not the name that was sent. */
  model: string;
  /** Default: none. */
  budgets?: CallBudgets;
};

export type Limiter = {
  /**
   * Takes tokens from the buckets and holds `cost` in all budgets. Throws 429 (`BudgetUsedUp`), or 403 for a model without a
   * price.
   */
  reserve(subject: LimitSubject, request: LimitRequest): Reservation | Promise<Reservation>;
  state(subject: LimitSubject): LimitState;
};

/** A call for a project's rate. `model`: the name of the model or route. */
export type RatedCall = Pick<LimitRequest, 'tokens' | 'model'>;

/** Limits the calls of a model in a project, over all its keys. */
export type RateLimiter = {
  /** Takes from a rate of the key's project. Throws 429 if it is exhausted. */
  reserve(key: Pick<ApiKey, 'projectId'>, rate: ProjectRateLimit, call: RatedCall): Reservation | Promise<Reservation>;
  /** Takes from the rate of a provider, credential or model. Throws 429 if it is exhausted. */
  reserveOutgoing(rate: HeldRate, call: RatedCall): Reservation | Promise<Reservation>;
  /** The rates that made calls of this process skip a target, by rate id. */
  outgoing(): ReadonlyMap<string, OutgoingUse>;
};

/**
 * The bill. `kill -9` loses no acknowledged record, and none counts twice. Each call resolves when the write survives
 * the death of the process, and rejects with a `GatewayError` of kind `storage_unavailable`.
 */
export type Ledger = {
  intend(intent: Intent): Promise<void>;
  settle(settlement: Settlement): Promise<void>;
};

export type UsageReader = BucketReader &
  FirstTokenReader &
  SummaryReader & { list(query: UsageQuery): Promise<UsagePage> };

/** Reads stored calls with all their details. */
export type CallReader = {
  /**
   * Finds a call by the id of its record or request; `null` if there is no settled call of this organization (`null`:
   * any) with that id, or none that the caller may read. Request ids of earlier versions do not tell their time, so
   * they are looked for in all calls.
   */
  find(organizationId: string | null, id: string, of?: CallsOf): Promise<UsageDetail | null>;
  /** The settled calls with these ids that are in the tables, in any order. */
  findAll(organizationId: string, ids: readonly string[]): Promise<UsageDetail[]>;
  /** Calls of a route with their decisions since `from` (Unix ms, inclusive); oldest first, in batches. */
  decisions(routeId: string, from: number): AsyncIterable<readonly DecidedCall[]>;
};

/** A page of keys: `limit` keys after this one, or from the first one (`null`). */
export type KeyPage = { after: Pick<ApiKey, 'id' | 'createdAt'> | null; limit: number };

/** Stored keys. `hash` is HMAC-SHA-256 of the secret under the pepper; secrets are never passed here. */
export type KeyStore = {
  find(hash: Buffer): Promise<Caller | null>;
  create(key: ApiKey, hash: Buffer, audited?: Audited | null): Promise<void>;
  /** The key of this id; `null` if there is none. */
  get(id: string): Promise<ApiKey | null>;
  /** The keys with this id or name, oldest first; includes revoked keys. */
  named(idOrName: string): Promise<ApiKey[]>;
  /** The oldest key; `null` if there is none. */
  oldest(): Promise<ApiKey | null>;
  /** Oldest first; includes revoked keys. `null` lists the keys of all organizations. */
  list(organizationId: string | null, page: KeyPage): Promise<ApiKey[]>;
  /** Revokes by id; an already revoked key keeps its date. `null` if there is no such key. */
  revoke(id: string, at: number, audited?: Audited | null): Promise<ApiKey | null>;
  /** `null` if there is no such key. */
  change(id: string, changes: KeyChanges, audited?: Audited | null): Promise<ApiKey | null>;
  /** `null` if there is no such key. Rejects with `conflict` if too many earlier secrets are valid. */
  rotate(id: string, rotation: KeyRotation, audited?: Audited | null): Promise<ApiKey | null>;
  /** Records a use of a key (Unix ms) other than a call; calls record it themselves. */
  noteUse(id: string, at: number): Promise<void>;
  /** The number of earlier secrets of a key that are valid at a time (Unix ms). */
  earlierSecrets(id: string, at: number): Promise<number>;
  /**
   * The use of each key that was ever used, or of the given keys: of the UTC day (`2026-11-21`), its week and its
   * month.
   */
  use(day: string, of?: readonly string[]): Promise<KeyUse[]>;
  /** Grows with every change to keys or organizations, by any process. */
  changes(): Promise<number>;
};

export type OrganizationStore = {
  list(): Promise<Organization[]>;
  create(organization: Organization): Promise<void>;
};

/**
 * What settled calls of a key took of its limits (`Settlement.counted`) between two UTC days (`2026-11-21`), inclusive,
 * or ever (`null`). Without a last day, all following days count. For the id of a product's budget (`budgetId`): the
 * sum of all keys of the product. Spending that a wrong clock dated in the future counts when that day comes.
 */
export type SpendReader = {
  spent(keyId: string, sinceDay: string | null, throughDay?: string | null): Promise<NanoDollars>;
};

/** The prices that calls of a model were billed at, by provider id and the vendor's name of the model. */
export type PriceReader = {
  ofModel(provider: string, upstreamModel: string): Promise<{ id: string; price: Price }[]>;
};

/**
 * Why the store cannot be written: the disk is full, the files are read-only, or another failure such as a broken disk.
 */
export const STORAGE_REASONS = ['full', 'read_only', 'failing'] as const;
export type StorageReason = (typeof STORAGE_REASONS)[number];

export type StorageTrouble = { reason: StorageReason; cause: unknown };

/** All storage, on one database engine. */
export type Storage = {
  keys: KeyStore;
  organizations: OrganizationStore;
  settings: SettingsStore;
  people: PeopleStore;
  audit: AuditReader;
  ledger: Ledger;
  usage: UsageReader;
  calls: CallReader;
  settled: SettledReader;
  spend: SpendReader;
  prices: PriceReader;
  leases: LeaseStore;
  routes: RouteStore;
  models: ModelStore;
  feedback: FeedbackStore;
  thresholds: ThresholdStore;
  webhooks: WebhookStore;
  refused: RefusedStore;
  /** The other instances, living or dead, that have a journal, open calls or sums of their own here. */
  instances(): Promise<string[]>;
  /** Settles the open calls of a dead instance as `interrupted`, and returns their number. Others may run. Idempotent. */
  recover(instanceId: string, now: number): Promise<number>;
  /** Removes what is kept of a dead instance only for its leases, once those have ended. */
  forget(instanceId: string): Promise<void>;
  /**
   * Deletes usage records created before the given time (Unix ms), with their decisions and feedback, in small steps,
   * and returns their number. Spend totals stay.
   */
  purge(before: number): Promise<number>;
  /** Throws if the store cannot be written and read. It performs a write. */
  check(): Promise<void>;
  /** The failure of the last writes; `null` if they succeeded. Does no work. */
  trouble(): StorageTrouble | null;
  /** Reads the store, and also writes to its disk after a failed write or a time without writes. Never rejects. */
  look(): Promise<StorageTrouble | null>;
  /** Calls `listener` at every failed write. Only one listener is supported. */
  onTrouble(listener: () => void): void;
  close(): Promise<void>;
};

/** A request to a vendor. Header names and values alternate, as on the wire. */
export type UpstreamRequest = {
  target: Target;
  method: 'POST' | 'GET';
  path: string;
  headers: string[];
  body: Buffer | null;
};

/**
 * The events of a request, in this order: start, data*, then exactly one of end and failure. No events after `abort`.
 */
export type UpstreamListener = {
  onStart(status: number, headers: UpstreamHeaders): void;
  onData(chunk: Buffer): void;
  /** A small piece that is ASCII may come here in place of `onData`, which spares copying and decoding it. */
  onText?(text: string): void;
  onEnd(): void;
  /** `upstream_unreachable`, `upstream_disconnected` or `upstream_invalid_answer` (a body whose encoding is broken). */
  onFailure(error: GatewayError): void;
};

export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Controls a pending request. `abort` closes the connection at once. `unsent`: nothing of it was sent; absent if unknown.
 */
export type UpstreamHold = { pause(): void; resume(): void; abort(): void; readonly unsent?: boolean };

/**
 * The only way to a vendor. Bodies arrive decoded (gzip, deflate, br, zstd), even if the encoding was not requested.
 */
export type Upstream = { send(request: UpstreamRequest, listener: UpstreamListener): UpstreamHold };

/**
 * A vendor's answer to a free request that checks one of our keys and has no caller's content. `unknown`: the answer does not
 * concern the key, or there was none.
 */
export type CredentialWord = 'accepted' | 'refused' | 'unknown';

/** Checks a provider's credential with its vendor. Takes some seconds at most, and never rejects. */
export type CredentialCheck = (provider: Provider) => Promise<CredentialWord>;

/** Counts tokens if a vendor did not. Loads its tables on first use. */
export type TokenCounter = { count(text: string): Promise<number> };

/** An output item that callers may refer to by id, stored for another `leftMs`. */
export type KeptItem = { id: string; json: string; leftMs: number };

/** Fetches items of a key that are stored elsewhere. */
export type ItemSource = (keyId: string, ids: readonly string[]) => Promise<readonly KeptItem[]>;

/**
 * Why a caller was disconnected. `not_read`: it read too little in time. `unread`, `idle`, `connections`: a limit of bytes or
 * connections was exceeded. `handles`: the system had no file handle for it.
 */
export type DisconnectReason = 'not_read' | 'unread' | 'idle' | 'connections' | 'handles';

/** Observes the start and end of each call, for metrics and the log. */
export type CallObserver = {
  opened(): void;
  /** @param isListed true if its model is in a list; callers can send any number of other names */
  closed(intent: Intent, settlement: Settlement, isListed: boolean): void;
  refused(call: RefusedCall): void;
};

/** The identifiers of a failed call, for the caller and for the last vendor. */
export type FailedCall = {
  requestId: string;
  provider: string;
  /** The vendor's name for it. */
  model: string;
  /** The vendor's status; `null` without an answer. */
  upstreamStatus: number | null;
  upstreamRequestId: string | null;
};

/** Log entries for the operator, written once per call at its end. */
export type CallLog = {
  /** @param error the error that the caller received */
  failed(call: FailedCall, error: GatewayError): void;
  /** A target reported implausible `usage`, so the call is billed by our own count. */
  disbelieved(intent: Intent, target: Target, usage: Usage): void;
};

/**
 * Writes the answer to the caller, with the common headers. Nothing is written after `end` or `whole`, or after the caller has
 * disconnected.
 */
export type CallerAnswer = {
  readonly gone: boolean;
  /** Called once if the caller disconnects before the end of the answer; immediately if it already has. */
  onGone(listener: () => void): void;
  onDrain(listener: () => void): void;
  /** A complete JSON answer, head and body in one write. `served` is for its headers. */
  whole(status: number, body: Buffer | string, served?: ServedBy): void;
  /** Begins an event stream. */
  begin(served?: ServedBy): void;
  /** Writes one frame in one write. `false`: wait for the drain. */
  write(frame: Buffer | string): boolean;
  end(last: Buffer | string): void;
  /** True if the answer has ended but the caller has not read all of it. */
  readonly unread: boolean;
  /** Called once when an `unread` answer has been read, or its caller was disconnected. */
  onTaken(listener: () => void): void;
};
