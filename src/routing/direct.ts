import { GatewayError } from '../core/errors.ts';
import type { Target, VendorEntry } from '../core/provider.ts';
import type { TargetHealth } from '../core/route.ts';
import { drawn, raced, STREAMS } from './chance.ts';

type HealthOf = (target: Target) => TargetHealth;

/**
 * Of a vendor's model that is called by its own name: its credentials that can be used, in a weighted random order. Empty
 * where none can. One that is alone is given back as it is: whoever sends the call there finds out.
 * @param targets the entry's, as a plan has them
 */
export function sharedOut(
  { accesses }: Pick<VendorEntry, 'accesses'>,
  targets: readonly Target[],
  healthOf: HealthOf,
  seed: number,
): readonly Target[] {
  if (targets.length === 1) return targets;
  const entries = targets.flatMap((target, at) => {
    const { credentialName } = target.provider;
    const weight = accesses.find(({ provider }) => provider.credentialName === credentialName)?.weight ?? 0;
    const { circuit, credentialOutUntil } = healthOf(target);
    if (weight <= 0 || circuit === 'open' || credentialOutUntil !== null) return [];
    return { target, at: raced(drawn(seed, STREAMS.credentials, at), weight) };
  });
  entries.sort((one, other) => one.at - other.at);
  return entries.map(({ target }) => target);
}

/** The refusal of a call that none of its targets takes now, with the time until the first may be tried. */
export function noneAvailable(name: string, targets: readonly Target[], healthOf: HealthOf, now: number): GatewayError {
  const waits = targets.map((target) => {
    const { openUntil, credentialOutUntil } = healthOf(target);
    return Math.max(1, (openUntil ?? 0) - now, (credentialOutUntil ?? 0) - now);
  });
  const message = `The provider of \`${name}\` failed too often, or refused the gateway's credential; it is left alone for a moment.`;
  return new GatewayError('no_target_available', message, { retryAfterMs: Math.min(...waits) });
}
