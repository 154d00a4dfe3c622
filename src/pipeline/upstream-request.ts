import type { ErrorKind, GatewayError, VendorDetails } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import type { DialectId, Provider, Target } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { vendorHeaders } from '../providers/resolve.ts';
import { Redactor, secretsOf } from './redactor.ts';

/** Members by which a caller controls routing. They are not sent to vendors. */
const STEERING_MEMBERS: readonly string[] = ['models', 'provider'];
/** Members by which vendors that are gateways themselves let a caller name further models. */
export const FURTHER_MODELS: readonly string[] = [
  'models',
  'fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
];
const NONE: readonly string[] = [];
const ALL_CHOICES: readonly string[] = [...new Set([...STEERING_MEMBERS, ...FURTHER_MODELS])];

/**
 * The members of a body that a vendor is not sent; `null`: none. Where models or money of a key are limited, its vendor may not
 * serve another model than the one that was admitted.
 */
export function withheldMembers(isSteered: boolean, key: ApiKey): readonly string[] | null {
  if (areModelsLimited(key)) return isSteered ? ALL_CHOICES : FURTHER_MODELS;
  return isSteered ? STEERING_MEMBERS : null;
}

/** Those of them that the gateway has followed itself: what a vendor is not sent of these is no loss. */
export function followedMembers(isSteered: boolean): readonly string[] {
  return isSteered ? STEERING_MEMBERS : NONE;
}

function areModelsLimited({ allowedModels, product, spendLimit, inForce }: ApiKey): boolean {
  if (allowedModels !== null || product !== null || spendLimit !== null) return true;
  if (inForce === undefined) return false;
  const { models, rates, spendLimits, budgets } = inForce;
  return models !== null || rates.size + spendLimits.length + budgets.length > 0;
}

const USER_AGENT = 'headgate';
/** The most characters kept of a vendor's request id. */
const MAX_REQUEST_ID = 200;

type HeaderSets = { whole: string[]; stream: string[] };

/** A provider's headers are the same for each call, so they are made once. A reload makes new providers. */
const headersOf = new WeakMap<Provider, Map<DialectId, HeaderSets>>();

/** The headers of a request to a provider. `forwarded`: the caller's headers, which replace those of the same name. */
export function upstreamHeaders(
  provider: Provider,
  spoken: Dialect,
  stream: boolean,
  forwarded: readonly string[],
): string[] {
  const sets = headerSets(provider, spoken);
  const headers = stream ? sets.stream : sets.whole;
  return forwarded.length === 0 ? headers : replaced(headers, forwarded);
}

/** The vendor's request id, for support requests; without the provider's key and address. */
export function upstreamRequestId(headers: UpstreamHeaders, provider: Provider): string | null {
  const id = headers['x-request-id'] ?? headers['request-id'];
  return typeof id === 'string' ? cleanWords(id.slice(0, MAX_REQUEST_ID), provider) : null;
}

/**
 * The error without the provider's key (also parts or encodings of it) and address in its message, `type`, `code`,
 * `param` and details.
 */
export function cleanError(error: GatewayError, { provider }: Target): GatewayError {
  const message = cleanWords(error.message, provider);
  const [type, code, param] = [error.type, error.code, error.param].map((word) => word && cleanWords(word, provider));
  const details = cleanDetails(error.details, provider);
  const isClean = type === error.type && code === error.code && param === error.param && details === error.details;
  if (isClean && message === error.message) return error;
  return error.with({ message, type: type ?? error.type, code: code ?? null, param: param ?? null, details });
}

/** The details as they are, or their code alone if a secret is in them. */
function cleanDetails(details: VendorDetails | null, provider: Provider): VendorDetails | null {
  if (details === null) return null;
  const json = JSON.stringify(details);
  if (cleanWords(json, provider) === json) return details;
  return { error_code: cleanWords(details.error_code, provider) };
}

/** Kinds whose messages are always the gateway's own, and begin with these words where a provider is at fault. */
const OF_A_PROVIDER: ReadonlySet<ErrorKind> = new Set([
  'upstream_unauthorized',
  'upstream_account_empty',
  'upstream_unreachable',
  'upstream_disconnected',
  'upstream_timeout',
]);
const THE_PROVIDER = 'The provider';

/** The error with the name of the provider that is at fault, for callers who may know who serves them. */
export function withProvider(error: GatewayError, { provider }: Target): GatewayError {
  if (!OF_A_PROVIDER.has(error.kind) || !error.message.startsWith(THE_PROVIDER)) return error;
  return error.with({ message: `${THE_PROVIDER} ${provider.id}${error.message.slice(THE_PROVIDER.length)}` });
}

/** The provider's addresses to remove, longest first. A host that may be a word (`http://model`) is not removed. */
function addressesOf({ transport, baseUrl }: Provider): string[] {
  if (transport !== 'http') return [];
  const { origin, host, hostname } = new URL(baseUrl);
  return [baseUrl, origin, ...[host, hostname].filter((each) => /[.:]/.test(each))];
}

/** What to remove for each provider, made when the first text is cleaned. */
const takenOutOf = new WeakMap<Provider, { secrets: Redactor; addresses: readonly string[] }>();

function cleanWords(text: string, provider: Provider): string {
  let takenOut = takenOutOf.get(provider);
  if (takenOut === undefined) {
    takenOut = { secrets: new Redactor(secretsOf(provider)), addresses: addressesOf(provider) };
    takenOutOf.set(provider, takenOut);
  }
  return takenOut.addresses.reduce((rest, word) => rest.replaceAll(word, '***'), takenOut.secrets.redact(text));
}

function headerSets(provider: Provider, spoken: Dialect): HeaderSets {
  let byDialect = headersOf.get(provider);
  if (byDialect === undefined) {
    byDialect = new Map();
    headersOf.set(provider, byDialect);
  }
  let sets = byDialect.get(spoken.id);
  if (sets === undefined) {
    sets = {
      whole: makeHeaders(provider, spoken, 'application/json'),
      stream: makeHeaders(provider, spoken, 'text/event-stream'),
    };
    byDialect.set(spoken.id, sets);
  }
  return sets;
}

function makeHeaders(provider: Provider, spoken: Dialect, accept: string): string[] {
  return [
    ...['content-type', 'application/json', 'accept', accept, 'accept-encoding', 'identity', 'user-agent', USER_AGENT],
    ...Object.entries(spoken.outbound.headers ?? {}).flat(),
    ...vendorHeaders(provider, spoken.id),
  ];
}

/** The first list, with headers of the same name replaced by those of the second. */
function replaced(headers: readonly string[], others: readonly string[]): string[] {
  const names = new Set(others.filter((_, index) => index % 2 === 0));
  const kept = headers.filter((_, index) => !names.has(headers[index - (index % 2)]!));
  return [...kept, ...others];
}
