import { checkVendorKey, discoverModels } from '../catalog/vendor-models.ts';
import { GatewayError } from '../core/errors.ts';
import type { Provider } from '../core/provider.ts';
import type { TestOutcome, TriedProvider, TryProvider } from '../organization/providers/trial.ts';
import { presetOf, resolveProvider } from '../providers/resolve.ts';
import { CLOCK } from './setup.ts';
import { dialectHeadersOf, type Snapshot } from './snapshot.ts';
import { readSettingsProvider } from './stored/providers.ts';

/** Asks vendors for their models as the serving gateway would. */
export function providerTester(snapshot: () => Snapshot): TryProvider {
  return async (tried) => {
    const startedAt = CLOCK.monotonic();
    const outcome = await ask(snapshot(), tried);
    return { ...outcome, tookMs: Math.round(CLOCK.monotonic() - startedAt) };
  };
}

type AskedVendor = { provider: Provider; preset: string | null };

async function ask(snapshot: Snapshot, tried: TriedProvider): Promise<Omit<TestOutcome, 'tookMs'>> {
  const asked = askedOf(snapshot, tried);
  if ('off' in asked) return failed('none', `It is off: ${asked.off}.`);
  const { provider, preset } = asked;
  const dialectHeaders = dialectHeadersOf(provider);
  const hasKey = provider.credential !== null;
  try {
    const { models } = await discoverModels(snapshot.sockets, provider, { dialectHeaders });
    const key = hasKey ? await checkVendorKey(snapshot.sockets, provider, dialectHeaders) : 'none';
    if (key === 'refused') return failed(key, 'It lists its models, and refuses the key.');
    return { key, models: presetOf(preset ?? '')?.listsOtherThings ? null : models.length, fault: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const key = hasKey ? 'unknown' : 'none';
    return failed(error.badKey && hasKey ? 'refused' : key, faultOf(error));
  }
}

function failed(key: TestOutcome['key'], fault: string) {
  return { key, fault, models: null };
}

function askedOf({ setup, providers }: Snapshot, tried: TriedProvider): AskedVendor | { off: string } {
  if ('ofFile' in tried) {
    const row = setup.config.providers.find(({ id }) => id === tried.id);
    const served = providers.find(({ provider }) => provider.id === tried.id);
    return served === undefined
      ? { off: row?.off ?? 'it is gone' }
      : { provider: served.provider, preset: row?.preset ?? null };
  }
  const { id, definition, key } = tried;
  const read = readSettingsProvider(setup.config, id, definition, key === null ? [] : ['default']);
  if ('fault' in read) return { off: `${read.param} ${read.fault}` };
  if (read.off !== null) return { off: read.off };
  return { provider: resolveProvider(read, key), preset: read.preset };
}

/** The system's error code is shown. Its messages may contain more than should be shown. */
function faultOf({ message, cause }: GatewayError): string {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  if (code === 'ERR_NOT_PUBLIC')
    return 'Its address is not public, and `server.provider_hosts` does not name its host.';
  return code === null ? message : `${message} (${code})`;
}
