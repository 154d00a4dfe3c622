import { z } from 'zod';
import { searchText } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, text, wholeNumber } from '../../api/schema.ts';
import { callsOf } from '../../api/usage-scope.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { SEARCH_TYPES, search } from './service.ts';

const LIMIT = { min: 1, max: 50, default: 10 };

const result = named(
  'SearchResult',
  z.object({
    object: z.literal('organization.search_result'),
    type: z.enum(SEARCH_TYPES).describe('`request`: a usage record, or a refused call.'),
    id: text,
    name: text.describe('The matching name; for a request its `req_…`.'),
    about: text
      .nullable()
      .describe('Distinguishes equal names: a person’s email, a model’s provider, a route’s name, a request’s model.'),
    project: z.object({ id: text, name: text }).nullable().describe('Of an API key.'),
  }),
);

export const SEARCH = operation('searchOrganization', 'GET /v1/organization/search', {
  client: 'settings.search',
  tag: 'Organization',
  summary: 'Find models, routes, keys, people and other named objects, and a request by its id.',
  description:
    'By name, email or id, ignoring case; matches at the beginning come first. A request ' +
    'needs its complete id. Results include only what the caller may read.',
  access: { permission: null },
  query: z.object({
    query: searchText.describe('The words to find; each must be in a name.'),
    types: z
      .string()
      .transform((value) => [...new Set(value.split(',').map((each) => each.trim()))])
      .pipe(z.array(z.enum(SEARCH_TYPES, `must name some of ${SEARCH_TYPES.join(', ')}, separated by commas`)))
      .exactOptional()
      .describe(`Only these types, separated by commas: ${SEARCH_TYPES.join(', ')}.`),
    limit: wholeNumber(LIMIT.min, LIMIT.max).default(LIMIT.default).describe('Results of each type.'),
  }),
  answer: {
    description: 'The results by type, best matches first.',
    schema: named(
      'SearchResults',
      z.object({
        object: z.literal('list'),
        data: z.array(result),
        has_more: flag,
        more_of: z.array(z.enum(SEARCH_TYPES)).describe('The types with more than `limit` results.'),
      }),
    ),
  },
});

export const SEARCH_OPERATIONS = resource([
  SEARCH.handledBy(async ({ administrator, caller, query: { query: words, types = SEARCH_TYPES, limit } }, parts) => {
    const { items, more } = await search(
      atWork(parts, administrator),
      { words, types, limit },
      {
        caller,
        directory: parts.directory(),
        providerRules: parts.providers.rules,
        findCall: (organizationId, id) =>
          parts.reports.run(caller.key.id, () => parts.calls.find(organizationId, id, callsOf(caller.key, undefined))),
        findRefused: (organizationId, id) =>
          parts.reports.run(caller.key.id, () =>
            parts.refused.find(organizationId, id, callsOf(caller.key, undefined)),
          ),
      },
    );
    return {
      object: 'list' as const,
      data: items.map((found) => ({ object: 'organization.search_result' as const, ...found })),
      has_more: more.length > 0,
      more_of: more,
    };
  }),
]);
