import { type ErrorDetails, type ErrorKind, GatewayError } from '../../src/core/errors.ts';
import type { Directory, Served, Target } from '../../src/core/provider.ts';
import { buildDirectory } from '../../src/routing/directory.ts';
import { model, served } from '../../src/testing/routes.ts';

/** The vendors of the week: pure functions of time and chance. Times are ms since Monday, 00:00 UTC. */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
/** The wait for the first byte. */
const FIRST_BYTE_MS = 30_000;
const CONNECT_MS = 3000;

/**
 * The outcome of an attempt: the time to its first token or error. `sent`: true if the vendor may have worked on it.
 */
export type Fate = { ms: number; error: GatewayError | null; sent: boolean };

type Vendor = {
  id: string;
  model: string;
  /** Dollars per million tokens of input and output, from each time on. */
  prices: readonly { from: number; dollars: [number, number] }[];
  /** The median time to the first token. */
  firstTokenMs(at: number): number;
  /** The possible failures; the first that applies and is drawn happens. */
  troubles: readonly Trouble[];
  credentials: Record<string, number>;
};

type Trouble = {
  during(at: number): boolean;
  /** The fraction of calls that it affects. */
  part: number;
  kind: ErrorKind;
  details?: ErrorDetails;
  ms: number;
  /** Only this credential. */
  credential?: string;
};

const always = () => true;
const between = (from: number, to: number) => (at: number) => at >= from && at < to;
const daily = (from: number, to: number) => (at: number) => at % DAY >= from && at % DAY < to;
const sure = (from: number) => [{ from: 0, dollars: [from, from * 4] as [number, number] }];

/** Slower by a fraction around 15:00, and faster by the same at night. */
function tide(at: number, part: number): number {
  return 1 + part * Math.sin(((at % DAY) / DAY) * 2 * Math.PI - (3 / 4) * Math.PI);
}

const VENDORS: readonly Vendor[] = [
  {
    id: 'alpha',
    model: 'large-a',
    prices: [...sure(2.5), { from: 3 * DAY, dollars: [1.25, 5] }],
    firstTokenMs: (at) => 500 * tide(at, 0.3),
    troubles: [
      { during: between(DAY + 9 * HOUR, DAY + 9.75 * HOUR), part: 1, kind: 'upstream_unreachable', ms: CONNECT_MS },
      {
        during: between(5 * DAY, 5 * DAY + HOUR),
        part: 1,
        kind: 'upstream_unauthorized',
        details: { status: 401, badKey: true },
        ms: 80,
        credential: 'default',
      },
      { during: always, part: 0.002, kind: 'upstream_error', details: { status: 500 }, ms: 400 },
    ],
    credentials: { default: 3, second: 1 },
  },
  {
    id: 'beta',
    model: 'large-b',
    prices: sure(3),
    // Slower each day.
    firstTokenMs: (at) => 700 * (1 + at / WEEK) * (between(2 * DAY + 14 * HOUR, 2 * DAY + 16 * HOUR)(at) ? 3 : 1),
    troubles: [
      {
        during: between(2 * DAY + 14 * HOUR, 2 * DAY + 16 * HOUR),
        part: 0.4,
        kind: 'upstream_error',
        details: { status: 503 },
        ms: 900,
      },
      { during: always, part: 0.003, kind: 'upstream_disconnected', ms: 600 },
    ],
    credentials: { default: 1 },
  },
  {
    id: 'gamma',
    model: 'small-g',
    prices: [...sure(0.15), { from: 5 * DAY, dollars: [0.3, 1.2] }],
    firstTokenMs: (at) => 300 * tide(at, 0.5),
    troubles: [
      {
        during: daily(13 * HOUR, 15 * HOUR),
        part: 0.6,
        kind: 'upstream_rate_limited',
        details: { retryAfterMs: 20_000 },
        ms: 60,
      },
      { during: always, part: 0.001, kind: 'upstream_error', details: { status: 502 }, ms: 200 },
    ],
    credentials: { default: 1 },
  },
  {
    id: 'delta',
    model: 'small-d',
    prices: sure(0.1),
    firstTokenMs: (at) => 900 * tide(at, 0.2),
    troubles: [
      {
        during: between(4 * DAY + 3 * HOUR, 4 * DAY + 3.5 * HOUR),
        part: 1,
        kind: 'upstream_timeout',
        ms: FIRST_BYTE_MS,
      },
      { during: always, part: 0.02, kind: 'upstream_error', details: { status: 500 }, ms: 700 },
    ],
    credentials: { default: 1 },
  },
];

/** The times when prices change, and so the directory. */
export const PRICE_CHANGES = [...new Set(VENDORS.flatMap(({ prices }) => prices.map(({ from }) => from)))].sort(
  (one, other) => one - other,
);

/** In a careful operator's order: the best first. */
export const MODELS: readonly string[] = VENDORS.map(({ model: name }) => name);

/** The directory from a time on. */
export function directoryAt(at: number): Directory {
  return buildDirectory(
    VENDORS.map((vendor): Served => {
      const dollars = vendor.prices.findLast(({ from }) => from <= at)!.dollars;
      return served(vendor.id, [model(vendor.model, dollars, { contextWindow: 128_000 })], vendor.credentials);
    }),
  );
}

/** The outcome of an attempt that is sent now. */
export function fateOf({ provider }: Target, at: number, random: () => number): Fate {
  const vendor = VENDORS.find(({ id }) => id === provider.id)!;
  for (const { during, part, kind, details, ms, credential } of vendor.troubles) {
    if (credential !== undefined && credential !== provider.credentialName) continue;
    if (!during(at) || random() >= part) continue;
    const sent =
      kind !== 'upstream_unreachable' && kind !== 'upstream_rate_limited' && kind !== 'upstream_unauthorized';
    return { ms, error: new GatewayError(kind, 'As told.', details), sent: sent && details?.status !== 503 };
  }
  return { ms: vendor.firstTokenMs(at) * Math.exp(0.4 * normal(random)), error: null, sent: true };
}

/** The Box–Muller transform. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
