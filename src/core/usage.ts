/**
 * The tokens of one call. `inputTokens` is the whole prompt, including cached tokens (read or written). `outputTokens`
 * is everything that the model produced, including reasoning tokens.
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
  /** The parts of `cacheWriteTokens` with another lifetime than the vendor's default, by its name: `1h`, `12h`. */
  cacheWritesByLife?: Counts;
  /** The number of calls of the vendor's tools, by their names: `web_search`. */
  toolCalls?: Counts;
  /** The region that the vendor reports, if it is not the default one. */
  region?: string;
  /**
   * The usage of each model, if several of the vendor's models worked on the call. Their tokens add up to those above.
   */
  byModel?: readonly ModelUsage[];
  /** The charge that the vendor reports, in dollars as decimal text. It is trusted from few vendors. */
  reportedCost?: string;
};

/** The members that count tokens. */
export type TokenCount = {
  [Name in keyof Usage]-?: Usage[Name] extends number ? Name : never;
}[keyof Usage];

/** `model`: the vendor's name; `null`: the requested model. */
export type ModelUsage = { model: string | null; usage: Usage };

/** The known parts of a call's usage. */
type GivenUsage = { [Name in keyof Usage]?: Usage[Name] | undefined };

/** Numbers above 0, by a vendor's names. Never empty. */
export type Counts = Readonly<Record<string, number>>;

/**
 * The source of a record's numbers: the vendor reported them, the gateway counted them, or there is nothing to count.
 */
export const USAGE_SOURCES = ['provider', 'estimated', 'none'] as const;
export type UsageSource = (typeof USAGE_SOURCES)[number];

/** The most characters of a vendor's name of a service tier. */
const MAX_SERVICE_TIER = 64;

/** The pattern of a vendor's names of tools, regions and cache lifetimes. */
export const VENDOR_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** The most names of one kind that are stored for a call. */
const MAX_NAMES = 16;

/**
 * The counts of a vendor that are whole numbers above 0, with names that are not empty; `undefined` if there are none.
 */
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
 * The counts in a vendor's object whose member names contain what they count.
 * @param pattern - captures the name: `^(.+)_requests$`
 * @param leftOut - a name to omit
 */
export function countsIn(told: unknown, pattern: RegExp, leftOut?: string): Counts | undefined {
  if (typeof told !== 'object' || told === null) return undefined;
  const named = Object.entries(told).map(([member, count]) => [pattern.exec(member)?.[1] ?? '', count] as const);
  return countsOf(named.filter(([name]) => name !== leftOut));
}

/** The number of web searches, whatever the vendor calls them. */
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
 * A `Usage` in which every missing count is zero. A tier that is not a valid name is cut.
 *
 * /!\ Hot path: members are listed by name, because V8 copies a spread object into a literal member by member.
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
  const { serviceTier, cacheWritesByLife, toolCalls, region, reportedCost } = given;
  if (serviceTier !== undefined) usage.serviceTier = serviceTier.slice(0, MAX_SERVICE_TIER);
  if (cacheWritesByLife !== undefined) usage.cacheWritesByLife = cacheWritesByLife;
  if (toolCalls !== undefined) usage.toolCalls = toolCalls;
  if (region !== undefined) usage.region = region;
  if (reportedCost !== undefined) usage.reportedCost = reportedCost;
  return usage;
}

export const NO_USAGE: Readonly<Usage> = Object.freeze(usageOf({}));
