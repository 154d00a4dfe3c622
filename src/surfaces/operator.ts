import { z } from 'zod';
import { type HandledOperation, operation } from '../api/operation.ts';
import { count, decimal, flag, listOf, text } from '../api/schema.ts';
import { type CatalogFilter, isWanted } from '../core/catalog-filter.ts';
import { ERROR_KINDS, type ErrorKind } from '../core/errors.ts';
import type { GatewayFacts, Probe } from '../core/operator.ts';
import type { Directory } from '../core/provider.ts';
import { CATALOG_FILTER, catalogEntry, catalogEntryJson } from './catalog.ts';

const about = { tag: 'Operation', access: 'storeless' } as const;

const RETRIEVE_GATEWAY = operation('retrieveGateway', 'GET /v1/operator/gateway', {
  ...about,
  summary: 'Get the version, process and address of the running gateway, and notices about its configuration.',
  answer: {
    description: 'The gateway.',
    schema: z.object({
      version: text,
      pid: count,
      address: text,
      config_file: text.nullable(),
      notices: z.array(text),
    }),
  },
});

const LIST_OFFER = operation('listOffer', 'GET /v1/operator/catalog', {
  ...about,
  summary: 'List the models that can be called.',
  query: CATALOG_FILTER,
  answer: {
    description: 'The models, and the providers whose own lists have not been received.',
    schema: listOf(catalogEntry).extend({ unasked: z.array(text) }),
  },
});

const failure = z.object({
  kind: z.enum(Object.keys(ERROR_KINDS) as ErrorKind[]),
  message: text,
  code: text.nullable(),
});

const PROBE_PROVIDERS = operation('probeProviders', 'GET /v1/operator/probes', {
  ...about,
  summary: 'Ask each provider for its models with each of its keys.',
  answer: {
    description: 'The result for each key.',
    schema: listOf(
      z.object({
        provider: text,
        credential: text.nullable(),
        has_key: flag,
        result: z.union([z.object({ models: count }), z.object({ failure })]),
        gone: z.array(text),
        took_ms: decimal,
        clock_ahead_ms: decimal.nullable(),
      }),
    ),
  },
});

/** A gateway or its configuration, for commands. */
export type StorelessParts = {
  /** Throws `not_found` where no gateway serves. */
  gatewayFacts(): GatewayFacts;
  /** What can be called, and the providers whose own lists have not been received. */
  offer(): Promise<{ directory: Directory; unasked: readonly string[] }>;
  /** Asks each provider for its models, with each of its keys. */
  probe(): Promise<readonly Probe[]>;
};

/** Operations on the gateway and its configuration. They need no store. */
export const GATEWAY_OPERATIONS: readonly HandledOperation<StorelessParts>[] = [
  RETRIEVE_GATEWAY.handledBy((_, { gatewayFacts }: StorelessParts) => gatewayFacts()),
  LIST_OFFER.handledBy(async ({ query }, { offer }: StorelessParts) => {
    const { directory, unasked } = await offer();
    return { object: 'list', data: offeredModels(directory, query), unasked: [...unasked] };
  }),
  PROBE_PROVIDERS.handledBy(async (_, { probe }: StorelessParts) => ({ object: 'list', data: await probe() })),
];

/** The callable entries that match the filter, as the operator sees them. */
export function offeredModels({ entries, find }: Directory, { provider, search }: Partial<CatalogFilter>) {
  return entries
    .filter((entry) => isWanted(entry, { provider, search }))
    .map((entry) => catalogEntryJson(entry, find, { admin: true }));
}
