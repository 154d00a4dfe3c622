import type { GatewayError } from '../core/errors.ts';
import type { UpstreamHeaders } from '../core/ports.ts';
import type { DialectId, Provider, Target } from '../core/provider.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { vendorHeaders } from '../providers/resolve.ts';
import { Redactor, secretsOf } from './redactor.ts';

const USER_AGENT = 'headgate';
/** Characters kept of a vendor's name for a request. */
const MAX_REQUEST_ID = 200;

type HeaderSets = { whole: string[]; stream: string[] };

/** Headers are the same for each call to a provider, so they are made once. A reload makes new providers. */
const headersOf = new WeakMap<Provider, Map<DialectId, HeaderSets>>();

/** The headers of a request to a provider. `forwarded`: those of the caller's that go with it, in place of the dialect's own. */
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

/** The vendor's own name for the request, for those who have to ask it; without the provider's key and address. */
export function upstreamRequestId(headers: UpstreamHeaders, provider: Provider): string | null {
  const id = headers['x-request-id'] ?? headers['request-id'];
  return typeof id === 'string' ? cleanWords(id.slice(0, MAX_REQUEST_ID), provider) : null;
}

/**
 * The same error with the provider's key (parts of it, and other ways to write it) and address taken out of its words:
 * message, `type`, `code` and `param`.
 */
export function cleanError(error: GatewayError, { provider }: Target): GatewayError {
  const message = cleanWords(error.message, provider);
  const [type, code, param] = [error.type, error.code, error.param].map((word) => word && cleanWords(word, provider));
  if (message === error.message && type === error.type && code === error.code && param === error.param) return error;
  return error.with({ message, type: type ?? error.type, code: code ?? null, param: param ?? null });
}

/** The ways to write a provider's address, the longest first. A host that may be a word (`http://model`) is none. */
function addressesOf({ transport, baseUrl }: Provider): string[] {
  if (transport !== 'http') return [];
  const { origin, host, hostname } = new URL(baseUrl);
  return [baseUrl, origin, ...[host, hostname].filter((each) => /[.:]/.test(each))];
}

/** What is taken out is the same for each call to a provider, and made where the first words have to be cleaned. */
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

/** The first list, with the headers of the second in place of those of the same name. */
function replaced(headers: readonly string[], others: readonly string[]): string[] {
  const names = new Set(others.filter((_, index) => index % 2 === 0));
  const kept = headers.filter((_, index) => !names.has(headers[index - (index % 2)]!));
  return [...kept, ...others];
}
