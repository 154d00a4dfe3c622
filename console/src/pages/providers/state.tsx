import type { Answer } from '../../api/call.ts';
import { setInText } from '../../parts/set-in.ts';
import { Badge } from '../../parts/states.tsx';

export type Provider = Answer<'retrieveProvider'>;

/** How a provider does, in a word or two: the worst that is known of it. */
export function ProviderState({ provider }: { provider: Provider }) {
  const { off, credentials, list, circuit, models } = provider;
  if (off !== null) return <Badge tone="warn">Off</Badge>;
  const refused = credentials.filter(({ state }) => state === 'refused').length;
  if (refused > 0 && refused === credentials.length) return <Badge tone="bad">Key refused</Badge>;
  if (circuit === 'open') return <Badge tone="bad">Circuit open</Badge>;
  if (refused > 0) return <Badge tone="warn">A key is refused</Badge>;
  if (circuit === 'half_open') return <Badge tone="warn">Being tried again</Badge>;
  if (list === 'key_refused') return <Badge tone="bad">Key refused</Badge>;
  if (list === 'failed' && models === 0) return <Badge tone="warn">Does not answer</Badge>;
  return <Badge tone="good">Working</Badge>;
}

/** Where it is set, for those that are not changed here. */
export function originWords({ origin, set_in: place }: Provider): string | null {
  if (origin === 'settings') return null;
  if (origin === 'environment') return 'Found by the environment of the gateway';
  return setInText(place) ?? 'Set in the configuration file';
}
