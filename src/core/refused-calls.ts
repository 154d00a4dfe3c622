import type { ErrorKind } from './errors.ts';
import type { ApiKey, CallingTool, CallsOf, KeyNames, Source } from './records.ts';

/** The status of refused calls where they are shown beside usage records. */
export const REFUSED = 'refused';

/** A call that was refused before it had a record. Unknown members are `null`. */
export type RefusedCall = {
  requestId: string;
  /** The caller's own `x-request-id`. */
  clientRequestId: string | null;
  /** Unix ms. */
  at: number;
  /** The key that was accepted; `null` if none was. */
  key: RefusedKey | null;
  /** Who sent a call without an accepted key. */
  sender: RefusedSender | null;
  tool: CallingTool | null;
  /** The name that the caller sent. */
  model: string | null;
  httpStatus: number;
  errorKind: ErrorKind;
  /** The words that the caller was told, with the limit and its figure if a limit refused. */
  message: string;
  /** The member of the request that was at fault. */
  param: string | null;
  latencyMs: number;
};

export type RefusedKey = Pick<ApiKey, 'id' | 'name' | 'organizationId' | 'source' | 'product'>;

/** `key`: the first and last characters of the secret that was sent; `null` if none was. */
export type RefusedSender = { key: string | null; address: string | null };

/** A refused call as it is stored. `id` sorts by time. */
export type RefusedRecord = {
  id: string;
  requestId: string;
  clientRequestId: string | null;
  at: number;
  /** `null` for a call without an accepted key: the first organization reads those. */
  organizationId: string | null;
  keyId: string | null;
  sender: RefusedSender | null;
  source: Source;
  product: string | null;
  tool: CallingTool | null;
  model: string | null;
  httpStatus: number;
  errorKind: string;
  message: string;
  param: string | null;
  latencyMs: number;
  /** Refused calls of the same key or without one that were not stored, since the one stored before. */
  shed: number;
};

export type RefusedQuery = CallsOf & {
  /** `null`: all organizations. */
  organizationId: string | null;
  model?: string;
  source?: Source;
  product?: string;
  /** A tool's name. */
  tool?: string;
  /** Unix ms: from the first, inclusive, to the second, exclusive. */
  from?: number;
  until?: number;
  limit: number;
  after?: string;
};

/** A page, newest first; `null` if `after` is not a refused call that the query may read. */
export type RefusedPage = { records: RefusedRecord[]; keyNames: KeyNames; hasMore: boolean } | null;

/** `keyName`: `null` if the key no longer exists, or there was none. */
export type FoundRefused = { record: RefusedRecord; keyName: string | null };

/** The most refused calls that are stored: of all keys, and of one key or without any. */
export type RefusedBounds = { inAll: number; perKey: number };

/** Stored refused calls. They are no usage records: nothing was sent and nothing is billed. */
export type RefusedStore = {
  /** Stores calls, and deletes the oldest beyond the bounds. */
  add(calls: readonly RefusedRecord[], bounds: RefusedBounds): Promise<void>;
  list(query: RefusedQuery): Promise<RefusedPage>;
  /** Finds one by its own id or its request's, among those that the caller may read. */
  find(organizationId: string | null, id: string, of?: CallsOf): Promise<FoundRefused | null>;
  /** Deletes those from before a time (Unix ms); those without a key from before another. Returns their number. */
  purge(before: number, keylessBefore: number): Promise<number>;
};

const PREFIX = 'refused_';

/** The id of a refused call: the sorting part of a record id behind a prefix of its own. */
export function refusedId(sortingPart: string): string {
  return PREFIX + sortingPart;
}
