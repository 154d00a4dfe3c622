import { z } from 'zod';
import {
  isForBoth,
  isForPeople,
  type Operation,
  type OtherForm,
  operation,
  type ServerApi,
} from '../../api/operation.ts';
import { SESSION_COOKIE } from '../../http/browser.ts';
import { ORGANIZATION_HEADER } from '../../http/organization-header.ts';
import { sendText } from '../../http/send.ts';
import { parseJson } from '../../json/parse.ts';
import { ORGANIZATION_OPERATIONS, SIGNING_IN_OPERATIONS } from '../../organization/all-resources.ts';
import { LIST_CATALOG, LIST_ROUTES, RETRIEVE_CATALOG_ENTRY } from '../catalog.ts';
import { EXPLAIN_ROUTE } from '../explain.ts';
import { CREATE_FEEDBACK } from '../feedback.ts';
import { FIRST_TOKEN_TIMES } from '../first-tokens.ts';
import { HEALTH } from '../health.ts';
import { HELLOS } from '../hello.ts';
import { WATCH_USAGE } from '../live/live-usage.ts';
import { LIST_MODEL_INFO, LIST_MODEL_INFO_AT_ROOT } from '../model-info.ts';
import { LIST_MODELS, RETRIEVE_MODEL } from '../models.ts';
import { GET_STATUS } from '../status.ts';
import { LIST_USAGE, RETRIEVE_USAGE } from '../usage.ts';
import { SUMMARIZE_USAGE } from '../usage-summary.ts';
import { WELCOME } from '../welcome.ts';
import { ERROR, errorMeanings } from './errors.ts';
import { exampleOf, exampleOfRequest, type Json } from './examples.ts';
import { type AnswerHeaders, answerHeaders, type HeaderRefs, headerRefs } from './headers.ts';
import { MODEL_OPERATIONS, type ModelOperation } from './model-operations.ts';

export const GET_OPENAPI = operation('getOpenApi', 'GET /openapi.json', {
  tag: 'Operation',
  summary: 'Get the OpenAPI document of this gateway.',
  access: 'anyone',
  answer: {
    description: 'This document.',
    schema: z.looseObject({ openapi: z.literal('3.1.0'), info: z.looseObject({}), paths: z.looseObject({}) }),
  },
});

/** Everything that is served. */
/** All operations of the HTTP API. */
export const OPERATIONS: readonly (Operation & Partial<ModelOperation>)[] = [
  ...MODEL_OPERATIONS,
  LIST_MODELS,
  LIST_MODEL_INFO,
  LIST_MODEL_INFO_AT_ROOT,
  RETRIEVE_MODEL,
  LIST_CATALOG,
  RETRIEVE_CATALOG_ENTRY,
  LIST_USAGE,
  WATCH_USAGE,
  SUMMARIZE_USAGE,
  FIRST_TOKEN_TIMES,
  RETRIEVE_USAGE,
  CREATE_FEEDBACK,
  LIST_ROUTES,
  EXPLAIN_ROUTE,
  ...ORGANIZATION_OPERATIONS,
  ...SIGNING_IN_OPERATIONS,
  GET_STATUS,
  WELCOME,
  ...HELLOS,
  ...HEALTH,
  GET_OPENAPI,
];

const ORGANIZATION_PARAMETER = {
  name: 'OpenAI-Organization',
  in: 'header',
  schema: { type: 'string' },
  description:
    'For signed-in people: the id of the organization of the request, instead of the session’s. A ' +
    `browser that cannot send the header uses the query parameter \`${ORGANIZATION_HEADER}\`. A key has its own organization.`,
};

export type DocumentOptions = {
  /** The prefix of the gateway's own headers. */
  headerPrefix: string;
  /** The version of this software. */
  version: string;
};

/** All operations in OpenAPI 3.1. https://spec.openapis.org/oas/v3.1.0 */
export function openApiDocument({ headerPrefix, version }: DocumentOptions) {
  const headers = answerHeaders(headerPrefix);
  const { asked: _, ...answers } = headers;
  const { schemaOf, components } = jsonSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  const operations: WrittenOperation[] = [];
  for (const described of OPERATIONS) {
    const { path, method } = described;
    const written = operationJson(described, headers, schemaOf);
    if (ORGANIZATION_OPERATIONS.includes(described)) addExamples(described.id, written, components);
    paths[path] = { ...paths[path], [method.toLowerCase()]: written };
    operations.push(written);
  }
  const responses = shareErrors(operations);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headgate',
      version,
      summary: 'One address, one key and one bill for every language model.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host that served this document.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [
      { name: 'Models', description: 'Model calls.' },
      { name: 'Catalog', description: 'Models and routes.' },
      { name: 'Usage', description: 'Usage and costs.' },
      {
        name: 'Organization',
        description: 'Settings of the organization, compatible with OpenAI’s administration API, for admin keys.',
      },
      { name: 'Sign-in', description: 'Sign-in for browsers, and a person’s own account.' },
      { name: 'Operation', description: 'For operators.' },
    ],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, as created by `headgate keys create`.' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same key, for clients that send it this way.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description:
            'A person’s session, from signing in. Requests that change something must come from the same origin.',
        },
      },
      parameters: { [ORGANIZATION_HEADER]: ORGANIZATION_PARAMETER },
      headers: Object.fromEntries(Object.values(answers).flatMap((set) => Object.entries(set))),
      responses,
      schemas: components,
    },
  };
}

