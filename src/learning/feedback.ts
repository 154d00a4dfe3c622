import { GatewayError } from '../core/errors.ts';
import type { Feedback, FeedbackStore } from '../core/feedback.ts';
import type { Caller, CallReader, Clock } from '../core/ports.ts';
import type { UsageDetail } from '../core/records.ts';
import type { ModelStore } from '../core/route-store.ts';

/** Where rows come from that callers' feedback makes. */
export const FEEDBACK_ORIGIN = 'feedback';

export type FeedbackParts = { calls: CallReader; feedback: FeedbackStore; models: ModelStore; clock: Clock };

/** What a caller thought of an answer; `request_id` may be the id of the call's usage record too. */
export type FeedbackInput = { request_id: string; score: number; note: string | null };

/** Feedback as it was kept; `learned` tells whether a smart route will learn from it. */
export type FeedbackResult = { feedback: Feedback; requestId: string; route: string | null; learned: boolean };

/**
 * Keeps what a caller thought of an answer, by the key that made the call, or an administrator's of its organization. A
 * later score takes the earlier one's place. Throws `GatewayError` (404) where the caller has made no such call.
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

/** The score becomes a row of its route, of the target that served the call; where no model was asked, there is nothing to learn. */
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
      // Who came to serve because others failed was not drawn.
      propensity: first !== undefined && isServer(first) ? propensity : 1,
    },
  ]);
  return true;
}
