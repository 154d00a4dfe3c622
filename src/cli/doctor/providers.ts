import type { Probe } from '../../core/operator.ts';
import { countText } from '../phrases.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** The most names of one provider that are listed. */
const MAX_NAMES = 5;

/** One line for each key of each provider, in their order. */
export function checkProviders(probes: readonly Probe[]): Check[] {
  if (probes.length > 0) return probes.flatMap((probe) => [checkProvider(probe), ...checkNames(probe)]);
  return [
    warn('providers', 'no vendor is enabled: set a key such as OPENAI_API_KEY, or add a provider to headgate.yaml'),
  ];
}

/** Whether it can be reached, accepts our key, and answers correctly. */
export function checkProvider({ provider, credential, has_key: hasKey, result, took_ms: tookMs }: Probe): Check {
  const name = `provider ${provider}${credential === null ? '' : `/${credential}`}`;
  if ('models' in result) return ok(name, `answers: ${countText(result.models, 'model')} in ${Math.round(tookMs)} ms`);
  const { kind, message, code } = result.failure;
  switch (kind) {
    case 'upstream_unauthorized':
      return fail(name, hasKey ? `refuses the key: ${message}` : `needs a key, and none is set: ${message}`);
    case 'upstream_unreachable':
      return fail(name, `cannot be reached: ${code ?? message}`);
    case 'upstream_disconnected':
    case 'upstream_timeout':
      return fail(name, `cannot be reached: ${message}${code === null ? '' : ` (${code})`}`);
    default:
      return warn(name, `can be reached, but: ${message} Not every vendor lists its models, so calls may still work.`);
  }
}

/** Configured names that the vendor does not list: removed, misspelt, or local names. */
function checkNames({ provider, gone }: Probe): Check[] {
  if (gone.length === 0) return [];
  const more = gone.length > MAX_NAMES ? ` and ${gone.length - MAX_NAMES} more` : '';
  const names = `${gone.slice(0, MAX_NAMES).join(', ')}${more}`;
  return [warn(`models ${provider}`, `the configuration uses ${names}, which ${provider} does not list`)];
}
