import { z } from 'zod';
import { type HttpApi, operation } from '../api/operation.ts';
import { decimal, flag, named, seconds, text } from '../api/schema.ts';
import type { Feedback } from '../core/feedback.ts';
import type { Caller } from '../core/ports.ts';

/** A caller's rating of an answer. */
export type GivenFeedback = z.output<typeof feedbackRequest>;

/** Stored feedback, the route of its call, and whether the route learns from it. */
export type KeptFeedback = { feedback: Feedback; requestId: string; route: string | null; learned: boolean };

/** Stores feedback, or rejects with the `GatewayError` for the caller. */
export type GiveFeedback = (caller: Caller, given: GivenFeedback) => Promise<KeptFeedback>;

const MAX_NOTE_LENGTH = 2_000;
const MAX_ID_LENGTH = 200;

const SCORE = 'From 0, of no use, to 1, as good as can be.';
const fromZeroToOne = 'must be from 0 to 1';

const feedbackRequest = named(
  'FeedbackRequest',
  z.strictObject({
    request_id: z
      .string('must be text')
      .min(1, 'must not be empty')
      .max(MAX_ID_LENGTH, 'is not a request id')
      .describe('The `x-request-id` of the answer, or the id of its usage record.'),
    score: z.number('must be a number from 0 to 1').min(0, fromZeroToOne).max(1, fromZeroToOne).describe(SCORE),
    note: z
      .string('must be text')
      .max(MAX_NOTE_LENGTH, `must have at most ${MAX_NOTE_LENGTH} characters`)
      .nullish()
      .transform((note) => note ?? null),
  }),
);

export const CREATE_FEEDBACK = operation('createFeedback', 'POST /v1/feedback', {
  client: 'feedback.create',
  tag: 'Usage',
  summary: 'Rate the answer to a call; a smart route learns from it.',
  description:
    'With the key that made the call, or an administrator’s of its organization. A later score replaces an earlier one.',
  access: 'key',
  body: { schema: feedbackRequest },
  answer: {
    description: 'The stored feedback.',
    schema: named(
      'Feedback',
      z.object({
        object: z.literal('feedback'),
        request_id: text,
        usage_id: text,
        score: decimal.min(0).max(1).describe(SCORE),
        note: text.nullable(),
        created_at: seconds,
        route: text.nullable().describe('The route of the call.'),
        learned: flag.describe('Whether a smart route will learn from it.'),
      }),
    ),
  },
  errors: ['not_found'],
});

export function serveFeedback(served: HttpApi, give: GiveFeedback): void {
  CREATE_FEEDBACK.serve(served, async ({ caller, body }) => {
    const { feedback, requestId, route, learned } = await give(caller, body);
    return {
      object: 'feedback',
      request_id: requestId,
      usage_id: feedback.callId,
      score: feedback.score,
      note: feedback.note,
      created_at: Math.floor(feedback.at / 1000),
      route,
      learned,
    };
  });
}
