import type { ErrorKind } from '../../core/errors.ts';
import { callPaths } from './call-operations.ts';
import { errorAnswers, OF_CALLERS } from './errors.ts';
import { feedbackPaths } from './feedback-operations.ts';
import { type AnswerHeaders, type HeaderRefs, headerRefs } from './headers.ts';
import { answer, json, query } from './parts.ts';
import { routePaths } from './route-operations.ts';
import { object, openObject, STRING } from './schema.ts';
import { usagePaths } from './usage-operations.ts';

/** Every path that is served, with its operations. */
export function paths(headers: AnswerHeaders): Record<string, Record<string, unknown>> {
  const common = headerRefs(headers.always);
  const toCaller = headerRefs(headers.always, headers.toCaller);
  const errors = (own: HeaderRefs, kinds: readonly ErrorKind[] = []) => errorAnswers(headers, own, kinds);

  return {
    ...callPaths(headers),
    '/v1/models': {
      get: {
        operationId: 'listModels',
        tags: ['Catalog'],
        summary: 'List the models that the key may use.',
        parameters: [query('client_version', STRING, 'Adds the list in the form that Codex reads.')],
        responses: { 200: answer('The models.', toCaller, json('ModelList')), ...errors(toCaller, OF_CALLERS) },
      },
    },
    '/v1/models/{id}': {
      get: {
        operationId: 'retrieveModel',
        tags: ['Catalog'],
        summary: 'Tell of one model.',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            schema: STRING,
            description: 'Slashes in it may be encoded or not.',
          },
        ],
        responses: {
          200: answer('The model.', toCaller, json('Model')),
          ...errors(toCaller, [...OF_CALLERS, 'model_not_found']),
        },
      },
    },
    '/v1/models/catalog': {
      get: {
        operationId: 'listCatalog',
        tags: ['Catalog'],
        summary: 'List the models with who serves them, where they go and what they cost.',
        parameters: [
          query('provider', STRING, 'Only this provider’s, by its id or label.'),
          query(
            'search',
            STRING,
            'Only those with this in an id, a name, an alias or the provider’s label; in any case.',
          ),
        ],
        responses: {
          200: answer('The catalog.', toCaller, json('Catalog')),
          ...errors(toCaller, [...OF_CALLERS, 'invalid_request']),
        },
      },
    },
    ...usagePaths(headers),
    ...feedbackPaths(headers),
    ...routePaths(headers),
    '/': { get: hello('getHello', common, errors(common)) },
    '/api/hello': { get: hello('getApiHello', common, errors(common)) },
    '/healthz': {
      get: {
        operationId: 'getHealth',
        tags: ['Operation'],
        summary: 'Tell whether the process answers.',
        security: [],
        responses: {
          200: answer('It does.', common, { 'application/json': { schema: object({ status: { const: 'ok' } }) } }),
          ...errors(common),
        },
      },
    },
    '/readyz': {
      get: {
        operationId: 'getReadiness',
        tags: ['Operation'],
        summary: 'Tell whether calls may be sent here.',
        security: [],
        responses: {
          200: answer('They may.', common, { 'application/json': { schema: object({ status: { const: 'ready' } }) } }),
          503: answer('They should go elsewhere.', common, {
            'application/json': {
              schema: object(
                { status: { const: 'unavailable' }, reason: STRING },
                { storage: { enum: ['full', 'read_only', 'failing'] } },
              ),
            },
          }),
          ...errors(common),
        },
      },
    },
    '/metrics': {
      get: {
        operationId: 'getMetrics',
        tags: ['Operation'],
        summary: 'Counters and timings for Prometheus.',
        description: 'Open on the gateway’s own machine; from elsewhere with `server.metrics_token` as the bearer.',
        security: [{}, { bearer: [] }],
        responses: {
          200: answer('Prometheus’ text format.', common, { 'text/plain': { schema: STRING } }),
          ...errors(common, ['forbidden']),
        },
      },
    },
    '/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        tags: ['Operation'],
        summary: 'This document.',
        security: [],
        responses: {
          200: answer('It.', common, {
            'application/json': {
              schema: openObject({ openapi: { const: '3.1.0' }, info: { type: 'object' }, paths: { type: 'object' } }),
            },
          }),
          ...errors(common),
        },
      },
    },
  };
}

/** Asked without a key by tools that want to know whether the address they were given answers. */
function hello(operationId: string, headers: HeaderRefs, errors: Record<string, unknown>): Record<string, unknown> {
  return {
    operationId,
    tags: ['Operation'],
    summary: 'Tell who is here.',
    security: [],
    responses: { 200: answer('This gateway.', headers, json('Hello')), ...errors },
  };
}
