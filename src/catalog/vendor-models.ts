import { GatewayError } from '../core/errors.ts';
import { MODEL_NAME } from '../core/model-name.ts';
import type { CredentialWord, Upstream, UpstreamHold, UpstreamRequest } from '../core/ports.ts';
import { type FactsList, type Provider, UNKNOWN_MODEL } from '../core/provider.ts';
import type { Preset } from '../providers/preset.ts';
import { resolveProvider, vendorHeaders } from '../providers/resolve.ts';
import { readFacts, type VendorFacts } from './vendor-facts.ts';

export type DiscoveryLimits = {
  /** The time for the whole exchange, in ms. */
  timeoutMs: number;
  maxBytes: number;
  /** Further models are ignored. */
  maxModels: number;
};

export const DISCOVERY_LIMITS: DiscoveryLimits = { timeoutMs: 5_000, maxBytes: 8 * 1024 * 1024, maxModels: 5_000 };

/** A local server answers at once or does not exist; the start must not wait for it. */
const LOCAL_LIMITS: DiscoveryLimits = { ...DISCOVERY_LIMITS, timeoutMs: 500 };

/** The time for each of the two requests that check a key, in ms. */
const KEY_QUESTION_MS = 5_000;

/** The most models that are asked about one by one, and the number of failures in a row that ends it. */
const MAX_SHOWN = 200;
const MAX_MISSES = 2;

/** Google lists models with a folder's prefix, but also knows their plain names. */
const GOOGLES_FOLDER = /^models\/(?=.)/;

/** Headers that a vendor's dialect requires on every request, names in lower case. */
export type DialectHeaders = Readonly<Record<string, string>>;

/** A provider's list: its models in its order, without duplicates, and their facts. */
export type ModelAnswer = { models: string[]; facts: Map<string, VendorFacts> };

export type DiscoveryOptions = {
  limits?: DiscoveryLimits;
  /** The headers that the vendor's dialect requires on every request. */
  dialectHeaders?: DialectHeaders;
  /** Called with the usual list before further pages are requested. */
  onList?(list: ModelAnswer): void;
};

/**
 * Asks a provider for its models by `GET /models`, and its further pages for facts. Rejects with a `GatewayError`
 * without a valid list in time. A missing further page is not an error.
 */
export async function discoverModels(
  upstream: Upstream,
  provider: Provider,
  { limits = DISCOVERY_LIMITS, dialectHeaders = {}, onList = () => undefined }: DiscoveryOptions = {},
): Promise<ModelAnswer> {
  const body = await fetchModels(upstream, modelsRequest(provider, dialectHeaders), limits);
  const list = readModelList(body, limits.maxModels, provider);
  if (list === null) throw invalid(provider, 'something that is no list of models');
  onList(list);
  const pages = (provider.factsLists ?? []).filter(({ from }) => from.test(provider.baseUrl));
  const asked = { upstream, provider, dialectHeaders, limits };
  const told = await Promise.all(pages.map((page) => furtherFacts(asked, page, list.models)));
  const facts: ModelAnswer['facts'] = new Map();
  for (const id of list.models) {
    const of = (isServer: boolean) =>
      pages.flatMap((page, index) => ((page.of === 'server') === isServer ? [told[index]!.get(id)] : []));
    // In order of precedence: facts of a loaded model, the list, other pages.
    const all: VendorFacts = Object.assign({}, ...[...of(true), list.facts.get(id), ...of(false)].reverse());
    if (Object.keys(all).length > 0) facts.set(id, all);
  }
  return { models: list.models, facts };
}

type PageQuestion = {
  upstream: Upstream;
  provider: Provider;
  dialectHeaders: DialectHeaders;
  limits: DiscoveryLimits;
};

/** The facts of a further page by model; empty if there is no valid page. */
async function furtherFacts(
  asked: PageQuestion,
  page: FactsList,
  models: readonly string[],
): Promise<ModelAnswer['facts']> {
  const { provider, limits } = asked;
  if (page.of === 'model') return factsOfEach(asked, page, models.slice(0, MAX_SHOWN));
  const [only] = models;
  if (page.of === 'server' && (only === undefined || models.length > 1)) return new Map();
  const body = await bodyOf(asked, page);
  if (page.of !== 'server') return readModelList(body, limits.maxModels, provider)?.facts ?? new Map();
  return new Map([[only!, readFacts(body, provider)]]);
}

