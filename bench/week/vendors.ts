import { type ErrorDetails, type ErrorKind, GatewayError } from '../../src/core/errors.ts';
import type { Directory, Served, Target } from '../../src/core/provider.ts';
import { buildDirectory } from '../../src/routing/directory.ts';
import { model, served } from '../../src/testing/routes.ts';

/** The vendors of the week: pure functions of time and chance. All times in ms since its Monday, 00:00 UTC. */

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
/** A first byte that does not come is waited for so long. */
const FIRST_BYTE_MS = 30_000;
const CONNECT_MS = 3000;

/** What becomes of one attempt: so long after it was sent, the first token, or an error. `sent`: the vendor may have worked on it. */
export type Fate = { ms: number; error: GatewayError | null; sent: boolean };

type Vendor = {
  id: string;
  model: string;
  /** Dollars per million tokens, of input and output, from each time on. */
  prices: readonly { from: number; dollars: [number, number] }[];
  /** Median time to the first token. */
  firstTokenMs(at: number): number;
  /** What goes wrong, by the first of these that holds and is drawn. */
  troubles: readonly Trouble[];
  credentials: Record<string, number>;
};

type Trouble = {
  during(at: number): boolean;
  /** The part of calls that it meets. */
  part: number;
  kind: ErrorKind;
  details?: ErrorDetails;
  ms: number;
  /** Of one credential alone. */
  credential?: string;
};

const always = () => true;
const between = (from: number, to: number) => (at: number) => at >= from && at < to;
const daily = (from: number, to: number) => (at: number) => at % DAY >= from && at % DAY < to;
const sure = (from: number) => [{ from: 0, dollars: [from, from * 4] as [number, number] }];

/** Slower by a part around 15:00, and faster as much at night. */
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
    // Slower from day to day.
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

/** When prices change, and so the directory. */
export const PRICE_CHANGES = [...new Set(VENDORS.flatMap(({ prices }) => prices.map(({ from }) => from)))].sort(
  (one, other) => one - other,
);

/** In the order of a careful operator: the best first. */
export const MODELS: readonly string[] = VENDORS.map(({ model: name }) => name);

/** What can be called from then on. */
export function directoryAt(at: number): Directory {
  return buildDirectory(
    VENDORS.map((vendor): Served => {
      const dollars = vendor.prices.findLast(({ from }) => from <= at)!.dollars;
      return served(vendor.id, [model(vendor.model, dollars, { contextWindow: 128_000 })], vendor.credentials);
    }),
  );
}

/** What becomes of an attempt that is sent now. */
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

/** Box and Muller's. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
