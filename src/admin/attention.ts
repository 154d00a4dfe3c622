import type { EndingKey } from '../core/settings-store.ts';
import type { GatewayStatus, OutgoingRateStatus, TargetStatus } from '../core/target-status.ts';
import { type UnpricedTargets, unpricedSentence } from '../core/unpriced.ts';
import { utcDay } from '../core/utc-day.ts';

/** What may need somebody, by kind; of what is as bad, in this order. */
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
/** `critical`: calls fail, or may spend without an end that was wanted. `warning`: that is near. */
export const SEVERITIES = ['critical', 'warning'] as const;

/** What a concern may be about. */
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

/** From this part of its amount on a budget or limit is near its end, in hundredths. */
export const NEAR_END_PERCENT = 80;
export const KEY_ENDS_DAYS = 14;
export const MODEL_ENDS_DAYS = 60;
/** What refused a call so lately, or passed it over, refuses calls. */
export const REFUSING_MS = 3_600_000;
/** Of keys that end, so many of each kind are told of: those that end first. */
export const MAX_ENDING_KEYS = 200;

/** Of keys that read all usage since before that could be chosen, so many are counted, listed and named in a sentence. */
export const MAX_OLD_USAGE_KEYS = { counted: 1_000, listed: 20, named: 5 };

/** Something that somebody should look at. Times are Unix ms; what it has none of is left out. */
export type Concern = {
  /** The same as long as it is the same thing. */
  id: string;
  kind: ConcernKind;
  severity: (typeof SEVERITIES)[number];
  /** What it is about. */
  subject: { type: SubjectType; id: string; name: string };
  project?: { id: string; name: string } | null;
  /** In plain words, without amounts of money and times of day. */
  sentence: string;
  provider?: string;
  model?: string;
  credentials?: readonly string[];
  /** How much is used of how much: dollars, or requests or tokens in a minute. */
  use?: { unit: 'usd' | 'requests' | 'tokens'; used: number; limit: number };
  /** When a call was refused last, or passed over. */
  refusedAt?: number | null;
  /** The model or route that serves instead. */
  instead?: string | null;
  /** When it ends, is shut down, or begins anew. */
  at?: number | null;
  /** Routes that lead to a model. */
  routes?: readonly string[];
  lastError?: { message: string; at: number } | null;
  apiKeys?: readonly { id: string; name: string }[];
};

/** The worst first; of what is as bad, by kind, then what is nearest to its end. */
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

/** The share of a limit that is used; of a limit of zero all is. */
export function part({ used, limit }: { used: number; limit: number }): number {
  return limit > 0 ? used / limit : 1;
}

/** Whole hundredths that are used: what is not quite used up is not 100. */
export function percentOf(use: { used: number; limit: number }): number {
  return Math.floor(part(use) * 100);
}

/** Credentials that vendors refuse, and targets that get no calls. */
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
    sentence: credentials.length === 0 ? `${provider} wants a key, and has none.` : `${provider} refuses its key.`,
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
    sentence: `${model} of ${provider} ${circuit === 'open' ? 'gets no calls' : 'is being tried again'}: it failed too often.`,
  };
}

/** A provider, a key of it or a model that calls were passed over for lately, because as much was sent there as may be. */
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
    sentence: `${whose}${provider} was sent as much as it may be in a minute: calls passed it over.`,
  };
}

/** A route of which budgets leave targets out because they have no price. */
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

/** A budget that is used to so much, or refuses calls. */
export function usedSentence(name: string, percent: number, are: 'is' | 'are' = 'is'): string {
  return percent >= 100 ? `${name} ${are} used up.` : `${name} ${are} ${percent} % used.`;
}

/** A model that is called, or that routes lead to, and that its vendor shuts down on a day (`2026-12-01`). */
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
    sentence: `The ${what} ${name} ends on ${day}.`,
  };
}

/**
 * Keys that read the usage of the whole organization since before that could be chosen.
 *
 * @param keys - at least one, and at most one more than are counted
 */
export function concernOfOldUsage(organizationId: string, keys: readonly { id: string; name: string }[]): Concern {
  const { counted, listed, named } = MAX_OLD_USAGE_KEYS;
  const names = keys.slice(0, named).map(({ name }) => name);
  const rest = keys.length > counted ? `more than ${counted - named}` : `${keys.length - names.length}`;
  const told = keys.length > names.length ? `${names.join(', ')} and ${rest} more` : names.join(', ');
  const what = 'the usage of the whole organization, because nobody has chosen what';
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
