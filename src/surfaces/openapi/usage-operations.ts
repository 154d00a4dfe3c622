import { SOURCES } from '../../core/records.ts';
import { PAGE } from '../usage.ts';
import { errorAnswers, OF_CALLERS } from './errors.ts';
import { type AnswerHeaders, headerRefs } from './headers.ts';
import { answer, json, query } from './parts.ts';
import { oneOf, SECONDS, STRING } from './schema.ts';

/** What tells of past calls. */
export function usagePaths(headers: AnswerHeaders): Record<string, Record<string, unknown>> {
  const toCaller = headerRefs(headers.always, headers.toCaller);
  return {
    '/v1/usage': {
      get: {
        operationId: 'listUsage',
        tags: ['Usage'],
        summary: 'List the usage records of the key’s organization, newest first.',
        parameters: [
          query('model', STRING, 'Only this model’s.'),
          query('source', oneOf(...SOURCES), 'Only what keys of this source have used.'),
          query('product', STRING, 'Only this product’s, by its id.'),
          query('tool', STRING, 'Only this developer tool’s, by its name.'),
          query('api_key_id', STRING, 'Only what this key has used.'),
          query('start_time', SECONDS, 'Only calls from this time on (Unix seconds).'),
          query('end_time', SECONDS, 'Only calls before this time (Unix seconds).'),
          query(
            'limit',
            { type: 'integer', minimum: PAGE.min, maximum: PAGE.max, default: PAGE.default },
            'Records to return.',
          ),
          query('after', STRING, 'The id of the last record of the page before.'),
        ],
        responses: {
          200: answer('A page of records.', toCaller, json('UsageList')),
          ...errorAnswers(headers, toCaller, [...OF_CALLERS, 'invalid_request']),
        },
      },
    },
    '/v1/usage/{id}': {
      get: {
        operationId: 'retrieveUsage',
        tags: ['Usage'],
        summary: 'Tell all of one call: its record, each attempt, and how its route decided.',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            schema: STRING,
            description: 'The record’s id, or that of the request (`x-request-id` of the answer).',
          },
        ],
        responses: {
          200: answer('The call.', toCaller, json('UsageDetail')),
          ...errorAnswers(headers, toCaller, [...OF_CALLERS, 'not_found']),
        },
      },
    },
  };
}