/** Asks about each model in turn, until the time of one request is over or two in a row have failed. */
async function factsOfEach(
  asked: PageQuestion,
  page: FactsList,
  models: readonly string[],
): Promise<ModelAnswer['facts']> {
  const facts: ModelAnswer['facts'] = new Map();
  const end = performance.now() + asked.limits.timeoutMs;
  let misses = 0;
  for (const model of models) {
    const timeoutMs = end - performance.now();
    if (timeoutMs <= 0 || misses === MAX_MISSES) break;
    const body = await bodyOf({ ...asked, limits: { ...asked.limits, timeoutMs } }, page, { model });
    misses = body === null ? misses + 1 : 0;
    if (body !== null) facts.set(model, readFacts(body, asked.provider));
  }
  return facts;
}

/** The JSON of a page; `null` if it is missing, invalid or late. */
async function bodyOf(
  { upstream, provider, dialectHeaders, limits }: PageQuestion,
  page: FactsList,
  question?: object,
) {
  const { from, to: modelsPath, authorization = provider.authorization } = page;
  const there = { ...provider, baseUrl: provider.baseUrl.replace(from, ''), modelsPath, authorization };
  const request = modelsRequest(there, dialectHeaders);
  try {
    return await fetchModels(upstream, question === undefined ? request : posted(request, question), limits);
  } catch (error) {
    if (error instanceof GatewayError) return null; // The usual list is used alone.
    throw error;
  }
}

function posted(request: UpstreamRequest, body: object): UpstreamRequest {
  const headers = [...request.headers, 'content-type', 'application/json'];
  return { ...request, method: 'POST', headers, body: Buffer.from(JSON.stringify(body)) };
}

/**
 * Checks a provider's key with `GET /models`, which is free and contains no content of callers. A public list says
 * nothing about the key, so a vendor that answers is asked again without it. `refused`: 401. `unknown`: there is no
 * list, it is public, or there was no answer in time; or 403, which vendors answer for keys that may be used for calls
 * but not for the list. Rejects only with the gateway's own faults.
 * @param dialectHeaders - the headers that the vendor's dialect requires on every request, names in lower case
 */
export async function checkVendorKey(
  upstream: Upstream,
  provider: Provider,
  dialectHeaders: DialectHeaders,
  limitMs: number = KEY_QUESTION_MS,
): Promise<CredentialWord> {
  const status = await statusOfModels(upstream, modelsRequest(provider, dialectHeaders), limitMs);
  if (status === 401) return 'refused';
  if (status !== 200) return 'unknown';
  const stranger = { ...provider, credential: null, headers: {} };
  return isRefusal(await statusOfModels(upstream, modelsRequest(stranger, dialectHeaders), limitMs))
    ? 'accepted'
    : 'unknown';
}

/**
 * The local servers of these presets that answer on their default port, each with its models. `ownPort` is the
 * gateway's own port and is never asked, since the gateway would be taken for a vendor.
 */
export async function findLocal(
  upstream: Upstream,
  presets: readonly Preset[],
  ownPort: number,
  limits: DiscoveryLimits = LOCAL_LIMITS,
): Promise<(ModelAnswer & { preset: Preset })[]> {
  const asked = presets.filter(({ localPort }) => localPort !== undefined && localPort !== ownPort);
  const found = await Promise.all(
    asked.map(async (preset) => {
      const { id, label, baseUrl } = preset;
      const unset = { preset: null, dialects: null, headers: {}, region: null, concurrency: null };
      const provider = resolveProvider({ ...unset, id, baseUrl, label }, null);
      try {
        return [{ preset, ...(await discoverModels(upstream, provider, { limits })) }];
      } catch (error) {
        if (error instanceof GatewayError) return []; // There is no server, or one of another kind.
        throw error;
      }
    }),
  );
  return found.flat();
}

