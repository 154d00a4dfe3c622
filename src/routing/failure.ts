import type { GatewayError } from '../core/errors.ts';

/**
 * What a failed attempt says about trying again. `unreached`: no byte of it was sent. `refused`: the vendor said before any
 * answer that it has no room now. `credential`: it refuses the operator's account. `unanswered`: it may have worked on the
 * call, and charge for it. `context`, `policy`, `rejected`: it refuses this very call, for its length, its content, or
 * anything else, or cannot be put in its words. `final`: no other target would do better.
 */
export type FailureClass =
  | 'unreached'
  | 'refused'
  | 'credential'
  | 'unanswered'
  | 'context'
  | 'policy'
  | 'rejected'
  | 'final';

/** Statuses by which vendors say that they have no room now. */
const NO_ROOM: ReadonlySet<number> = new Set([429, 503, 529]);

/** As vendors name a refusal of what a prompt says: OpenAI, Azure, Alibaba, Zhipu. */
const POLICY_CODES =
  /^(content_filter|content_policy_violation|responsibleaipolicyviolation|data_?inspection_?failed|moderation_blocked|1301)$/i;

/** Sorts a failure that the caller has seen nothing of. */
export function classify(error: GatewayError): FailureClass {
  switch (error.kind) {
    case 'upstream_unreachable':
      return 'unreached';
    case 'upstream_rate_limited':
    case 'provider_busy':
      return 'refused';
    case 'upstream_unauthorized':
      return 'credential';
    case 'upstream_error':
      return NO_ROOM.has(error.status) ? 'refused' : 'unanswered';
    case 'upstream_disconnected':
    case 'upstream_invalid_answer':
    case 'upstream_timeout':
      return 'unanswered';
    case 'invalid_request':
      return 'rejected';
    case 'upstream_rejected':
      if (error.code === 'context_length_exceeded') return 'context';
      return POLICY_CODES.test(error.code ?? '') ? 'policy' : 'rejected';
    default:
      return 'final';
  }
}
