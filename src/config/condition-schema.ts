import * as z from 'zod';
import { SOURCES } from '../core/records.ts';
import type { Condition } from '../core/route.ts';
import { given } from './facts.ts';
import { count, flag, oneOrMore, text, word } from './fields.ts';
import type { Path, Report } from './problems.ts';

/** The surfaces, as conditions name them, and the dialect of each. */
export const SURFACES = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  messages: 'anthropic-messages',
  embeddings: 'openai-embeddings',
} as const;

/** In the order in which days are counted, from 0. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The end of a day is a time, too: `18:00-24:00`. */
const TIME_OF_DAY = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

const name = text(/^[ -~]{1,256}$/, 'must be 1 to 256 characters of ASCII');

const range = z
  .strictObject({
    above: count(0).optional().describe('More than this.'),
    below: count(1).optional().describe('Less than this.'),
  })
  .refine(({ above, below }) => above !== undefined || below !== undefined, { error: 'must say above, below or both' })
  .refine(({ above = -1, below = Number.POSITIVE_INFINITY }) => below - above > 1, {
    error: 'must leave a number between above and below',
  });

const timeOfDay = text(TIME_OF_DAY, 'must be two times of day (UTC) such as 22:00-06:00').transform(
  (value, context) => {
    const [from, to] = value.split('-').map(minutesOf) as [number, number];
    if (from !== to) return { from, to };
    context.addIssue({ code: 'custom', message: 'must begin and end at different times' });
    return z.NEVER;
  },
);

/** What a call must be for a rule to hold: a closed language, which is only compared, never run. */
export const condition = z
  .strictObject({
    tools: flag().optional().describe('It brings tools, or brings none.'),
    images: flag().optional().describe('It shows images.'),
    audio: flag().optional().describe('It has sound.'),
    files: flag().optional().describe('It brings files.'),
    structured_output: flag().optional().describe('It wants JSON, of any schema.'),
    stream: flag().optional().describe('It wants a stream.'),
    prompt_tokens: range.optional().describe('How long its prompt is, as far as that can be told before it is sent.'),
    turns: range.optional().describe('How many turns the conversation has.'),
    surface: oneOrMore(word(['chat', 'responses', 'messages', 'embeddings']))
      .optional()
      .describe('The surface it comes by: one of these, or a list of them.'),
    key: oneOrMore(name).optional().describe('Ids of API keys.'),
    source: oneOrMore(word(SOURCES)).optional().describe('Where it comes from.'),
    product: oneOrMore(name).optional().describe('The products that call.'),
    project: oneOrMore(name).optional().describe('The projects it is for.'),
    metadata: z.record(name, oneOrMore(name)).optional().describe('Each named value of its metadata is one of these.'),
    tag: oneOrMore(name).optional().describe('It has one of these tags.'),
    time_of_day: timeOfDay.optional().describe('When it comes (UTC); may pass midnight.'),
    weekday: oneOrMore(word(WEEKDAYS)).optional().describe('On which days (UTC) it comes.'),
    get not(): z.ZodOptional<typeof condition> {
      return condition.optional();
    },
    get any(): z.ZodOptional<z.ZodArray<typeof condition>> {
      return z.array(condition).min(1, { error: 'must name at least one condition' }).optional();
    },
  })
  .meta({
    id: 'Condition',
    description: 'Holds where every member that is given holds; `not` and `any` hold conditions.',
  });

export type ConditionEntry = z.output<typeof condition>;

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

/** A condition as the routes use it. Within `not` and `any`, an empty condition is a problem, since it makes them meaningless. */
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
