import { GatewayError } from '../core/errors.ts';
import type { Feedback, FeedbackStore } from '../core/feedback.ts';
import type { Caller, CallReader, Clock } from '../core/ports.ts';
import type { UsageDetail } from '../core/records.ts';
import type { ModelStore } from '../core/route-store.ts';

/** The origin of rows made from callers' feedback. */
export const FEEDBACK_ORIGIN = 'feedback';

export type FeedbackParts = { calls: CallReader; feedback: FeedbackStore; models: ModelStore; clock: Clock };

/** A caller's rating of an answer. `request_id` may also be the id of the usage record. */
export type FeedbackInput = { request_id: string; score: number; note: string | null };

/** Stored feedback. `learned` is true if a smart route will learn from it. */
export type FeedbackResult = { feedback: Feedback; requestId: string; route: string | null; learned: boolean };

/**
 * Stores a caller's rating of an answer, with the key of the call or an admin key of its organization. A later score replaces
 * the earlier one. Throws `GatewayError` (404) if the caller has made no such call.
 */
export async function giveFeedback(
  parts: FeedbackParts,
  { key }: Caller,
  { request_id: id, score, note }: FeedbackInput,
): Promise<FeedbackResult> {
  const detail = await parts.calls.find(key.organizationId, id);
  if (detail === null || (detail.record.keyId !== key.id && !key.admin)) {
    throw new GatewayError('not_found', 'This API key has made no such call, or it has not ended yet.', {
      param: 'request_id',
    });
  }
  const { record } = detail;
  const feedback: Feedback = {
    callId: record.id,
    organizationId: record.organizationId,
    keyId: key.id,
    score,
    note,
    at: parts.clock.now(),
  };
  await parts.feedback.put(feedback);
  const learned = await learn(parts.models, detail, feedback);
  return { feedback, requestId: record.requestId, route: detail.decision?.route ?? null, learned };
}

/** Stores the score as a row of the route, for the serving target. Without a smart model there is nothing to learn. */
async function learn(models: ModelStore, { record, decision }: UsageDetail, feedback: Feedback): Promise<boolean> {
  const features = decision?.traits.features ?? null;
  if (decision === null || features === null || record.status !== 'succeeded') return false;
  const { candidates, order, propensity } = decision;
  const isServer = ({ provider, upstreamModel }: (typeof candidates)[number]) =>
    provider === record.provider && upstreamModel === record.upstreamModel;
  const served = candidates.find(isServer);
  if (served === undefined) return false;
  const first = order.length === 0 ? undefined : candidates[order[0]!];
  await models.addRows(decision.route, [
    {
      id: record.id,
      origin: FEEDBACK_ORIGIN,
      at: feedback.at,
      features,
      scores: { [served.model]: feedback.score },
      // A target that served because others failed was not chosen at random.
      propensity: first !== undefined && isServer(first) ? propensity : 1,
    },
  ]);
  return true;
}
