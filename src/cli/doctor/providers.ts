import type { Probe } from '../toolbox.ts';
import { countText } from '../words.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** A line each, in their order. */
export function checkProviders(probes: readonly Probe[]): Check[] {
  if (probes.length > 0) return probes.map(checkProvider);
  return [warn('providers', 'no vendor is on: set a key such as OPENAI_API_KEY, or name one in headgate.yaml')];
}

/** Whether it can be reached, takes our key, and answers as it should. */
export function checkProvider({ provider, hasKey, result, tookMs }: Probe): Check {
  const name = `provider ${provider}`;
  if ('models' in result) return ok(name, `answers: ${countText(result.models, 'model')} in ${Math.round(tookMs)} ms`);
  const { kind, message, cause } = result.error;
  switch (kind) {
    case 'upstream_unauthorized':
      return fail(name, hasKey ? `refuses the key: ${message}` : `wants a key, and none is set: ${message}`);
    case 'upstream_unreachable':
    case 'upstream_disconnected':
    case 'upstream_timeout':
      return fail(name, `cannot be reached: ${message}${reasonOf(cause)}`);
    default:
      return warn(
        name,
        `can be reached, but: ${message} Not every vendor lists its models; calls may work all the same.`,
      );
  }
}

/** The system's word for what went wrong (`ECONNREFUSED`); its sentences may have more in them than should be shown. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
}
