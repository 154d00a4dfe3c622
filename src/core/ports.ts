import type { Audited } from './audit.ts';
import type { CallBudgets, ThresholdStore } from './budget.ts';
import type { ErrorKind, GatewayError } from './errors.ts';
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
  Organization,
  Settlement,
  UsageDetail,
  UsagePage,
  UsageQuery,
} from './records.ts';
import type { ModelStore, RouteStore } from './route-store.ts';
import type { KeyRotation, ProjectRateLimit } from './settings.ts';
import type { AuditReader, SettingsStore } from './settings-store.ts';
import type { SettledReader } from './settled.ts';
import type { Usage } from './usage.ts';
import type { BucketReader } from './usage-buckets.ts';
import type { SummaryReader } from './usage-summary.ts';
import type { WebhookStore } from './webhooks.ts';

/**
 * Time, randomness and names are handed in, so that tests own them. Milliseconds since 1970, and a monotonic reading in
 * ms.
 */
export type Clock = { now(): number; monotonic(): number };
export type Ids = {
  requestId(): string;
  /** Random letters and digits, to follow a prefix. */
  token(): string;
  recordId(now: number): string;
  keyId(): string;
  organizationId(): string;
};

/** Who is calling, once the key was checked. */
export type Caller = { key: ApiKey; organization: Organization };

/** Where a request comes from: the address of its socket, or the one that trusted proxies report. */
export type Peer = { readonly remoteAddress?: string | undefined };

export type KeyChecker = {
  /**
   * Tells who holds this key. Warm keys answer at once and without touching storage.
   * Throws (or rejects with) a `GatewayError`: 401 by its kinds, 403 where it may not be used from there, 503 where
   * storage failed.
   */
  check(secret: string, peer?: Peer): Caller | Promise<Caller>;
  /**
   * Looks again at somebody whom `check` let in: answers, throws and rejects as `check` does now for the secret that they
   * came with.
   */
  again(caller: Caller, peer?: Peer): Caller | Promise<Caller>;
  /**
   * Grows whenever something may have changed that lets callers in (a key, a session, a place, a role), also at each failure
   * to find out.
   */
  readonly version: number;
};

