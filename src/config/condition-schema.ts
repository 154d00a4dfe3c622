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

/** Indexed as by `Date.getUTCDay`. */
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** `24:00` is allowed as an end. */
const TIME_OF_DAY = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

const name = text(/^[ -~]{1,256}$/, 'must be 1 to 256 characters of ASCII');

const range = z
  .strictObject({
    above: count(0).optional().describe('More than this.'),
    below: count(1).optional().describe('Less than this.'),
  })
  .refine(({ above, below }) => above !== undefined || below !== undefined, { error: 'must set above, below or both' })
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

/** The condition of a rule. The language is closed: conditions are compared, never executed. */
export const condition = z
  .strictObject({
    tools: flag().optional().describe('True if the call has tools.'),
    images: flag().optional().describe('True if the call has images.'),
    audio: flag().optional().describe('True if the call has audio.'),
    files: flag().optional().describe('True if the call has files.'),
    structured_output: flag().optional().describe('True if the call asks for JSON, with or without a schema.'),
    stream: flag().optional().describe('True if the call asks for a stream.'),
    prompt_tokens: range.optional().describe('The estimated length of the prompt, before it is sent.'),
    turns: range.optional().describe('The number of turns in the conversation.'),
    surface: oneOrMore(word(['chat', 'responses', 'messages', 'embeddings']))
      .optional()
      .describe('The API surface of the call: one of these, or a list.'),
    key: oneOrMore(name).optional().describe('Ids of API keys.'),
    source: oneOrMore(word(SOURCES)).optional().describe('The source of the call.'),
    product: oneOrMore(name).optional().describe('The products that make the call.'),
    project: oneOrMore(name).optional().describe('The projects that the call belongs to.'),
    metadata: z.record(name, oneOrMore(name)).optional().describe('Allowed values for each named metadata member.'),
    tag: oneOrMore(name).optional().describe('The call has one of these tags.'),
    time_of_day: timeOfDay.optional().describe('The time of the call (UTC); the range may pass midnight.'),
    weekday: oneOrMore(word(WEEKDAYS)).optional().describe('The days of the call (UTC).'),
    get not(): z.ZodOptional<typeof condition> {
      return condition.optional();
    },
    get any(): z.ZodOptional<z.ZodArray<typeof condition>> {
      return z.array(condition).min(1, { error: 'must name at least one condition' }).optional();
    },
  })
  .meta({
    id: 'Condition',
    description: 'Holds if every given member holds; `not` and `any` contain conditions.',
  });

export type ConditionEntry = z.output<typeof condition>;

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return hours * 60 + minutes;
}

/** Converts a condition for routing. An empty condition within `not` or `any` is meaningless, and reported. */
export function conditionOf(entry: ConditionEntry, path: Path, problem: Report): Condition {
  const within = (each: ConditionEntry, steps: Path): Condition => {
    if (Object.keys(each).length === 0) problem([...path, ...steps], 'must have at least one member');
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
