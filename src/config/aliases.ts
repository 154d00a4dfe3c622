import type { ProviderConfig } from './config.ts';
import type { Report } from './problems.ts';
import { ECHO } from './providers.ts';

/** Leads each alias to its model, through any other alias. One that comes back to itself is a problem. */
export function resolveAliases(aliases: ReadonlyMap<string, string>, problem: Report): Map<string, string> {
  const resolved = new Map<string, string>();
  for (const name of aliases.keys()) {
    const way = [name];
    let next = aliases.get(name);
    while (next !== undefined && !way.includes(next)) {
      way.push(next);
      next = aliases.get(next);
    }
    if (next === undefined) resolved.set(name, way.at(-1)!);
    else problem(['aliases', name], `never leads to a model: ${[...way, next].join(' → ')}`);
  }
  return resolved;
}

/**
 * The aliases that lead to nothing known now. A provider without a list of models may have any, so an alias is in
 * doubt only where no such provider is on, or where the model is listed by a provider that is off.
 */
export function deadAliases(
  aliases: ReadonlyMap<string, string>,
  providers: readonly ProviderConfig[],
  echo: boolean,
): [name: string, target: string][] {
  const on = providers.filter((provider) => provider.off === null);
  const off = providers.filter((provider) => provider.off !== null);
  const lives = (target: string): boolean => {
    if (echo && (target === ECHO || target.startsWith(`${ECHO}/`))) return true;
    if (on.some((provider) => lists(provider, target))) return true;
    return on.some((provider) => provider.models === null) && !off.some((provider) => lists(provider, target));
  };
  return [...aliases].filter(([, target]) => !lives(target));
}

function lists(provider: ProviderConfig, target: string): boolean {
  const isNamed = target.startsWith(`${provider.id}/`);
  if (isNamed && provider.models === null) return true;
  return (provider.models ?? []).some(({ id }) => target === id || target === `${provider.id}/${id}`);
}