/** That a request was let in. */
export type Admission = {
  /**
   * Looks again at whoever sent it, for what is known now. Throws, or rejects with, the `GatewayError` with which the same
   * request would be refused; 503 where storage cannot tell.
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
 * What a call took from its limits. Settled exactly once: what was reserved goes back, what was used is taken.
 * `counted` is the settlement's, and `at` (Unix ms) becomes the call's `createdAt`: so memory and store count the same,
 * in the same period. `uncounted`: the ids of budgets that do not hold for the model that served: nothing is counted to them.
 */
export type Reservation = {
  readonly at: number;
  settle(tokens: number, counted: NanoDollars, uncounted?: ReadonlySet<string>): void;
  /** Instead of `settle`, for a call that nothing was sent of: its request goes back too. */
  cancel(): void;
};

export type LimitRequest = {
  /** The prompt's estimate and the largest output it may have. */
  tokens: number;
  /**
   * The highest cost it may have, all of which is held; `null` where the model has no price, or no money is limited.
   */
  cost: NanoDollars | null;
  /** It has no price, and its vendor tells only afterwards what it cost. */
  isToldLater?: boolean;
  /**
   * What must be left of a spend limit at least; left out: all of `cost`. Where less than `cost` is left, the call is
   * let in and takes what is left below zero, and no other passes until as much as its own `cost` is there again.
   */
  leastCost?: NanoDollars;
  /** The id of the model or route, whatever name the call gave it. */
  model: string;
  /** Left out: none. */
  budgets?: CallBudgets;
};

export type Limiter = {
  /**
   * Takes from the buckets and holds `cost` in all budgets, or throws: 429 (`BudgetUsedUp`), 403 for a model without a
   * price.
   */
  reserve(key: ApiKey, request: LimitRequest): Reservation | Promise<Reservation>;
  state(key: ApiKey): LimitState;
};

/** A call as a rate of its project sees it. `model`: the name of the model or route. */
export type RatedCall = Pick<LimitRequest, 'tokens' | 'model'>;

/** What calls of a model may use in a project, all its keys together. */
export type RateLimiter = {
  /** Takes from a rate of the key's project, or throws 429. */
  reserve(key: ApiKey, rate: ProjectRateLimit, call: RatedCall): Reservation | Promise<Reservation>;
  /** Takes from what may be sent to a provider, with one of its credentials, or to one of its models, or throws 429. */
  reserveOutgoing(key: ApiKey, rate: HeldRate, call: RatedCall): Reservation | Promise<Reservation>;
  /** The rates for which this process passed calls over, by their ids. */
  outgoing(): ReadonlyMap<string, OutgoingUse>;
};

/**
 * The bill, written so that `kill -9` loses nothing acknowledged and counts nothing twice. Each call resolves once the
 * write is durable against the death of the process, and rejects with a `GatewayError` of kind `storage_unavailable`.
 */
export type Ledger = {
  intend(intent: Intent): Promise<void>;
  settle(settlement: Settlement): Promise<void>;
};

export type UsageReader = BucketReader &
  FirstTokenReader &
  SummaryReader & { list(query: UsageQuery): Promise<UsagePage> };

/** Calls with all that was kept of them. */
export type CallReader = {
  /**
   * By a record's id, or the request's; `null` where there is no settled one of this organization (of any where
   * `null`), or none that may be read. A request that came before ids of requests told their time is looked for in all calls.
   */
  find(organizationId: string | null, id: string, of?: CallsOf): Promise<UsageDetail | null>;
  /** Those of these ids that are settled and in the tables by now, in any order. */
  findAll(organizationId: string, ids: readonly string[]): Promise<UsageDetail[]>;
  /** Calls of a route with their decisions, oldest first, in batches; from a time on (Unix ms, inclusive). */
  decisions(routeId: string, from: number): AsyncIterable<readonly DecidedCall[]>;
};

/** A part of a list of keys: so many behind this one, or from the first one on (`null`). */
export type KeyPage = { after: Pick<ApiKey, 'id' | 'createdAt'> | null; limit: number };

/** Keys at rest. `hash` is HMAC-SHA-256 of the secret under the pepper; the secret itself never comes here. */
export type KeyStore = {
  find(hash: Buffer): Promise<Caller | null>;
  create(key: ApiKey, hash: Buffer, audited?: Audited | null): Promise<void>;
  /** The key of this id; `null` where there is none. */
  get(id: string): Promise<ApiKey | null>;
  /** The keys that have this id or this name, oldest first, with those that were revoked. */
  named(idOrName: string): Promise<ApiKey[]>;
  /** The first key that was made; `null` where there is none. */
  oldest(): Promise<ApiKey | null>;
  /** Oldest first, with those that were revoked; of every organization where `organizationId` is `null`. */
  list(organizationId: string | null, page: KeyPage): Promise<ApiKey[]>;
  /** Revokes by id; a key that is revoked already keeps its date. `null` where there is no such key. */
  revoke(id: string, at: number, audited?: Audited | null): Promise<ApiKey | null>;
  /** `null` where there is no such key. */
  change(id: string, changes: KeyChanges, audited?: Audited | null): Promise<ApiKey | null>;
  /** `null` where there is no such key. Rejects with `conflict` where too many earlier secrets are accepted. */
  rotate(id: string, rotation: KeyRotation, audited?: Audited | null): Promise<ApiKey | null>;
  /** Notes that a key was used at a time (Unix ms) for something else than a call, which notes it by itself. */
  noteUse(id: string, at: number): Promise<void>;
  /** How many earlier secrets of a key are accepted at a time (Unix ms). */
  earlierSecrets(id: string, at: number): Promise<number>;
  /**
   * What was used with each key that was used at all, or with each of some; of the UTC day (`2026-11-21`), its week and
   * its month.
   */
  use(day: string, of?: readonly string[]): Promise<KeyUse[]>;
  /** Grows with every change to keys or organizations, by whatever process. */
  changes(): Promise<number>;
};

export type OrganizationStore = {
  list(): Promise<Organization[]>;
  create(organization: Organization): Promise<void>;
};

/**
 * What settled calls of a key took of its limits (`Settlement.counted`) from the one UTC day (`2026-11-21`) through the
 * other (left out: all that follow), or in its life (`null`); of the id of a product's budget (`budgetId`), what all
 * keys of the product have. What a clock that was wrong has put into days to come counts when they come.
 */
export type SpendReader = {
  spent(keyId: string, sinceDay: string | null, throughDay?: string | null): Promise<NanoDollars>;
};

/**
 * The prices that calls of a model were billed by, as they were: by the provider's id, and the vendor's name of the
 * model.
 */
export type PriceReader = {
  ofModel(provider: string, upstreamModel: string): Promise<{ id: string; price: Price }[]>;
};

/**
 * Why the store cannot be written: there is no room, it may not be written, or something else, as of a disk that
 * breaks.
 */
export const STORAGE_REASONS = ['full', 'read_only', 'failing'] as const;
export type StorageReason = (typeof STORAGE_REASONS)[number];

export type StorageTrouble = { reason: StorageReason; cause: unknown };

/** Everything that is kept, over one engine. */
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
  /**
   * Settles what all other instances left open, as `interrupted`; tells how many. They must be dead: `serve`'s lock
   * says so.
   */
  recover(now: number): Promise<number>;
  /** The same for one instance, beside others that live. */
  recoverFrom(instanceId: string, now: number): Promise<number>;
  /**
   * Deletes usage records created before the given time, with their decisions and feedback, in small steps; tells how
   * many. Spend totals stay.
   */
  purge(before: number): Promise<number>;
  /** Throws where the store cannot be written and read. It writes. */
  check(): Promise<void>;
  /** What is wrong with the store, as far as its last writes have told. `null`: nothing. It does no work. */
  trouble(): StorageTrouble | null;
  /** Reads the store; writes to its disk, too, where a write failed or there was none for a while. Never rejects. */
  look(): Promise<StorageTrouble | null>;
  /** Has `listener` called at every write that fails. One listener. */
  onTrouble(listener: () => void): void;
  close(): Promise<void>;
};

