import { GatewayError } from '../core/errors.ts';
import type { Caller, Clock, KeyChecker, KeyStore, Peer } from '../core/ports.ts';
import type { Secret } from '../core/secret.ts';
import { hashKey, isWellFormed } from './format.ts';
import { isWithin } from './ip-ranges.ts';

/** Interval at which the store is polled for changed keys and organizations, in ms. */
export const POLL_MS = 500;
/** The largest number of cached callers. */
const CACHE_SIZE = 10_000;
/**
 * How long after the start of a poll a cached caller is trusted, in ms. A revoked key is refused within this time, even
 * if polling hangs.
 */
export const MAX_STALE_MS = 1_000;

const NEVER = Number.NEGATIVE_INFINITY;

export type KeyCheckerParts = {
  store: Pick<KeyStore, 'find' | 'changes'>;
  pepper: Secret;
  clock: Clock;
  /** Called for each failed poll. */
  onError: (error: unknown) => void;
  /** Called after each poll, so that callers with long requests can be checked again. */
  onPolled?: () => void;
  pollMs?: number;
  cacheSize?: number;
};

/**
 * `start` begins to poll, and resolves after the first poll; until then every check asks the store. After `stop` the
 * cached callers expire within `MAX_STALE_MS`.
 */
export type PollingKeyChecker = KeyChecker & { start(): Promise<void>; stop(): void };

/** Callers that were read since the last change. */
class KnownCallers {
  /** By secret. Includes revoked and expired keys, which are checked on each call. */
  readonly warm = new Map<string, Caller>();
  /** Pending look-ups by secret, shared by concurrent calls. */
  readonly #finding = new Map<string, Promise<Caller | null>>();

  find(secret: string, { store, pepper }: Pick<KeyCheckerParts, 'store' | 'pepper'>): Promise<Caller | null> {
    const known = this.#finding.get(secret);
    if (known !== undefined) return known;
    const finding = findIn(store, hashKey(secret, pepper)).finally(() => this.#finding.delete(secret));
    this.#finding.set(secret, finding);
    return finding;
  }

  /** Caches a caller and drops the oldest if necessary. A busy key is cached again by its next call. */
  keep(secret: string, caller: Caller, most: number): void {
    const [oldest] = this.warm.keys();
    if (oldest !== undefined && this.warm.size >= most) this.warm.delete(oldest);
    this.warm.set(secret, caller);
  }
}

/** Checks keys against the store, and caches callers while polling shows that nothing has changed. */
export function createKeyChecker(parts: KeyCheckerParts): PollingKeyChecker {
  const { store, clock, onError, onPolled, pollMs = POLL_MS, cacheSize = CACHE_SIZE } = parts;
  let known = new KnownCallers();
  /** The secret of each caller. */
  const secrets = new WeakMap<Caller, string>();
  let version = 0;
  let changesSeen: number | null = null;
  /** The monotonic time at which `known` was last known to be current; `NEVER` after a failed poll. */
  let confirmedAt = NEVER;
  let polling = false;
  let timer: NodeJS.Timeout | undefined;

  // /!\ Hot path: a cached key costs no hash, no storage access and no promise.
  function check(secret: string, peer?: Peer): Caller | Promise<Caller> {
    const caller = known.warm.get(secret);
    if (caller === undefined || clock.monotonic() - confirmedAt > MAX_STALE_MS) return lookUp(secret, peer);
    return admit(caller, clock, peer);
  }

  function again(caller: Caller, peer?: Peer): Caller | Promise<Caller> {
    const secret = secrets.get(caller);
    if (secret === undefined) throw invalid();
    return check(secret, peer);
  }

  async function lookUp(secret: string, peer: Peer | undefined): Promise<Caller> {
    if (!isWellFormed(secret)) throw invalid();
    // A change replaces `known`, so results that were read before the change end up in the discarded cache.
    const present = known;
    const caller = await present.find(secret, parts);
    if (caller === null) throw invalid();
    present.keep(secret, caller, cacheSize);
    secrets.set(caller, secret);
    return admit(caller, clock, peer);
  }

  async function poll(): Promise<void> {
    if (polling) return;
    polling = true;
    const startedAt = clock.monotonic();
    try {
      const changes = await store.changes();
      if (changes !== changesSeen) {
        known = new KnownCallers();
        version += 1;
      }
      changesSeen = changes;
      confirmedAt = startedAt;
    } catch (error) {
      confirmedAt = NEVER;
      version += 1;
      onError(error);
    } finally {
      polling = false;
    }
    onPolled?.();
  }

  return {
    check,
    again,
    get version() {
      return version;
    },
    async start() {
      timer ??= setInterval(poll, pollMs).unref();
      await poll();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

async function findIn(store: KeyCheckerParts['store'], hash: Buffer): Promise<Caller | null> {
  try {
    return await store.find(hash);
  } catch (cause) {
    throw new GatewayError('storage_unavailable', 'The API key could not be checked: storage failed.', { cause });
  }
}

function admit(caller: Caller, clock: Clock, peer: Peer | undefined): Caller {
  const { revokedAt, expiresAt, disabledAt, ipRanges } = caller.key;
  if (revokedAt !== null) throw new GatewayError('revoked_api_key', 'This API key was revoked.');
  if (disabledAt !== null) throw new GatewayError('disabled_api_key', 'This API key is disabled.');
  if (expiresAt !== null && expiresAt <= clock.now()) {
    throw new GatewayError('expired_api_key', expiredText(expiresAt));
  }
  if (ipRanges !== null && !isWithin(peer?.remoteAddress ?? '', ipRanges)) {
    throw new GatewayError('forbidden', 'This API key may not be used from this IP address.');
  }
  return caller;
}

/** 0 is the end of a secret that a rotation ended at once. */
function expiredText(expiresAt: number): string {
  if (expiresAt === 0) return 'This secret of the API key was replaced by another.';
  return `This API key expired at ${new Date(expiresAt).toISOString()}.`;
}

/** The same message for malformed and unknown keys; it never contains the key. */
function invalid(): GatewayError {
  return new GatewayError('invalid_api_key', 'The API key is malformed or unknown.');
}
