import type { ErrorKind, GatewayError } from '../../core/errors.ts';

/** What a failure says: of the model there, of the credential, or of neither (the call itself was wrong). */
export type Blame = 'target' | 'credential' | 'nobody';

/** Whom an error is to be blamed on. */
export function blameOf({ kind, status }: Pick<GatewayError, 'kind' | 'status'>): Blame {
  if (kind === 'upstream_unauthorized') return 'credential';
  if (kind === 'upstream_error') return status >= 500 ? 'target' : 'nobody';
  return TARGETS_FAULT.has(kind) ? 'target' : 'nobody';
}

const TARGETS_FAULT: ReadonlySet<ErrorKind> = new Set([
  'upstream_rate_limited',
  'upstream_unreachable',
  'upstream_disconnected',
  'upstream_invalid_answer',
  'upstream_timeout',
]);
