import * as z from 'zod';
import {
  bodyMemberFault,
  type OwnParameters,
  PARAMETER_EFFORTS,
  type ParameterName,
  type Parameters,
} from '../core/parameters.ts';
import { count, number, text, word } from './fields.ts';

const MAX_STOPS = 16;
const MAX_STOP = 200;
/** Members of `body`, and bytes of them as JSON. */
const MAX_BODY_MEMBERS = 32;
export const MAX_BODY_BYTES = 16_384;
/** The largest integer of 32 bits, which is what vendors take as a seed. */
const MAX_SEED = 2_147_483_647;

const vendorWord = text(/^[a-z0-9_-]{1,32}$/, 'must be a word of lower-case letters, digits, _ and -, 32 at most');

const body = z.record(z.string(), z.unknown()).superRefine((members, context) => {
  const names = Object.keys(members);
  if (names.length > MAX_BODY_MEMBERS) {
    context.addIssue({ code: 'custom', message: `must have at most ${MAX_BODY_MEMBERS} members` });
  } else if (Buffer.byteLength(JSON.stringify(members)) > MAX_BODY_BYTES) {
    context.addIssue({ code: 'custom', message: `must be at most ${MAX_BODY_BYTES} bytes as JSON` });
  }
  for (const name of names) {
    const message = bodyMemberFault(name, members[name]);
    if (message !== null) context.addIssue({ code: 'custom', path: [name], message });
  }
});

const values = {
  max_output_tokens: count(1).optional().describe('The most tokens of one answer.'),
  temperature: number(0, 2).optional().describe('The temperature, from 0 to 2.'),
  top_p: number(0, 1).optional().describe('Sampling from the likeliest tokens of this share.'),
  top_k: count(1, 1_000_000).optional().describe('Sampling from so many likeliest tokens.'),
  frequency_penalty: number(-2, 2).optional().describe('The penalty on frequent tokens, from -2 to 2.'),
  presence_penalty: number(-2, 2).optional().describe('The penalty on tokens seen before, from -2 to 2.'),
  seed: count(0, MAX_SEED).optional().describe('The seed of sampling.'),
  stop: z
    .array(
      z
        .string()
        .min(1, { error: 'must not be empty' })
        .max(MAX_STOP, { error: `must have at most ${MAX_STOP} characters` }),
    )
    .min(1, { error: 'must name at least one sequence' })
    .max(MAX_STOPS, { error: `may have at most ${MAX_STOPS}` })
    .optional()
    .describe('Sequences that end the answer.'),
  reasoning_effort: word(PARAMETER_EFFORTS).optional().describe('How much to think; `none`: not at all.'),
  thinking_budget: count(1).optional().describe('Tokens of thinking. Not beside `reasoning_effort`.'),
  verbosity: vendorWord.optional().describe('How wordy the answer is to be.'),
  service_tier: vendorWord.optional().describe('The tier of service.'),
  body: body.optional().describe('Outermost members of the body that the vendor is sent, in the vendor’s own words.'),
} satisfies Record<ParameterName | 'body', z.ZodType>;

function parameters() {
  return z.strictObject(values).superRefine((entry, context) => {
    if (entry.reasoning_effort === undefined || entry.thinking_budget === undefined) return;
    context.addIssue({ code: 'custom', path: ['thinking_budget'], message: 'cannot stand beside reasoning_effort' });
  });
}

/** The two settings that models and routes have. */
export const ownParameters = {
  defaults: parameters().optional().describe('Parameters of calls whose callers do not say them.'),
  force: parameters().optional().describe('Parameters of all calls, whatever their callers say.'),
};

type ParametersEntry = z.output<ReturnType<typeof parameters>>;
type OwnEntry = { defaults?: ParametersEntry | undefined; force?: ParametersEntry | undefined };

/** What a model or route says of parameters; `undefined` if nothing. */
export function parametersIn({ defaults = {}, force = {} }: OwnEntry): OwnParameters | undefined {
  const own = { defaults: said(defaults), force: said(force) };
  return Object.keys(own.defaults).length + Object.keys(own.force).length === 0 ? undefined : own;
}

function said(entry: ParametersEntry): Parameters {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
