import type { Counts, Usage } from '../core/usage.ts';

/** How usage lies in a journal, and in the column of what was not believed. */
export type UsageJson = [
  input: number,
  cacheRead: number,
  cacheWrite: number,
  cacheWrite1h: number,
  output: number,
  reasoning: number,
  audioInput: number,
  audioOutput: number,
  serviceTier: string | null,
  more?: MoreUsageJson,
];

/** What few calls use: caches of other lives than the ordinary one and an hour, a vendor's own tools, a region. */
export type MoreUsageJson = { lives?: Counts; tools?: Counts; region?: string };

const HOUR = '1h';

/** Without its names: there is one in every record. */
export function writeUsage(usage: Usage): UsageJson {
  const more = moreOf(usage);
  const counts: UsageJson = [
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    writtenForAnHour(usage),
    usage.outputTokens,
    usage.reasoningTokens,
    usage.audioInputTokens,
    usage.audioOutputTokens,
    usage.serviceTier ?? null,
  ];
  if (more !== null) counts.push(more);
  return counts;
}

/** Tokens that were written to a cache for an hour. */
export function writtenForAnHour({ cacheWritesByLife }: Usage): number {
  return cacheWritesByLife?.[HOUR] ?? 0;
}

/** What has no place of its own; `null` where there is none. */
export function moreOf({ cacheWritesByLife, toolCalls, region }: Usage): MoreUsageJson | null {
  if (cacheWritesByLife === undefined && toolCalls === undefined && region === undefined) return null;
  const { [HOUR]: _, ...lives } = cacheWritesByLife ?? NO_LIVES;
  const hasLives = Object.keys(lives).length > 0;
  if (!hasLives && toolCalls === undefined && region === undefined) return null;
  return {
    ...(hasLives && { lives }),
    ...(toolCalls !== undefined && { tools: toolCalls }),
    ...(region !== undefined && { region }),
  };
}

const NO_LIVES: Counts = {};

/** The members of usage that `writtenForAnHour` and `moreOf` tell. */
export function readMore(
  hour: number,
  more: MoreUsageJson | null,
): Pick<Usage, 'cacheWritesByLife' | 'toolCalls' | 'region'> {
  const { lives, tools, region } = more ?? {};
  const byLife = { ...(hour > 0 && { [HOUR]: hour }), ...lives };
  return {
    ...((hour > 0 || lives !== undefined) && { cacheWritesByLife: byLife }),
    ...(tools !== undefined && { toolCalls: tools }),
    ...(region !== undefined && { region }),
  };
}

/** Reads back what `writeUsage` wrote. */
export function readUsage(json: UsageJson): Usage {
  const { 3: hour, 8: serviceTier, 9: more = null } = json;
  const usage: Usage = {
    inputTokens: json[0],
    cacheReadTokens: json[1],
    cacheWriteTokens: json[2],
    outputTokens: json[4],
    reasoningTokens: json[5],
    audioInputTokens: json[6],
    audioOutputTokens: json[7],
  };
  if (serviceTier !== null) usage.serviceTier = serviceTier;
  return hour === 0 && more === null ? usage : Object.assign(usage, readMore(hour, more));
}
