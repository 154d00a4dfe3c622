/** What the limits of the key were when the call came. `null` where the gateway did not say. */
export type RateLimit = {
  /** Per minute. */
  limitRequests: number | null;
  remainingRequests: number | null;
  /** Seconds until all requests of a minute are there again. */
  resetRequestsSeconds: number | null;
  /** Per minute. */
  limitTokens: number | null;
  remainingTokens: number | null;
  /** Seconds until all tokens of a minute are there again. */
  resetTokensSeconds: number | null;
};

/** Who served a call, and what it cost. `null` where the gateway did not say. */
export type GatewayInfo = {
  /** Of the request, for questions about it; `usage.retrieve` and `feedback.create` take it. */
  requestId: string | null;
  /** That the key belongs to. */
  organization: string | null;
  /** Of the API. */
  version: string | null;
  /** Milliseconds until the answer began. */
  processingMs: number | null;
  rateLimit: RateLimit;
  /** The model's name at the provider that served. */
  model: string | null;
  provider: string | null;
  /** The route that chose, where the call named one. */
  route: string | null;
  /** How often a provider was asked. */
  attempts: number | null;
  /** What of the call or its answer could not be carried over to the provider's format. */
  dropped: string[];
  /** US dollars; of a stream only once it has ended, and only with `includeCost`. `null` where no price is known. */
  costUsd: number | null;
};

type HeaderSource = Pick<Headers, 'get' | 'forEach'>;

/**
 * Reads what the gateway says in the headers of an answer, whatever word its operator has put before their names
 * (`service-` where nothing is set).
 */
export function readHeaders(headers: HeaderSource): GatewayInfo {
  const prefix = prefixOf(headers);
  const own = (name: string) => (prefix === null ? null : headers.get(`${prefix}-${name}`));
  return {
    requestId: headers.get('x-request-id'),
    organization: text(own('organization')),
    version: text(own('version')),
    processingMs: numberOf(own('processing-ms')),
    rateLimit: {
      limitRequests: numberOf(headers.get('x-ratelimit-limit-requests')),
      remainingRequests: numberOf(headers.get('x-ratelimit-remaining-requests')),
      resetRequestsSeconds: secondsOf(headers.get('x-ratelimit-reset-requests')),
      limitTokens: numberOf(headers.get('x-ratelimit-limit-tokens')),
      remainingTokens: numberOf(headers.get('x-ratelimit-remaining-tokens')),
      resetTokensSeconds: secondsOf(headers.get('x-ratelimit-reset-tokens')),
    },
    model: text(own('model')),
    provider: text(own('provider')),
    route: text(own('route')),
    attempts: numberOf(own('attempts')),
    dropped: text(own('dropped'))?.split(', ') ?? [],
    costUsd: numberOf(own('cost-usd')),
  };
}

const PROCESSING = '-processing-ms';

function prefixOf(headers: HeaderSource): string | null {
  if (headers.get(`service${PROCESSING}`) !== null) return 'service';
  let prefix: string | null = null;
  headers.forEach((_value, name) => {
    if (name.endsWith(PROCESSING)) prefix = name.slice(0, -PROCESSING.length);
  });
  return prefix;
}

/** What is no printable ASCII comes percent-encoded, and long values are cut, perhaps within such a code. */
function text(value: string | null): string | null {
  if (value === null || !value.includes('%')) return value;
  return value.replace(/(?:%[0-9A-F]{2})+/g, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

function numberOf(value: string | null): number | null {
  const number = value === null || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Of a span such as `6m0s`, `1.182s` or `20ms`. */
function secondsOf(value: string | null): number | null {
  if (value === null || !/^(?:[\d.]+(?:h|ms|m|s))+$/.test(value)) return null;
  const parts = [...value.matchAll(/([\d.]+)(h|ms|m|s)/g)];
  const seconds = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * SECONDS[unit!]!, 0);
  return Number.isFinite(seconds) ? Math.round(seconds * 1000) / 1000 : null;
}
