import { z } from 'zod';
import { ORGANIZATION_HEADER, SESSION_COOKIE } from '../../http/browser.ts';
import { sendText } from '../../http/send.ts';
import { parseJson } from '../../json/parse.ts';
import { LIST_CATALOG, LIST_ROUTES, RETRIEVE_CATALOG_ENTRY } from '../catalog.ts';
import { EXPLAIN_ROUTE } from '../explain.ts';
import { CREATE_FEEDBACK } from '../feedback.ts';
import { FIRST_TOKEN_TIMES } from '../first-tokens.ts';
import { HEALTH } from '../health.ts';
import { HELLOS } from '../hello.ts';
import { WATCH_USAGE } from '../live/live-usage.ts';
import { LIST_MODEL_INFO, LIST_MODEL_INFO_AT_ROOT } from '../model-info.ts';
import { LIST_MODELS, RETRIEVE_MODEL } from '../models.ts';
import { type HttpApi, isForBoth, isForPeople, type Operation, type OtherForm, operation } from '../operation.ts';
import { ORGANIZATION_OPERATIONS } from '../organization/organization.ts';
import { SIGNING_IN_OPERATIONS } from '../sign-in/operations.ts';
import { WELCOME } from '../sign-in/welcome.ts';
import { GET_STATUS } from '../status.ts';
import { LIST_USAGE, RETRIEVE_USAGE } from '../usage.ts';
import { SUMMARIZE_USAGE } from '../usage-summary.ts';
import { ERROR, errorMeanings } from './errors.ts';
import { exampleOf, exampleOfRequest, type Json } from './examples.ts';
import { type AnswerHeaders, answerHeaders, type HeaderRefs, headerRefs } from './headers.ts';
import { MODEL_OPERATIONS, type ModelOperation } from './model-operations.ts';

export const GET_OPENAPI = operation('getOpenApi', 'GET /openapi.json', {
  tag: 'Operation',
  summary: 'Describe every operation of this gateway, in OpenAPI.',
  access: 'anyone',
  answer: {
    description: 'This document.',
    schema: z.looseObject({ openapi: z.literal('3.1.0'), info: z.looseObject({}), paths: z.looseObject({}) }),
  },
});

/** Everything that is served. */
/** Every operation of the HTTP API. */
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
    'Of signed-in people: the id of the organization that the request is for, in place of the one that their session is at. A ' +
    `browser that can send no header names it in the query, as \`${ORGANIZATION_HEADER}\`. A key has its organization.`,
};

export type DocumentOptions = {
  /** The word that the names of the gateway's own headers begin with. */
  headerPrefix: string;
  /** Of this software. */
  version: string;
};

/** Everything that is served, in OpenAPI 3.1. https://spec.openapis.org/oas/v3.1.0 */
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
      { name: 'Models', description: 'Calls to models.' },
      { name: 'Catalog', description: 'What can be called.' },
      { name: 'Usage', description: 'What was used, and what it cost.' },
      {
        name: 'Organization',
        description: 'Settings of the organization: as OpenAI’s administration API, for keys of administration.',
      },
      { name: 'Sign-in', description: 'How people sign in, in browsers, and what is then their own.' },
      { name: 'Operation', description: 'For those who run the gateway.' },
    ],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, as made by `headgate keys create`.' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same key, for clients that send it so.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description:
            'A person’s session, as signing in gives it. What changes something must come from the same origin.',
        },
      },
      parameters: { [ORGANIZATION_HEADER]: ORGANIZATION_PARAMETER },
      headers: Object.fromEntries(Object.values(answers).flatMap((set) => Object.entries(set))),
      responses,
      schemas: components,
    },
  };
}

/** Errors that several operations have are written once, as `Error404` or `Error404_2`, and referred to: they would be four fifths of all. */
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

/** Every schema of every operation as JSON Schema; those with a name are written once, and referred to. */
function jsonSchemas(): { schemaOf(schema: z.ZodType): Json; components: Json } {
  const all = [...new Set([ERROR, ...OPERATIONS.flatMap(schemasOf)])];
  const { properties, $defs } = z.toJSONSchema(z.object(Object.fromEntries(all.entries())), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Zod's words for "any whole number" and for "anything".
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

/** A schema stands under its name; that it says the name as well would be for readers that know no OpenAPI. */
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

/** Shows what is sent, and what is answered to it. */
function addExamples(id: string, { requestBody, responses }: WrittenOperation, components: Json): void {
  const sent = requestBody?.content['application/json'];
  if (sent !== undefined) sent.example = exampleOfRequest(id, sent.schema, components);
  const answered = responses[200]?.content?.['application/json'];
  if (answered !== undefined) answered.example = exampleOf(answered.schema, components);
}

/** What a request must carry, where that is not a key. */
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

/** By which the other form is asked for. */
function headerOf({ style, description }: OtherForm): Json {
  return { name: style.onlyWith, in: 'header', schema: { type: 'string' }, description };
}

/** Of a call to a model that is billed. */
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
    description: `Server-sent events, where \`stream\` was asked for. ${end}`,
  };
  return { 'text/event-stream': { schema } };
}

/** The headers that an operation's answers have. */
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

/** Statuses of requests whose caller is not known, or not yet. */
const OF_STRANGERS = ['401', '408', '431'];

/** By status, each with the codes it can have and what they mean. */
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

/** `GET /openapi.json`. The document is made when it is first asked for: that takes longer than a start should. */
export function serveOpenApi({ app, front }: HttpApi, version: string): void {
  let text: string | null = null;
  app.get(GET_OPENAPI.path, (request, reply) => {
    text ??= JSON.stringify(openApiDocument({ headerPrefix: front.headerPrefix, version }));
    sendText({ front, request, reply }, 200, 'application/json', text);
  });
}
