import type { CallTraits, Condition, Range, Rule } from '../core/route.ts';
import { utcDayNumber } from '../core/utc-day.ts';

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 24 * 60;
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** The first rule that applies; `null` if none does. */
export function firstHolding(rules: readonly Rule[], traits: CallTraits): Rule | null {
  for (const rule of rules) if (holds(rule.when, traits)) return rule;
  return null;
}

/** True if every member of a condition matches a call. One without members always matches. */
export function holds(condition: Condition, traits: CallTraits): boolean {
  const { tools, images, audio, files, structuredOutput, stream } = condition;
  if (tools !== undefined && tools !== traits.tools > 0) return false;
  if (images !== undefined && images !== traits.images) return false;
  if (audio !== undefined && audio !== traits.audio) return false;
  if (files !== undefined && files !== traits.files) return false;
  if (structuredOutput !== undefined && structuredOutput !== traits.structuredOutput) return false;
  if (stream !== undefined && stream !== traits.stream) return false;
  if (!isWithin(condition.promptTokens, traits.promptTokens) || !isWithin(condition.turns, traits.turns)) return false;
  return isOf(condition, traits) && isAt(condition, traits.at) && logicHolds(condition, traits);
}

/** True if the caller and the call's purpose match. */
function isOf({ surface, key, source, product, project, metadata, tag }: Condition, traits: CallTraits): boolean {
  if (!isAmong(surface, traits.surface) || !isAmong(key, traits.keyId) || !isAmong(source, traits.source)) return false;
  if (!isAmong(product, traits.product) || !isAmong(project, traits.project)) return false;
  if (tag !== undefined && !traits.tags.some((one) => tag.includes(one))) return false;
  if (metadata === undefined) return true;
  return Object.entries(metadata).every(
    ([name, values]) => Object.hasOwn(traits.metadata, name) && values.includes(traits.metadata[name]!),
  );
}

function isAt({ timeOfDay, weekday }: Condition, at: number): boolean {
  if (weekday !== undefined && !weekday.includes((utcDayNumber(at) + FIRST_WEEKDAY) % 7)) return false;
  if (timeOfDay === undefined) return true;
  const minute = Math.floor(at / MINUTE_MS) % MINUTES_A_DAY;
  const { from, to } = timeOfDay;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function logicHolds({ not, any }: Condition, traits: CallTraits): boolean {
  if (not !== undefined && holds(not, traits)) return false;
  return any === undefined || any.some((one) => holds(one, traits));
}

function isWithin(range: Range | undefined, count: number): boolean {
  if (range === undefined) return true;
  return (range.above === undefined || count > range.above) && (range.below === undefined || count < range.below);
}

function isAmong<Name extends string>(names: readonly Name[] | undefined, name: Name | null): boolean {
  return names === undefined || (name !== null && names.includes(name));
}
