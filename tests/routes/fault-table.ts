import { DEFAULT_TEXT, answer as normal } from '../../src/testing/answers.ts';
import { FAULTS, type FaultName } from '../../src/testing/faults.ts';
import { endAfter, frame, insert, type Plan } from '../../src/testing/reply.ts';
import type { Parting } from '../faults/lab.ts';

/** What one attempt at a vendor that fails so comes to, as its ledger tells it. */
export type Attempted = {
  error: string;
  http: number | null;
  billed: boolean;
  source: 'provider' | 'estimated' | 'none';
};

/**
 * Where a fault strikes. `before` the commit point: `asks` tells whether any number of further targets may be asked, or only
 * one more, since the vendor may have worked on it. `after`: what the caller has of the text by then (`null`: as much as came
 * in time), and the code of the error frame. `none`: it is no fault here, and why.
 */
export type Strike =
  | { at: 'before'; asks: 'each' | 'one more'; attempt: Attempted; vendor: Parting }
  | { at: 'after'; attempt: Attempted; code: string; text: string | null; vendor: Parting }
  | { at: 'none'; why: string };

const refused = (error: string, http: number | null): Strike => ({
  at: 'before',
  asks: 'each',
  attempt: { error, http, billed: false, source: 'none' },
  vendor: 'ended',
});

const unanswered = (
  error: string,
  http: number | null,
  vendor: Parting,
  source: Attempted['source'] = 'estimated',
): Strike => ({ at: 'before', asks: 'one more', attempt: { error, http, billed: true, source }, vendor });

type Cut = { text?: string | null; code?: string; source?: Attempted['source'] };
const cut = (
  error: string,
  vendor: Parting,
  { text = 'Hello from', code = error, source = 'estimated' }: Cut = {},
): Strike => ({
  at: 'after',
  attempt: { error, http: 200, billed: true, source },
  code,
  text,
  vendor,
});

const none = (why: string): Strike => ({ at: 'none', why });

const IN_STREAMS = none('it is a fault of streams');
const FINE = none('odd, but the answer is whole');

const DISCONNECTED = 'upstream_disconnected';
const INVALID = 'upstream_invalid_answer';
const TIMEOUT = 'upstream_timeout';
const FAILED = 'upstream_error';
const UNAUTHORIZED = 'upstream_unauthorized';
const ACCOUNT_EMPTY = 'upstream_account_empty';
const LIMITED = 'upstream_rate_limited';

const both = (strike: Strike) => ({ whole: strike, stream: strike });
const LIMIT = both(refused(LIMITED, 429));
/** A stream that does not end, where a whole answer was asked for: it is read as what it is until the time is up. */
const NEVER_WHOLE = unanswered(TIMEOUT, 200, 'left');
/** What is neither JSON nor a stream that can be held. */
const NO_JSON = unanswered(INVALID, 200, 'left');

