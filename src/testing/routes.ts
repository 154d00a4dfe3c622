import { picoPerToken } from '../core/money.ts';
import type { Model, Provider, Served } from '../core/provider.ts';
import type { CallTraits, Route, RouteTarget, Steering, TargetHealth } from '../core/route.ts';

/** Providers, models, routes and calls with all required members. */

export function provider(id: string, more: Partial<Provider> = {}): Provider {
  return {
    id,
    label: id.toUpperCase(),
    baseUrl: `http://${id}.invalid/v1`,
    speaks: [{ dialect: 'openai-chat', path: '/chat/completions' }],
    credential: null,
    credentialName: 'default',
    authorization: { header: 'authorization', prefix: 'Bearer ' },
    headers: {},
    quirks: {},
    region: null,
    concurrency: null,
    transport: 'http',
    ...more,
  };
}

/** @param dollars - per million tokens of input and output; cached input costs a tenth */
export function model(id: string, dollars: [number, number] | null = [1, 2], more: Partial<Model> = {}): Model {
  return {
    id,
    upstreamId: `${id}-upstream`,
    name: id,
    brand: null,
    contextWindow: null,
    maxOutputTokens: null,
    dimensions: null,
    capabilities: null,
    modalities: null,
    price:
      dollars === null
        ? null
        : {
            rates: {
              input: picoPerToken(dollars[0]),
              cache_read: picoPerToken(dollars[0] / 10),
              output: picoPerToken(dollars[1]),
            },
            tiers: [],
            source: 'test',
            date: '2026-01-01',
          },
    releasedAt: null,
    dialects: ['openai-chat'],
    ...more,
  };
}

/** A provider with credentials of these names and weights. */
export function served(
  id: string,
  models: readonly Model[],
  credentials: Record<string, number> = { default: 1 },
): Served {
  const accesses = Object.entries(credentials).map(([credentialName, weight]) => ({
    provider: provider(id, { credentialName }),
    weight,
  }));
  return { provider: accesses[0]!.provider, accesses, models };
}

export function target(name: string, more: Partial<RouteTarget> = {}): RouteTarget {
  return { model: name, credential: null, weight: 1, ...more };
}

export function route(targets: readonly (string | RouteTarget)[], more: Partial<Route> = {}): Route {
  return {
    id: 'acme/auto',
    origin: 'smart_route',
    version: 'v1',
    name: 'Acme Auto',
    brand: null,
    description: null,
    targets: targets.map((one) => (typeof one === 'string' ? target(one) : one)),
    strategy: [{ kind: 'priority' }],
    fallbacks: [],
    contextFallbacks: [],
    policyFallbacks: [],
    limits: {
      attempts: null,
      total: null,
      firstByte: null,
      maxPromptTokens: null,
      maxOutputTokens: null,
      maxInputRate: null,
      maxOutputRate: null,
    },
    price: null,
    regions: null,
    unpriced: 'skip',
    affinity: true,
    disclose: true,
    smart: null,
    ...more,
  };
}

export function traits(more: Partial<CallTraits> = {}): CallTraits {
  return {
    at: Date.UTC(2026, 10, 21, 12),
    surface: 'openai-chat',
    stream: false,
    tools: 0,
    images: false,
    audio: false,
    files: false,
    structuredOutput: false,
    turns: 1,
    midTurn: false,
    promptTokens: 1000,
    maxOutputTokens: null,
    keyId: 'key_1',
    source: 'api_key',
    product: null,
    project: null,
    metadata: {},
    tags: [],
    user: null,
    demandsPrice: false,
    allowedModels: null,
    conversation: null,
    features: null,
    steering: null,
    ...more,
  };
}

export function steering(more: Partial<Steering> = {}): Steering {
  return {
    models: null,
    order: null,
    only: null,
    ignore: [],
    sort: null,
    maxPrice: null,
    allowFallbacks: true,
    ...more,
  };
}

export function health(more: Partial<TargetHealth> = {}): TargetHealth {
  const well = { openUntil: null, credentialOutUntil: null, firstTokenMs: null, wholeMs: null, inFlight: 0 };
  return { circuit: 'closed', ...well, ...more };
}
