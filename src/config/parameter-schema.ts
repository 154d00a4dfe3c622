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
/** Limits of `body`: members, and bytes as JSON. */
const MAX_BODY_MEMBERS = 32;
export const MAX_BODY_BYTES = 16_384;
/** Vendors take seeds of 32-bit signed integers. */
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
  top_p: number(0, 1).optional().describe('Nucleus sampling: the probability mass of the tokens considered.'),
  top_k: count(1, 1_000_000).optional().describe('The number of most likely tokens considered.'),
  frequency_penalty: number(-2, 2).optional().describe('Penalty on frequent tokens, from -2 to 2.'),
  presence_penalty: number(-2, 2).optional().describe('Penalty on tokens that have occurred, from -2 to 2.'),
  seed: count(0, MAX_SEED).optional().describe('The sampling seed.'),
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
  reasoning_effort: word(PARAMETER_EFFORTS).optional().describe('The reasoning effort; `none` disables reasoning.'),
  thinking_budget: count(1)
    .optional()
    .describe('The thinking budget in tokens. Cannot be combined with `reasoning_effort`.'),
  verbosity: vendorWord.optional().describe('The verbosity of the answer.'),
  service_tier: vendorWord.optional().describe('The service tier.'),
  body: body.optional().describe('Top-level members added to the request body, in the vendor’s format.'),
} satisfies Record<ParameterName | 'body', z.ZodType>;

function parameters() {
  return z.strictObject(values).superRefine((entry, context) => {
    if (entry.reasoning_effort === undefined || entry.thinking_budget === undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['thinking_budget'],
      message: 'cannot be combined with reasoning_effort',
    });
  });
}

/** The parameter settings of models and routes. */
export const ownParameters = {
  defaults: parameters().optional().describe('Parameters for calls that do not set them.'),
  force: parameters().optional().describe('Parameters for all calls, which override those of callers.'),
};

type ParametersEntry = z.output<ReturnType<typeof parameters>>;
type OwnEntry = { defaults?: ParametersEntry | undefined; force?: ParametersEntry | undefined };

/** The parameters of a model or route; `undefined` without any. */
export function parametersIn({ defaults = {}, force = {} }: OwnEntry): OwnParameters | undefined {
  const own = { defaults: said(defaults), force: said(force) };
  return Object.keys(own.defaults).length + Object.keys(own.force).length === 0 ? undefined : own;
}

function said(entry: ParametersEntry): Parameters {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