/** Every fault of the fake vendor, for whole answers and for streams. */
export const STRIKES: Record<FaultName, { whole: Strike; stream: Strike }> = {
  'slow-headers': both(unanswered(TIMEOUT, null, 'left')),
  'stall-before-body': both(unanswered(TIMEOUT, 200, 'left')),
  stall: { whole: unanswered(TIMEOUT, 200, 'left'), stream: cut(TIMEOUT, 'left') },
  'endless-headers': both(unanswered(INVALID, null, 'left')),
  'reset-before-headers': both(unanswered(DISCONNECTED, null, 'broken')),
  reset: { whole: unanswered(DISCONNECTED, 200, 'broken'), stream: cut(DISCONNECTED, 'broken') },
  'reset-after-finish': {
    whole: none('the whole body came before it'),
    stream: cut(DISCONNECTED, 'broken', { text: DEFAULT_TEXT }),
  },
  close: { whole: unanswered(DISCONNECTED, 200, 'broken'), stream: cut(DISCONNECTED, 'broken') },
  'ended-early': { whole: unanswered(INVALID, 200, 'ended'), stream: cut(DISCONNECTED, 'ended') },
  'truncated-json': {
    whole: unanswered(INVALID, 200, 'ended'),
    stream: cut(DISCONNECTED, 'ended', { text: 'Hello from a vendor' }),
  },
  'truncated-close': {
    whole: unanswered(INVALID, 200, 'broken'),
    stream: cut(DISCONNECTED, 'broken', { text: 'Hello from a vendor' }),
  },
  'wrong-content-type': both(unanswered(INVALID, 200, 'ended')),
  'empty-body': { whole: unanswered(INVALID, 200, 'ended'), stream: unanswered(DISCONNECTED, 200, 'ended') },
  'error-in-200': both(refused(FAILED, 200)),
  'error-frame': {
    whole: unanswered(INVALID, 200, 'ended'),
    stream: cut(FAILED, 'ended', { code: 'overloaded' }),
  },
  'error-event': {
    whole: unanswered(INVALID, 200, 'ended'),
    stream: cut(FAILED, 'ended', { code: 'overloaded' }),
  },
  'error-chunk': { whole: unanswered(INVALID, 200, 'ended'), stream: cut(FAILED, 'ended', { code: '502' }) },
  'rate-limited': LIMIT,
  'rate-limited-ms': LIMIT,
  'rate-limited-date': LIMIT,
  'bad-request': both(refused('upstream_rejected', 400)),
  'refuses-stream-options': {
    whole: IN_STREAMS,
    stream: none('the call is sent again without the question, at the same vendor: below'),
  },
  unauthorized: both(refused(UNAUTHORIZED, 401)),
  'payment-required': both(refused(UNAUTHORIZED, 402)),
  'quota-exhausted': both(refused(ACCOUNT_EMPTY, 429)),
  forbidden: both(refused(UNAUTHORIZED, 403)),
  'server-error': both(unanswered(FAILED, 500, 'ended', 'none')),
  'bad-gateway': both(unanswered(FAILED, 502, 'ended', 'none')),
  overloaded: both(refused(FAILED, 503)),
  redirect: both(unanswered(INVALID, 302, 'ended', 'none')),
  gzip: both(FINE),
  deflate: both(FINE),
  br: both(FINE),
  'gzip-broken': both(unanswered(INVALID, 200, 'ended')),
  'utf8-cut': both(FINE),
  'huge-line': { whole: none('a whole answer has no lines'), stream: unanswered(INVALID, 200, 'left') },
  'endless-stream': { whole: NEVER_WHOLE, stream: cut(TIMEOUT, 'left', { text: null }) },
  trickle: { whole: NEVER_WHOLE, stream: cut(TIMEOUT, 'left', { text: null }) },
  'comments-only': { whole: NEVER_WHOLE, stream: unanswered(TIMEOUT, 200, 'left') },
  flood: { whole: NO_JSON, stream: cut(TIMEOUT, 'left', { text: null }) },
  'endless-line': { whole: NO_JSON, stream: unanswered(INVALID, 200, 'left') },
  'endless-body': both(unanswered(INVALID, 200, 'left')),
  'missing-usage': both(none('the tokens are counted here')),
  'usage-in-every-chunk': both(FINE),
  'missing-done': { whole: IN_STREAMS, stream: none('the finish reason is an end') },
  // Its usage came before its end did not.
  'missing-finish': {
    whole: IN_STREAMS,
    stream: cut(DISCONNECTED, 'ended', { text: DEFAULT_TEXT, source: 'provider' }),
  },
  comments: { whole: IN_STREAMS, stream: FINE },
  crlf: { whole: IN_STREAMS, stream: FINE },
  cr: { whole: IN_STREAMS, stream: FINE },
  'no-final-blank-line': { whole: IN_STREAMS, stream: FINE },
};

/** Whether a fault is a refusal of the gateway's own key, behind which routes pass its vendor over for a moment. */
export function refusesKey(plan: FaultName | Plan): boolean {
  if (typeof plan !== 'string') return false;
  const { whole } = STRIKES[plan];
  return whole.at === 'before' && whole.attempt.error === UNAUTHORIZED;
}

/** Faults of a stream that has only been opened: nothing of its answer has come, so another vendor can still give it. */
export const OPENED: Readonly<Record<string, { plan: Plan; strike: Strike }>> = {
  stall: { plan: insert(normal(), 1, 'hold'), strike: unanswered(TIMEOUT, 200, 'left') },
  reset: { plan: insert(normal(), 1, 'reset'), strike: unanswered(DISCONNECTED, 200, 'broken') },
  close: { plan: insert(normal(), 1, 'close'), strike: unanswered(DISCONNECTED, 200, 'broken') },
  end: { plan: endAfter(normal(), 1), strike: unanswered(DISCONNECTED, 200, 'ended') },
  error: {
    plan: endAfter(normal(), 1, frame({ error: { message: 'No.', type: 'server_error', code: 'internal' } })),
    strike: unanswered(FAILED, 200, 'ended', 'none'),
  },
  overload: {
    plan: endAfter(normal(), 1, frame({ error: { message: 'Full.', type: 'overloaded_error' } })),
    strike: refused(FAILED, 200),
  },
  limit: {
    plan: endAfter(normal(), 1, frame({ error: { message: 'Slow down.', code: 'rate_limit_exceeded' } })),
    strike: refused(LIMITED, 200),
  },
  'no JSON': { plan: endAfter(normal(), 1, frame('{"choices":[')), strike: unanswered(INVALID, 200, 'ended') },
};

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
