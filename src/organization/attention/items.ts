import type { EndingKey } from '../../core/settings-store.ts';
import type { GatewayStatus, OutgoingRateStatus, TargetStatus } from '../../core/target-status.ts';
import { type UnpricedTargets, unpricedSentence } from '../../core/unpriced.ts';
import { utcDay } from '../../core/utc-day.ts';

/** The kinds of problems; of equal severity, in this order. */
export const CONCERN_KINDS = [
  'credential_refused',
  'circuit',
  'budget',
  'spend_limit',
  'rate_limit',
  'outgoing_rate',
  'model_shutdown',
  'unpriced_targets',
  'api_key_expiry',
  'admin_api_key_expiry',
  'api_key_usage',
] as const;
export type ConcernKind = (typeof CONCERN_KINDS)[number];
/** `critical`: calls fail, or spending is unlimited against intention. `warning`: this is near. */
export const SEVERITIES = ['critical', 'warning'] as const;

/** What a problem is about. */
export const SUBJECT_TYPES = [
  'provider',
  'budget',
  'organization',
  'project',
  'model',
  'route',
  'api_key',
  'admin_api_key',
] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** A budget or limit is nearly used up from this percentage on. */
export const NEAR_END_PERCENT = 80;
export const KEY_ENDS_DAYS = 14;
export const MODEL_ENDS_DAYS = 60;
/** A refusal or skip this recent means that calls are being refused. */
export const REFUSING_MS = 3_600_000;
/** The most expiring keys of each kind that are listed: those that expire first. */
export const MAX_ENDING_KEYS = 200;

/** Limits for keys older than usage scopes that read all usage: counted, listed, and named in the sentence. */
export const MAX_OLD_USAGE_KEYS = { counted: 1_000, listed: 20, named: 5 };

/** A problem that needs attention. Times are Unix ms; members without a value are left out. */
export type Concern = {
  /** Stable as long as the same problem exists. */
  id: string;
  kind: ConcernKind;
  severity: (typeof SEVERITIES)[number];
  /** What it is about. */
  subject: { type: SubjectType; id: string; name: string };
  project?: { id: string; name: string } | null;
  /** A description in plain words, without amounts and times of day. */
  sentence: string;
  provider?: string;
  model?: string;
  credentials?: readonly string[];
  /** The used part and the limit: dollars, or requests or tokens per minute. */
  use?: { unit: 'usd' | 'requests' | 'tokens'; used: number; limit: number };
  /** The last refused or skipped call. */
  refusedAt?: number | null;
  /** The model or route that serves instead. */
  instead?: string | null;
  /** When it expires, is shut down, or resets. */
  at?: number | null;
  /** Routes that lead to a model. */
  routes?: readonly string[];
  lastError?: { message: string; at: number } | null;
  apiKeys?: readonly { id: string; name: string }[];
};

/** Sorted by severity, then by kind, then by what is nearest to its end. */
export function inOrder(concerns: readonly Concern[]): Concern[] {
  return concerns.toSorted(
    (one, other) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      CONCERN_KINDS.indexOf(one.kind) - CONCERN_KINDS.indexOf(other.kind) ||
      partOf(other) - partOf(one) ||
      (one.at ?? 0) - (other.at ?? 0) ||
      (one.id < other.id ? -1 : 1),
  );
}

function partOf({ use }: Concern): number {
  return use === undefined ? 0 : part(use);
}

/** The used share of a limit; 1 for a limit of zero. */
export function part({ used, limit }: { used: number; limit: number }): number {
  return limit > 0 ? used / limit : 1;
}

/** The used percentage, rounded down: what is not quite used up is not 100. */
export function percentOf(use: { used: number; limit: number }): number {
  return Math.floor(part(use) * 100);
}

/** Credentials that vendors refuse, and targets with an open circuit. */
export function concernsOfTargets({ targets, providers }: GatewayStatus, now: number): Concern[] {
  const refused = providers.flatMap(({ provider, list, refusedCredentials }): Concern[] =>
    list === 'key_refused' || refusedCredentials.length > 0 ? [concernOfRefusal(provider, refusedCredentials)] : [],
  );
  const known = new Set(refused.map(({ provider }) => provider));
  const out = targets.filter(({ credentialOutUntil: until }) => until !== null && until > now);
  const outside = Map.groupBy(
    out.filter(({ provider }) => !known.has(provider)),
    ({ provider }) => provider,
  );
  return [
    ...refused,
    ...[...outside].map(([provider, all]) => ({
      ...concernOfRefusal(provider, [...new Set(all.map(({ credential }) => credential))]),
      lastError:
        all.map(({ lastError }) => lastError).sort((one, other) => (other?.at ?? 0) - (one?.at ?? 0))[0] ?? null,
    })),
    ...targets.filter(({ circuit }) => circuit !== 'closed').map(concernOfCircuit),
  ];
}

