import { inSeconds, inSecondsOrNull } from '../../api/fields.ts';
import type { Written } from '../../api/schema.ts';
import type { StoredCredential } from '../../core/settings.ts';
import { CIRCUITS, type GatewayStatus, type TargetStatus } from '../../core/target-status.ts';
import type { PROVIDER, PROVIDER_CREDENTIAL } from './schemas.ts';
import type { KnownProvider } from './service.ts';

/** The present status of providers. */
export type ProviderState = {
  status: GatewayStatus;
  /** The number of callable models of each provider. */
  models: ReadonlyMap<string, number>;
  /** Unix ms. */
  now: number;
};

export function providerJson(provider: KnownProvider, state: ProviderState): Written<typeof PROVIDER> {
  const { id, label, address, off, setting, place } = provider;
  const targets = state.status.targets.filter((each) => each.provider === id);
  const said = state.status.providers.find((each) => each.provider === id);
  return {
    id,
    object: 'organization.provider',
    label,
    base_url: address,
    definition: setting === null ? provider.definition : setting.value.definition,
    origin: setting !== null ? 'settings' : place === null ? 'environment' : 'file',
    set_in: place,
    off,
    credentials: credentialsOf(provider, { ...state, targets, refused: said?.refusedCredentials ?? [] }),
    list: said?.list ?? null,
    models: state.models.get(id) ?? 0,
    ...callsOf(targets),
    created_at: inSecondsOrNull(setting?.createdAt ?? null),
    updated_at: inSecondsOrNull(setting?.value.updatedAt ?? null),
    version: setting?.version ?? null,
  };
}

/** The same for one credential. */
export function credentialJson(
  provider: KnownProvider,
  credentialId: string,
  state: ProviderState,
): Written<typeof PROVIDER_CREDENTIAL> {
  return providerJson(provider, state).credentials.find(({ id }) => id === credentialId)!;
}

function credentialsOf(
  provider: KnownProvider,
  { targets, refused, now }: { targets: readonly TargetStatus[]; refused: readonly string[]; now: number },
): Written<typeof PROVIDER_CREDENTIAL>[] {
  const all: readonly (StoredCredential | { name: string; weight: number; hint: string })[] =
    provider.setting?.value.credentials ?? (provider.setting === null ? provider.credentials : []);
  return all.map((each) => {
    const { name, weight, hint } = each;
    const outUntil = targets
      .filter(({ credential }) => credential === name)
      .reduce((latest, { credentialOutUntil }) => Math.max(latest, credentialOutUntil ?? 0), 0);
    const isRefused = outUntil > now || refused.includes(name);
    const isKept = 'id' in each;
    return {
      id: isKept ? each.id : null,
      object: 'organization.provider.credential',
      name,
      weight,
      hint,
      created_at: isKept ? inSeconds(each.createdAt) : null,
      updated_at: isKept ? inSeconds(each.updatedAt) : null,
      state: provider.off !== null ? 'off' : isRefused ? 'refused' : 'in_use',
      out_until: outUntil > now ? inSeconds(outUntil) : null,
    };
  });
}

/** The status from calls of all its models. */
function callsOf(targets: readonly TargetStatus[]) {
  const calls = targets.reduce((sum, { recentCalls }) => sum + recentCalls, 0);
  const failed = targets.reduce((sum, { recentCalls, errorRate }) => sum + recentCalls * (errorRate ?? 0), 0);
  const worst = Math.max(...targets.map(({ circuit }) => CIRCUITS.indexOf(circuit)));
  const errors = targets.flatMap(({ lastError }) => (lastError === null ? [] : [lastError]));
  const last = errors.sort((one, other) => other.at - one.at)[0];
  return {
    circuit: CIRCUITS[worst] ?? null,
    recent_calls: calls,
    error_rate: calls === 0 ? null : failed / calls,
    last_error: last === undefined ? null : { ...last, at: inSeconds(last.at) },
  };
}