/** A request to a vendor. Header names and values alternate, as they go on the wire. */
export type UpstreamRequest = {
  target: Target;
  method: 'POST' | 'GET';
  path: string;
  headers: string[];
  body: Buffer | null;
};

/**
 * What a caller of `Upstream` hears, in this order: start, data*, then exactly one of end and failure. Nothing after
 * `abort`.
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
 * The hold on a request under way. `abort` lets the vendor go at once. `unsent`: nothing of it has left; left out where
 * nobody knows.
 */
export type UpstreamHold = { pause(): void; resume(): void; abort(): void; readonly unsent?: boolean };

/** The only way to a vendor. Bodies arrive decoded (gzip, deflate, br, zstd), whatever was asked for. */
export type Upstream = { send(request: UpstreamRequest, listener: UpstreamListener): UpstreamHold };

/**
 * What a vendor says of one of our keys when it is asked for something that costs nothing and has no caller's words in
 * it. `unknown`: it says nothing of the key, or did not answer.
 */
export type CredentialWord = 'accepted' | 'refused' | 'unknown';

/** Asks a vendor for its word on a provider's credential. Takes some seconds at most, and never rejects. */
export type CredentialCheck = (provider: Provider) => Promise<CredentialWord>;

/** Counts tokens where a vendor did not. Loads its tables on first use. */
export type TokenCounter = { count(text: string): Promise<number> };

/** An output item that callers may refer to by its id, kept for so many ms more. */
export type KeptItem = { id: string; json: string; leftMs: number };

/** Tells which of some items of a key are kept elsewhere. */
export type ItemSource = (keyId: string, ids: readonly string[]) => Promise<readonly KeptItem[]>;

/**
 * Why a caller lost its connection. `not_read`: it took nothing, or too little, in time. `unread`, `idle`, `connections`:
 * there were more bytes, or connections, than may be. `handles`: the system had no file handle for it.
 */
export type LetGo = 'not_read' | 'unread' | 'idle' | 'connections' | 'handles';

/** Told of each call's start and end, for metrics and the log. */
export type CallObserver = {
  opened(): void;
  /** @param isListed whether its model is in any list: a caller may name as many others as it likes */
  closed(intent: Intent, settlement: Settlement, isListed: boolean): void;
  refused(call: RefusedCall): void;
};

/** A call that was refused before it had a record. `at` is in Unix ms; what is `null` is not known. */
export type RefusedCall = {
  requestId: string;
  at: number;
  key: Pick<ApiKey, 'id' | 'name'> | null;
  /** As the caller named it. */
  model: string | null;
  httpStatus: number;
  errorKind: ErrorKind;
};

/** A call that failed, by what names it: to the caller, and to the vendor that was asked last. */
export type FailedCall = {
  requestId: string;
  provider: string;
  /** The vendor's name for it. */
  model: string;
  /** What the vendor answered; `null` where it did not. */
  upstreamStatus: number | null;
  upstreamRequestId: string | null;
};

/** What only the operator should read. Each is logged once, where the call ends. */
export type CallLog = {
  /** `error` as its caller was told it. */
  failed(call: FailedCall, error: GatewayError): void;
  /** A target reported more than can be: `usage` is its report, and the call is billed by our own count. */
  disbelieved(intent: Intent, target: Target, usage: Usage): void;
};

/**
 * The way back to the caller. The headers that every answer has are added here. Nothing is written after `end`, `whole`
 * or once the caller is gone.
 */
export type CallerAnswer = {
  readonly gone: boolean;
  /** Called once, when the caller leaves before the end of its answer; at once if it has left already. */
  onGone(listener: () => void): void;
  onDrain(listener: () => void): void;
  /** A complete JSON answer, head and body in one write. `served`: who gave it, for its headers. */
  whole(status: number, body: Buffer | string, served?: ServedBy): void;
  /** Begins an event stream. */
  begin(served?: ServedBy): void;
  /** One frame, one write. `false` asks to wait for the drain. */
  write(frame: Buffer | string): boolean;
  end(last: Buffer | string): void;
  /** Whether the answer has ended, and bytes of it still wait to be taken by the caller. */
  readonly unread: boolean;
  /** Called once, when an answer that is `unread` has been taken, or its caller was let go. */
  onTaken(listener: () => void): void;
};