function concernOfRefusal(provider: string, credentials: readonly string[]): Concern {
  return {
    id: `credential_refused ${provider}`,
    kind: 'credential_refused',
    severity: 'critical',
    subject: { type: 'provider', id: provider, name: provider },
    provider,
    credentials,
    sentence: credentials.length === 0 ? `${provider} needs a key and has none.` : `${provider} refuses its key.`,
  };
}

function concernOfCircuit({ provider, upstreamModel: model, credential, circuit, ...rest }: TargetStatus): Concern {
  return {
    id: `circuit ${provider} ${model} ${credential}`,
    kind: 'circuit',
    severity: circuit === 'open' ? 'critical' : 'warning',
    subject: { type: 'provider', id: provider, name: provider },
    provider,
    model,
    credentials: [credential],
    at: rest.openUntil,
    lastError: rest.lastError,
    sentence: `${model} of ${provider} ${circuit === 'open' ? 'gets no calls' : 'is being tested'} because it failed too often.`,
  };
}

/** A provider, key or model that calls skipped recently because of its outgoing rate limit. */
export function concernsOfOutgoing({ outgoing }: Pick<GatewayStatus, 'outgoing'>, now: number): Concern[] {
  return outgoing.filter(({ fullAt }) => fullAt !== null && fullAt > now - REFUSING_MS).map(concernOfOutgoing);
}

function concernOfOutgoing({ provider, credential, model, fullAt, fullUntil }: OutgoingRateStatus): Concern {
  const whose = model === null ? (credential === null ? '' : `The key ${credential} of `) : `${model} of `;
  return {
    id: `outgoing_rate ${JSON.stringify([provider, credential, model])}`,
    kind: 'outgoing_rate',
    severity: 'warning',
    subject: { type: 'provider', id: provider, name: provider },
    provider,
    ...(model !== null && { model }),
    credentials: credential === null ? [] : [credential],
    refusedAt: fullAt,
    at: fullUntil,
    sentence: `${whose}${provider} reached its rate limit, and calls skipped it.`,
  };
}

/** A route with targets that budgets skip because they have no price. */
export function concernOfUnpriced(unpriced: UnpricedTargets): Concern {
  const { route } = unpriced;
  return {
    id: `unpriced_targets ${route}`,
    kind: 'unpriced_targets',
    severity: 'warning',
    subject: { type: 'route', id: route, name: route },
    routes: [route],
    sentence: unpricedSentence(unpriced),
  };
}

/** A budget that is nearly used up, or refuses calls. */
export function usedSentence(name: string, percent: number, are: 'is' | 'are' = 'is'): string {
  return percent >= 100 ? `${name} ${are} used up.` : `${name} ${are} ${percent} % used.`;
}

/** A model that is called or in a route, and that its vendor shuts down on a day (`2026-12-01`). */
export function concernOfModel(
  id: string,
  day: string,
  { now, routes }: { now: number; routes: readonly string[] },
): Concern {
  const at = Date.parse(day);
  return {
    id: `model_shutdown ${id}`,
    kind: 'model_shutdown',
    severity: at <= now ? 'critical' : 'warning',
    subject: { type: 'model', id, name: id },
    model: id,
    at,
    routes,
    sentence: `${id} ${at <= now ? 'was' : 'is'} shut down by its vendor on ${day.slice(0, 10)}.`,
  };
}

export function concernOfKey(
  kind: 'api_key_expiry' | 'admin_api_key_expiry',
  { id, name, endsAt, project }: EndingKey,
): Concern {
  const what = kind === 'api_key_expiry' ? 'key' : 'administration key';
  const day = utcDay(endsAt);
  return {
    id: `${kind} ${id}`,
    kind,
    severity: 'warning',
    subject: { type: kind === 'api_key_expiry' ? 'api_key' : 'admin_api_key', id, name },
    project,
    at: endsAt,
    sentence: `The ${what} ${name} expires on ${day}.`,
  };
}

/**
 * Keys older than usage scopes that read the usage of the whole organization.
 *
 * @param keys - at least one, and at most one more than are counted
 */
export function concernOfOldUsage(organizationId: string, keys: readonly { id: string; name: string }[]): Concern {
  const { counted, listed, named } = MAX_OLD_USAGE_KEYS;
  const names = keys.slice(0, named).map(({ name }) => name);
  const rest = keys.length > counted ? `more than ${counted - named}` : `${keys.length - names.length}`;
  const told = keys.length > names.length ? `${names.join(', ')} and ${rest} more` : names.join(', ');
  const what = 'the usage of the whole organization, because nobody has set what';
  const many = keys.length > counted ? `More than ${counted}` : `${keys.length}`;
  return {
    id: `api_key_usage ${organizationId}`,
    kind: 'api_key_usage',
    severity: 'warning',
    subject: { type: 'organization', id: organizationId, name: 'the organization' },
    apiKeys: keys.slice(0, listed).map(({ id, name }) => ({ id, name })),
    sentence:
      keys.length === 1
        ? `The key ${names[0]} reads ${what} it reads.`
        : `${many} keys read ${what} they read: ${told}.`,
  };
}
