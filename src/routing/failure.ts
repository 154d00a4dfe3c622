import type { GatewayError } from '../core/errors.ts';

/**
 * What a failed attempt means for a retry. `unreached`: nothing was sent. `refused`: the vendor reported before any
 * answer that it is at capacity. `credential`: it refuses the operator's account. `unanswered`: it may have processed
 * the call, and charge for it. `context`, `policy`, `rejected`: it refuses this call for its length, its content or
 * another reason, or the call cannot be written in its dialect. `final`: no other target would do better.
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

/** Statuses that mean that a vendor is at capacity. */
const NO_ROOM: ReadonlySet<number> = new Set([429, 503, 529]);

/** Codes for a refusal of the prompt's content at OpenAI, Azure, Alibaba and Zhipu. */
const POLICY_CODES =
  /^(content_filter|content_policy_violation|responsibleaipolicyviolation|data_?inspection_?failed|moderation_blocked|1301)$/i;

/** Classifies a failure of which the caller has received nothing. */
export function classify(error: GatewayError): FailureClass {
  switch (error.kind) {
    case 'upstream_unreachable':
      return 'unreached';
    case 'upstream_rate_limited':
    case 'provider_busy':
    // The operator's rate for the target has no room for another request of the attempt.
    case 'rate_limit_exceeded':
    case 'token_limit_exceeded':
      return 'refused';
    case 'upstream_unauthorized':
    case 'upstream_account_empty':
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
