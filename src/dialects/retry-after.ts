import type { UpstreamHeaders } from '../core/ports.ts';

/** Statuses of a vendor that has no capacity now. */
const NO_ROOM: ReadonlySet<number> = new Set([429, 503, 529]);

/**
 * How long the vendor asks to wait, in ms: by `retry-after-ms` or `retry-after`; else, if it has no capacity, by the
 * text of its message ("try again in 6.2s"); else until an exhausted rate limit resets.
 */
export function readRetryAfter(headers: UpstreamHeaders, status = 0, message = ''): number | undefined {
  const asked = askedIn(headers);
  if (asked !== undefined || !NO_ROOM.has(status)) return asked;
  return readWait(message) ?? untilReset(headers);
}

/** A `retry-after` date is relative to the vendor's own clock. */
function askedIn(headers: UpstreamHeaders): number | undefined {
  const ms = Math.ceil(Number.parseFloat(single(headers['retry-after-ms'])));
  if (isTimeSpan(ms)) return ms;
  const after = single(headers['retry-after']);
  if (after === '') return undefined;
  const seconds = Math.ceil(Number(after) * 1000);
  if (isTimeSpan(seconds)) return seconds;
  return untilDate(after, headers);
}

const DURATION =
  '(?:\\d{1,9}(?:\\.\\d{1,9})?\\s{0,2}(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h|days?|d)(?:\\(s\\))?(?![a-z])[ ,]{0,2}(?:and )?){1,4}';
const WHAT = '(?: (?:your|the|this)? ?(?:requests?|calls?|it))?';
const ASKED = `(?:try${WHAT} again|retry(?:ing)?${WHAT}|wait|resets?(?= in| after))(?: later)?`;
/**
 * How vendors say it: "Please try again in 6m0.5s.", "Please retry your request after 20 seconds.", "retry in 17.4s", "wait 5
 * minutes", "Limit resets in: 1 minute and 3 seconds".
 */
const WAIT = new RegExp(`${ASKED}(?: in| after| for)?:? ?(?:(?:about|approximately|at least) |~ ?)?(${DURATION})`, 'i');
/** "请在 6 秒后重试" */
const CHINESE_WAIT = /((?:\d{1,9}(?:\.\d{1,9})?\s{0,2}(?:毫秒|秒钟?|分钟|小时)){1,3})\s{0,2}(?:之后|以后|后)/;

function readWait(message: string): number | undefined {
  const found = (WAIT.exec(message) ?? CHINESE_WAIT.exec(message))?.[1];
  return found === undefined ? undefined : readDuration(found);
}

const UNIT_MS = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  毫秒: 1,
  秒: 1000,
  分钟: 60_000,
  小时: 3_600_000,
} as const;
const PIECE = /(\d+(?:\.\d+)?)\s*(milliseconds?|ms|s|m|h|d|毫秒|秒|分钟|小时)/gi;

/** The ms of a duration such as `1h2m3.5s`, `250ms` or `20 seconds`; `undefined` if it is none. */
function readDuration(text: string): number | undefined {
  let total = 0;
  let isFound = false;
  for (const [, amount, unit] of text.matchAll(PIECE)) {
    const word = unit!.toLowerCase();
    const name = word.startsWith('mill') ? 'ms' : (word as keyof typeof UNIT_MS);
    total += Number(amount) * UNIT_MS[name];
    isFound = true;
  }
  const ms = Math.ceil(total);
  return isFound && isTimeSpan(ms) ? ms : undefined;
}

const REMAINING = /^(?:x-|anthropic-)?ratelimit-(?:remaining(-[a-z-]+)?|([a-z-]+)-remaining)$/;

/**
 * The longest time until an exhausted limit resets. `x-ratelimit-reset-tokens: 6m0s`
 * (https://platform.openai.com/docs/guides/rate-limits), `anthropic-ratelimit-tokens-reset` (a date,
 * https://docs.anthropic.com/en/api/rate-limits), `x-ratelimit-reset` (Unix ms or s, or seconds).
 */
function untilReset(headers: UpstreamHeaders): number | undefined {
  let longest: number | undefined;
  for (const [name, value] of Object.entries(headers)) {
    if (!REMAINING.test(name) || Number(single(value)) !== 0 || single(value) === '') continue;
    const ms = readReset(single(headers[name.replace('remaining', 'reset')]), headers);
    if (ms !== undefined && (longest === undefined || ms > longest)) longest = ms;
  }
  return longest;
}

/** Seconds since 1970 are more than this, and ms more than a thousand times as many. */
const LONG_AGO_S = 1_000_000_000;

function readReset(reset: string, headers: UpstreamHeaders): number | undefined {
  const number = reset === '' ? Number.NaN : Number(reset);
  if (Number.isNaN(number)) return /^\d{4}-/.test(reset) ? untilDate(reset, headers) : readDuration(reset);
  if (number < LONG_AGO_S) return isTimeSpan(Math.ceil(number * 1000)) ? Math.ceil(number * 1000) : undefined;
  const at = number < LONG_AGO_S * 1000 ? number * 1000 : number;
  return isTimeSpan(at) ? untilDate(new Date(Math.min(at, MAX_DATE)).toISOString(), headers) : undefined;
}

/** The latest time that a date may be, in Unix ms. */
const MAX_DATE = 8_640_000_000_000_000;

function untilDate(date: string, headers: UpstreamHeaders): number | undefined {
  const at = Date.parse(date);
  const from = Date.parse(single(headers.date));
  return Number.isNaN(at) || Number.isNaN(from) ? undefined : Math.max(0, at - from);
}

function isTimeSpan(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms >= 0;
}

function single(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
