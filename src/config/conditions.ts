import type { Condition } from '../core/route.ts';
import { type ConditionEntry, SURFACES, WEEKDAYS } from './condition-schema.ts';
import { given } from './facts.ts';
import type { Path, Report } from './problems.ts';

/** A condition in our words. Within `not` and `any`, one that says nothing is a problem: it makes them say nothing too. */
export function conditionOf(entry: ConditionEntry, path: Path, problem: Report): Condition {
  const within = (each: ConditionEntry, steps: Path): Condition => {
    if (Object.keys(each).length === 0) problem([...path, ...steps], 'must say what a call must be');
    return conditionOf(each, [...path, ...steps], problem);
  };
  const { structured_output, prompt_tokens, time_of_day, surface, weekday, turns, metadata, not, any, ...same } = entry;
  return given({
    ...same,
    structuredOutput: structured_output,
    promptTokens: prompt_tokens && given(prompt_tokens),
    turns: turns && given(turns),
    surface: surface?.map((each) => SURFACES[each]),
    metadata,
    timeOfDay: time_of_day,
    weekday: weekday?.map((day) => WEEKDAYS.indexOf(day)),
    not: not && within(not, ['not']),
    any: any?.map((each, index) => within(each, ['any', index])),
  });
}