/** Reads a list of models in any known format; `null` if it has none of them. */
export function readModelList(
  body: unknown,
  maxModels: number,
  provider: Pick<Provider, 'quirks'>,
): ModelAnswer | null {
  const items = listIn(body);
  if (items === null) return null;
  const ids = new Set<string>();
  const facts: ModelAnswer['facts'] = new Map();
  for (const item of items) {
    if (ids.size >= maxModels) break;
    const { id, name } = (typeof item === 'object' && item !== null ? item : {}) as { id?: unknown; name?: unknown };
    const found = typeof id === 'string' ? id : name;
    if (typeof found !== 'string' || !MODEL_NAME.test(found)) continue;
    const plain = found.replace(GOOGLES_FOLDER, '');
    const told = ids.has(plain) ? {} : readFacts(item, provider);
    ids.add(plain);
    if (Object.keys(told).length > 0) facts.set(plain, told);
  }
  return { models: [...ids], facts };
}

/** OpenAI's `data`, Cohere's `models`, or Together's bare array. Ollama sends `"data": null` for an empty list. */
function listIn(body: unknown): readonly unknown[] | null {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null) return null;
  const { object, data, models } = body as { object?: unknown; data?: unknown; models?: unknown };
  if (Array.isArray(data)) return data;
  if (Array.isArray(models)) return models;
  return object === 'list' && data === null ? [] : null;
}

function fetchModels(upstream: Upstream, request: UpstreamRequest, limits: DiscoveryLimits): Promise<unknown> {
  const { provider } = request.target;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let hold: UpstreamHold | undefined;
    const fail = (error: GatewayError) => {
      clearTimeout(timer);
      hold?.abort();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(new GatewayError('upstream_timeout', `${provider.label} did not list its models in time.`));
    }, limits.timeoutMs);
    hold = upstream.send(request, {
      onStart: (answered) => {
        status = answered;
      },
      onData: (chunk) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > limits.maxBytes) fail(invalid(provider, 'a list that is too long'));
      },
      onEnd: () => {
        clearTimeout(timer);
        if (status !== 200) return reject(refused(provider, status));
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        } catch (cause) {
          reject(invalid(provider, 'something that is not JSON', cause));
        }
      },
      onFailure: fail,
    });
  });
}

/** Resolves with the status as soon as it arrives; `null` if it does not in time. */
function statusOfModels(upstream: Upstream, request: UpstreamRequest, limitMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    let hold: UpstreamHold | undefined;
    let isOver = false;
    const end = (status: number | null) => {
      isOver = true;
      clearTimeout(timer);
      hold?.abort();
      resolve(status);
    };
    const timer = setTimeout(() => end(null), limitMs).unref();
    hold = upstream.send(request, {
      onStart: end,
      onData: () => undefined,
      onEnd: () => end(null),
      onFailure: () => end(null),
    });
    if (isOver) hold.abort();
  });
}

function modelsRequest(provider: Provider, dialectHeaders: DialectHeaders): UpstreamRequest {
  const { modelsPath: path = '/models' } = provider;
  return {
    // The upstream requires a model, but this request is about none.
    target: { provider, model: UNKNOWN_MODEL, dialect: 'openai-chat', path },
    method: 'GET',
    path,
    headers: [
      ...vendorHeaders(provider, provider.speaks[0]?.dialect ?? 'openai-chat'),
      ...['accept', 'application/json'],
      ...Object.entries(dialectHeaders).flat(),
    ],
    body: null,
  };
}

function isRefusal(status: number | null): boolean {
  return status === 401 || status === 403;
}

function refused(provider: Provider, status: number): GatewayError {
  const kind = status === 401 || status === 402 || status === 403 ? 'upstream_unauthorized' : 'upstream_error';
  const message = `${provider.label} answered ${status} when it was asked for its models.`;
  // Vendors answer 403 for keys that may be used for calls but not for the list.
  return new GatewayError(kind, message, { badKey: status === 401 });
}

function invalid(provider: Provider, what: string, cause?: unknown): GatewayError {
  return new GatewayError('upstream_invalid_answer', `${provider.label} answered with ${what}.`, { cause });
}
