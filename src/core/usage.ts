/**
 * Tokens of one call. `inputTokens` is the whole prompt: cached tokens (read or written) are inside it.
 * `outputTokens` is everything the model produced: reasoning tokens are inside it.
 */
export type Usage = {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  audioInputTokens: number;
  audioOutputTokens: number;
  serviceTier?: string;
  /**
   * The parts of `cacheWriteTokens` that are kept for another time than the vendor's ordinary one, by its name: `1h`,
   * `12h`.
   */
  cacheWritesByLife?: Counts;
  /** How often the vendor's own tools were called, by their names: `web_search`. */
  toolCalls?: Counts;
  /** Where the vendor says that it served, if that is not its ordinary place. */
  region?: string;
  /** Where several of the vendor's models worked on the call: the usage of each. Their tokens together are all of the above. */
  byModel?: readonly ModelUsage[];
  /** What the vendor says that it charged, in dollars as decimal text. Believed of few vendors. */
  toldCost?: string;
};

/** The members that count tokens. */
export type TokenCount = {
  [Name in keyof Usage]-?: Usage[Name] extends number ? Name : never;
}[keyof Usage];

/** `model`: the vendor's name; `null`: the one that was asked. */
export type ModelUsage = { model: string | null; usage: Usage };

/** What is known of a call's tokens. */
type GivenUsage = { [Name in keyof Usage]?: Usage[Name] | undefined };

/** Numbers above 0 by a vendor's names. Never empty. */
export type Counts = Readonly<Record<string, number>>;

/** Where the numbers of a record come from: the vendor said so, we counted, or there is nothing to count. */
export const USAGE_SOURCES = ['provider', 'estimated', 'none'] as const;
export type UsageSource = (typeof USAGE_SOURCES)[number];

/** Characters of a vendor's name for a tier of service. */
const MAX_SERVICE_TIER = 64;

/** A vendor's name for a tool, a region, or how long a cache is kept. */
export const VENDOR_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** The most names of one kind that are kept of one call. */
const MAX_NAMES = 16;

/** A vendor's counts that are whole numbers above 0, by their names that are not empty; `undefined` if there are none. */
export function countsOf(told: Iterable<readonly [name: string, count: unknown]>): Counts | undefined {
  let counts: Record<string, number> | undefined;
  let names = 0;
  for (const [name, count] of told) {
    if (!Number.isSafeInteger(count) || (count as number) <= 0 || !VENDOR_NAME.test(name)) continue;
    names += 1;
    if (names > MAX_NAMES) break;
    counts ??= {};
    counts[name] = (Object.hasOwn(counts, name) ? counts[name]! : 0) + (count as number);
  }
  return counts;
}

/**
 * The counts of a vendor's object under members that are named for what they count.
 *
 * @param pattern finds the name in a member's: `^(.+)_requests$`
 * @param leftOut a name that is not taken
 */
export function countsIn(told: unknown, pattern: RegExp, leftOut?: string): Counts | undefined {
  if (typeof told !== 'object' || told === null) return undefined;
  const named = Object.entries(told).map(([member, count]) => [pattern.exec(member)?.[1] ?? '', count] as const);
  return countsOf(named.filter(([name]) => name !== leftOut));
}

/** How often the web was searched, whatever the vendor calls it. */
export function searchesIn(counts: Counts | undefined): number {
  let searches = 0;
  for (const name in counts) if (SEARCH.test(name)) searches += counts[name]!;
  return searches;
}

const SEARCH = /^(?:web|browser)_search(?:_|$)/;

/** The sum of counts; 0 if there are none. */
export function sumOf(counts: Counts | undefined): number {
  let sum = 0;
  for (const name in counts) sum += counts[name]!;
  return sum;
}

/**
 * A `Usage` with every count not given at zero. The tier is a vendor's word, and is cut where it is no name.
 *
 * /!\ Hot path: members by their names; V8 copies a second object into a literal member by member.
 */
export function usageOf(given: GivenUsage): Usage {
  const usage: Usage = {
    inputTokens: given.inputTokens ?? 0,
    cacheReadTokens: given.cacheReadTokens ?? 0,
    cacheWriteTokens: given.cacheWriteTokens ?? 0,
    outputTokens: given.outputTokens ?? 0,
    reasoningTokens: given.reasoningTokens ?? 0,
    audioInputTokens: given.audioInputTokens ?? 0,
    audioOutputTokens: given.audioOutputTokens ?? 0,
  };
  const { serviceTier, cacheWritesByLife, toolCalls, region, toldCost } = given;
  if (serviceTier !== undefined) usage.serviceTier = serviceTier.slice(0, MAX_SERVICE_TIER);
  if (cacheWritesByLife !== undefined) usage.cacheWritesByLife = cacheWritesByLife;
  if (toolCalls !== undefined) usage.toolCalls = toolCalls;
  if (region !== undefined) usage.region = region;
  if (toldCost !== undefined) usage.toldCost = toldCost;
  return usage;
}

export const NO_USAGE: Readonly<Usage> = Object.freeze(usageOf({}));
