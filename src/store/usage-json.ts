import type { Counts, Usage } from '../core/usage.ts';
import { firstPlaces, LAST_FIXED_PLACE, TOKEN_COLUMNS, tokensOfJson } from './token-columns.ts';

/**
 * How usage lies in a journal, and in the column of what was not believed: tokens at the places that `token-columns.ts` says,
 * at 3 those that were written to a cache for an hour, at 8 the tier of service, at 9 `MoreUsageJson`.
 */
export type UsageJson = (number | string | null | MoreUsageJson)[];

/** What few calls use: caches of other lives than the ordinary one and an hour, a vendor's own tools, a region. */
export type MoreUsageJson = { lives?: Counts; tools?: Counts; region?: string };

const HOUR = '1h';

const FURTHER = TOKEN_COLUMNS.filter(({ place }) => place > LAST_FIXED_PLACE);

/**
 * Without its names: there is one in every record.
 *
 * /!\ Hot path: written for each call, so the fixed places are one literal that is made of the table.
 */
export function writeUsage(usage: Usage): UsageJson {
  const json: UsageJson = firstPlaces(usage, writtenForAnHour(usage));
  const more = moreOf(usage);
  const further = FURTHER.length === 0 ? 0 : FURTHER.findLastIndex(({ member }) => usage[member] > 0) + 1;
  if (more !== null || further > 0) json.push(more);
  for (let index = 0; index < further; index += 1) json.push(usage[FURTHER[index]!.member]);
  return json;
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
  const hour = json[3] as number;
  const serviceTier = json[8] as string | null;
  const more = (json[9] ?? null) as MoreUsageJson | null;
  const usage: Usage = tokensOfJson(json);
  if (serviceTier !== null) usage.serviceTier = serviceTier;
  return hour === 0 && more === null ? usage : Object.assign(usage, readMore(hour, more));
}