/**
 * Errors of several operations are written once, as `Error404` or `Error404_2`, and referenced: they would be four
 * fifths of the document.
 */
function shareErrors(operations: readonly WrittenOperation[]): Json {
  const alike = new Map<string, WrittenOperation[]>();
  for (const operation of operations)
    for (const [status, answer] of Object.entries(operation.responses)) {
      if (status.startsWith('2')) continue;
      const written = `${status} ${JSON.stringify(answer)}`;
      alike.set(written, [...(alike.get(written) ?? []), operation]);
    }
  const shared: Record<string, unknown> = {};
  const counts = new Map<string, number>();
  for (const [written, those] of alike) {
    if (those.length === 1) continue;
    const [status = ''] = written.split(' ', 1);
    const count = (counts.get(status) ?? 0) + 1;
    counts.set(status, count);
    const name = `Error${status}${count === 1 ? '' : `_${count}`}`;
    shared[name] = those[0]!.responses[status];
    for (const { responses } of those) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

/** All schemas of all operations as JSON Schema. Named ones are written once and referenced. */
function jsonSchemas(): { schemaOf(schema: z.ZodType): Json; components: Json } {
  const all = [...new Set([ERROR, ...OPERATIONS.flatMap(schemasOf)])];
  const { properties, $defs } = z.toJSONSchema(z.object(Object.fromEntries(all.entries())), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Zod's limits for "any whole number" and "anything".
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      const { additionalProperties: others } = jsonSchema;
      if (typeof others === 'object' && Object.keys(others).length === 0) jsonSchema.additionalProperties = true;
    },
  });
  const inPlace = <T>(json: T): T =>
    parseJson(JSON.stringify(json).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')) as T;
  const schemas = new Map(all.map((schema, index) => [schema, inPlace(properties?.[index] as Json)]));
  return { schemaOf: (schema) => schemas.get(schema)!, components: inPlace(withoutIds($defs!)) };
}

/** The name is the key; repeating it inside would not help readers. */
function withoutIds(schemas: Json): Json {
  const withoutId = ({ id: _, ...schema }: Json) => schema;
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutId(schema as Json)]));
}

function schemasOf(described: (typeof OPERATIONS)[number]): z.ZodType[] {
  const { query, body, answer, otherAnswers = {}, otherForm, ofModels } = described;
  const others = Object.values(otherAnswers).map(({ schema }) => schema);
  const ofForms = [otherForm?.query, otherForm?.error, ofModels?.stream?.event, ofModels?.error];
  return [query, body?.schema, answer.schema, ...others, ...ofForms].filter((schema) => schema !== undefined);
}

type SchemaOf = (schema: z.ZodType) => Json;

type Content = Record<string, { schema: Json; example?: unknown }>;
type WrittenOperation = Json & {
  requestBody?: Json & { content: Content };
  responses: Record<string, { content?: Content; $ref?: string }>;
};

function operationJson(
  described: (typeof OPERATIONS)[number],
  headers: AnswerHeaders,
  schemaOf: SchemaOf,
): WrittenOperation {
  const { id, tag, summary, description, access, body, answer, otherAnswers = {} } = described;
  const own = ownHeaders(described, headers);
  const stream = described.ofModels?.stream;
  const answerJson = (each: Operation['answer'], more = {}) => ({
    description: each.description,
    headers: own,
    content: { ...contentOf(each, schemaOf), ...more },
  });
  const others = Object.entries(otherAnswers).map(([status, each]) => [status, answerJson(each)]);
  const parameters = [
    ...parametersOf(described, schemaOf),
    ...requestHeaders(described, headers),
    ...(isForBoth(access) || isForPeople(access) ? [{ $ref: `#/components/parameters/${ORGANIZATION_HEADER}` }] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...securityJson(access),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: contentOf(body, schemaOf),
        ...(body.description !== undefined && { description: body.description }),
      },
    }),
    responses: {
      ...errorAnswers(described, headers, schemaOf),
      200: answerJson(answer, stream && streamContent(stream, schemaOf)),
      ...Object.fromEntries(others),
    },
  };
}

