import { SURFACES } from '../explain.ts';
import { errorAnswers, OF_CALLERS } from './errors.ts';
import { type AnswerHeaders, headerRefs } from './headers.ts';
import { answer, json, query } from './parts.ts';
import { oneOf, openObject, STRING } from './schema.ts';

/** What tells how calls are decided, and how those do who may serve them. */
export function routePaths(headers: AnswerHeaders): Record<string, Record<string, unknown>> {
  const toCaller = headerRefs(headers.always, headers.toCaller);
  return {
    '/v1/routes/{id}/explain': {
      post: {
        operationId: 'explainRoute',
        tags: ['Catalog'],
        summary: 'Tell who would serve a call, and why. Nobody is called, and nothing is recorded.',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            schema: STRING,
            description: 'A route, or a vendor’s model. Slashes in it may be encoded or not.',
          },
          query('surface', oneOf(...SURFACES), 'What the body is of; left out, it is told by its members.'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: openObject({}),
            },
          },
          description: 'The body of the call; its `model` is of no account.',
        },
        responses: {
          200: answer('The decision, at this moment.', toCaller, json('RouteDecision')),
          ...errorAnswers(headers, toCaller, [
            ...OF_CALLERS,
            'invalid_request',
            'invalid_json',
            'model_not_allowed',
            'model_not_found',
            'not_found',
            'body_too_large',
            'unsupported_media_type',
            'overloaded',
          ]),
        },
      },
    },
    '/v1/status': {
      get: {
        operationId: 'getStatus',
        tags: ['Operation'],
        summary: 'Tell how every target does. For administrators’ keys.',
        responses: {
          200: answer('The status of all processes together.', toCaller, json('Status')),
          ...errorAnswers(headers, toCaller, [...OF_CALLERS, 'forbidden']),
        },
      },
    },
  };
}
