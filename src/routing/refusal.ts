import { type ErrorDetails, type ErrorKind, GatewayError } from '../core/errors.ts';
import type { DialectId } from '../core/provider.ts';
import type { CallTraits, Decision, DecisionCandidate, LeftOut, LeftOutReason, Route } from '../core/route.ts';
import { NEARNESS, type SteeringMember } from './eligible.ts';

/** The most targets named in a message. */
const MAX_NAMED = 8;

/** Checks a route's own limits. `null` if the call keeps them. */
export function overLimits({ id, limits }: Route, traits: CallTraits): GatewayError | null {
  const { maxPromptTokens, maxOutputTokens } = limits;
  const { promptTokens, maxOutputTokens: wanted } = traits;
  if (maxPromptTokens !== null && promptTokens > maxPromptTokens) {
    const message = `The prompt has about ${promptTokens} tokens; \`${id}\` takes ${maxPromptTokens} at most.`;
    return new GatewayError('context_length_exceeded', message, {
      tooLong: { asked: promptTokens, most: maxPromptTokens },
    });
  }
  if (maxOutputTokens === null || wanted === null || wanted <= maxOutputTokens) return null;
  const message = `${wanted} tokens of output are asked for; \`${id}\` gives ${maxOutputTokens} at most.`;
  const param = outputParam(traits.surface);
  return new GatewayError('invalid_request', message, {
    code: 'integer_above_max_value',
    ...(param === null ? {} : { param }),
  });
}

/**
 * The error for a call that no target can serve. Its kind follows the target that came nearest: if only its circuit is
 * open, the call can be retried; if only its window is too small, the call is too long.
 * @param member named in the error if the caller's `provider` excludes all targets
 * @param disclose whether the message may name the targets, each with its reason
 */
export function refusal(
  { route, candidates, traits }: Decision,
  member: SteeringMember,
  disclose: boolean,
): GatewayError {
  const tried = candidates.filter(({ role }) => role === 'target' || role === 'fallback');
  const reasons = tried.flatMap(({ leftOut }) => leftOut?.reason ?? []);
  const nearest = reasons.reduce<LeftOutReason>(
    (best, reason) => (NEARNESS.indexOf(reason) > NEARNESS.indexOf(best) ? reason : best),
    NEARNESS[0]!,
  );
  const { kind, ...details } = kindOf(nearest, traits, member);
  const told = disclose ? ` ${reasonsOf(tried)}` : '';
  const message = `No target of \`${route}\` can serve this call.${told}`;
  if (kind !== 'no_target_available') return new GatewayError(kind, message, details);
  const waits = tried.flatMap((candidate) => waitOf(candidate, traits.at));
  return new GatewayError(kind, message, waits.length === 0 ? {} : { retryAfterMs: Math.max(1, Math.min(...waits)) });
}

/** The error if a route refuses calls rather than leave out targets without a price; `null` for other routes. */
export function unpricedRefusal({ candidates }: Decision, { id, unpriced, disclose }: Route): GatewayError | null {
  if (unpriced !== 'refuse') return null;
  const without = candidates.filter(({ role, leftOut }) => role === 'target' && leftOut?.reason === 'unpriced');
  if (without.length === 0) return null;
  const told = disclose ? ` ${reasonsOf(without)}` : '';
  const message = `\`${id}\` refuses calls under a budget or spend limit while one of its targets has no price.${told}`;
  return new GatewayError('model_unpriced', message, { param: 'model' });
}

/** The surface's field for the maximum output; `null` if it has several names. */
function outputParam(surface: DialectId): string | null {
  switch (surface) {
    case 'openai-responses':
      return 'max_output_tokens';
    case 'anthropic-messages':
      return 'max_tokens';
    case 'gemini':
      return 'generationConfig.maxOutputTokens';
    case 'bedrock-converse':
      return 'inferenceConfig.maxTokens';
    case 'openai-chat':
    case 'openai-embeddings':
      return null;
    default:
      return surface satisfies never;
  }
}

type Kind = Pick<ErrorDetails, 'param' | 'code'> & { kind: ErrorKind };

function kindOf(reason: LeftOutReason, { steering }: CallTraits, member: SteeringMember): Kind {
  switch (reason) {
    case 'surface':
      return { kind: 'invalid_request', param: 'model', code: 'unsupported_model' };
    case 'key_models':
      return { kind: 'model_not_allowed', param: 'model' };
    case 'model_limit':
      return { kind: 'rate_limit_exceeded', param: 'model' };
    case 'steering':
      return { kind: 'invalid_request', param: `provider.${member}` };
    case 'tools':
      return { kind: 'invalid_request', param: 'tools', code: 'unsupported_value' };
    case 'modality':
    case 'structured_output':
    case 'rule':
    case 'max_output':
      return { kind: 'invalid_request', code: 'unsupported_value' };
    case 'context_window':
      return { kind: 'context_length_exceeded' };
    case 'thread':
      return { kind: 'thread_not_found', param: 'thread.previous_message_id' };
    case 'unpriced':
      return { kind: 'model_unpriced', param: 'model' };
    case 'max_price':
      // Without the caller's ceiling it is the route's own, which callers cannot change.
      return (steering?.maxPrice ?? null) === null
        ? { kind: 'no_target_available' }
        : { kind: 'invalid_request', param: 'provider.max_price' };
    case 'unknown_model':
    case 'weight_zero':
    case 'region':
    case 'attempts':
    case 'credential_out':
    case 'circuit_open':
      return { kind: 'no_target_available' };
    default:
      return reason satisfies never;
  }
}

/** One sentence per target, however many credentials it has. */
function reasonsOf(candidates: readonly DecisionCandidate[]): string {
  const sentences = new Set(candidates.map(({ model, leftOut }) => `\`${model}\`: ${lowerCased(leftOut)}`));
  const shown = [...sentences].slice(0, MAX_NAMED);
  const more = sentences.size - shown.length;
  return `${shown.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
}

function lowerCased(leftOut: LeftOut | null): string {
  const detail = leftOut?.detail ?? 'It is not tried.';
  return `${detail[0]!.toLowerCase()}${detail.slice(1)}`;
}

/** The wait of a candidate that only its health excludes. */
function waitOf({ leftOut, health }: DecisionCandidate, now: number): number[] {
  if (leftOut?.reason !== 'circuit_open' && leftOut?.reason !== 'credential_out') return [];
  const until = Math.max(health.openUntil ?? 0, health.credentialOutUntil ?? 0);
  return until > 0 ? [until - now] : [];
}