/** Adds an example of the request body and its answer. */
function addExamples(id: string, { requestBody, responses }: WrittenOperation, components: Json): void {
  const sent = requestBody?.content['application/json'];
  if (sent !== undefined) sent.example = exampleOfRequest(id, sent.schema, components);
  const answered = responses[200]?.content?.['application/json'];
  if (answered !== undefined) answered.example = exampleOf(answered.schema, components);
}

/** The security requirements of an operation. */
function securityJson(access: Operation['access']): Json {
  if (access === 'anyone' || access === 'visitor') return { security: [] };
  if (access === 'metrics') return { security: [{}, { bearer: [] }] };
  if (isForPeople(access)) return { security: [{ session: [] }] };
  if (isForBoth(access)) return { security: [{ bearer: [] }, { apiKey: [] }, { session: [] }] };
  return {};
}

function parametersOf({ path, idDescription, query, otherForm }: Operation, schemaOf: SchemaOf): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(idDescription !== undefined && { description: idDescription }),
  }));
  const inQuery = [query, otherForm?.query].flatMap((each) => (each === undefined ? [] : parametersIn(each, schemaOf)));
  return [...inPath, ...inQuery, ...(otherForm === undefined ? [] : [headerOf(otherForm)])];
}

function parametersIn(query: z.ZodObject, schemaOf: SchemaOf): Json[] {
  const { properties, required = [] } = schemaOf(query) as { properties: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema,
    description,
  }));
}

/** Selects the other format. */
function headerOf({ style, description }: OtherForm): Json {
  return { name: style.onlyWith, in: 'header', schema: { type: 'string' }, description };
}

/** The headers that a billed model call accepts. */
function requestHeaders({ ofModels }: (typeof OPERATIONS)[number], { asked }: AnswerHeaders): Json[] {
  if (ofModels === undefined || !ofModels.billed) return [];
  return Object.entries(asked).map(([name, { schema, description }]) => ({ name, in: 'header', schema, description }));
}

function contentOf(
  { schema, mediaType = 'application/json' }: { schema: z.ZodType; mediaType?: string },
  schemaOf: SchemaOf,
): Content {
  return { [mediaType]: { schema: schemaOf(schema) } };
}

function streamContent({ event, end }: { event: z.ZodType; end: string }, schemaOf: SchemaOf): Json {
  const schema = {
    type: 'string',
    contentMediaType: 'text/event-stream',
    contentSchema: schemaOf(event),
    description: `Server-sent events, if \`stream\` was requested. ${end}`,
  };
  return { 'text/event-stream': { schema } };
}

/** The headers of an operation's answers. */
function ownHeaders(described: (typeof OPERATIONS)[number], headers: AnswerHeaders): HeaderRefs {
  const { access, otherForm, ofModels } = described;
  const { always, toCaller, toPerson, fromProvider, fromRoute, fromTranslation, inMessages } = headers;
  if (isForPeople(access)) return headerRefs(always, toPerson);
  if (access === 'anyone' || access === 'metrics' || access === 'visitor') return headerRefs(always);
  if (ofModels === undefined)
    return { ...headerRefs(always, toCaller), ...(otherForm?.style.idHeader && headerRefs(inMessages)) };
  const { translated, error } = ofModels;
  return {
    ...headerRefs(always, toCaller, fromProvider, fromRoute),
    ...(translated && headerRefs(fromTranslation)),
    ...(error && headerRefs(inMessages)),
  };
}

/** Statuses of requests whose caller is unknown. */
const OF_STRANGERS = ['401', '408', '431'];

/** By status, the possible codes and their meanings. */
function errorAnswers(described: (typeof OPERATIONS)[number], headers: AnswerHeaders, schemaOf: SchemaOf): Json {
  const own = ownHeaders(described, headers);
  const content = contentOf({ schema: described.ofModels?.error ?? described.otherForm?.error ?? ERROR }, schemaOf);
  const answer = ([status, meanings]: [string, string[]]) => ({
    description: meanings.join('\n\n'),
    headers: {
      ...(OF_STRANGERS.includes(status) ? headerRefs(headers.always) : own),
      ...(status === '401' ? headerRefs(headers.challenge) : {}),
      ...(status === '429' || status.startsWith('5') ? headerRefs(headers.retry) : {}),
    },
    content,
  });
  return Object.fromEntries([...errorMeanings(described)].map((entry) => [entry[0], answer(entry)]));
}

/** `GET /openapi.json`. The document is built on the first request, because this takes longer than a start should. */
export function serveOpenApi({ app, front }: ServerApi, version: string): void {
  let text: string | null = null;
  app.get(GET_OPENAPI.path, (request, reply) => {
    text ??= JSON.stringify(openApiDocument({ headerPrefix: front.headerPrefix, version }));
    sendText({ front, request, reply }, 200, 'application/json', text);
  });
}
