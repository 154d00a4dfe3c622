import { undatedName } from './model-name.ts';

/**
 * Which of a project's rates, by the names that they were set for, a call counts against: the first of the names that its model
 * goes by (`namesOf`) that has a rate, then the first that has one without its date.
 */
export function rateFor<Rate>(names: readonly string[], rates: ReadonlyMap<string, Rate>): Rate | undefined {
  const named = names.find((name) => rates.has(name));
  if (named !== undefined) return rates.get(named);
  const undated = names.map(undatedName).find((name) => name !== null && rates.has(name)) ?? null;
  return undated === null ? undefined : rates.get(undated);
}
