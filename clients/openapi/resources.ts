import { OPERATIONS, openApiDocument } from '../../src/surfaces/openapi/document.ts';

/**
 * What the client libraries have beyond the official ones, as `/openapi.json` describes it. Both generators read it here:
 * an operation of the gateway's own says as `client` where it is. A test fails where an operation is in no client.
 */

/**
 * By the name of the resource, where a dot leads into another one: its methods, in camel case, and the `operationId` of each. All
 * else is read from the operation: whether its pages are walked through, and whether it takes an administrator’s key.
 */
const RESOURCES = resourcesOf(OPERATIONS);

function resourcesOf(operations: typeof OPERATIONS): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const resources: Record<string, Record<string, string>> = {};
  for (const { id, client } of operations) {
    if (client === undefined) continue;
    const dot = client.lastIndexOf('.');
    const name = client.slice(0, dot);
    resources[name] = { ...resources[name], [client.slice(dot + 1)]: id };
  }
  return resources;
}

/** Where operations under `/v1` begin that neither our clients nor their parents have, and why. */
export const NOT_FOR_CLIENTS: Readonly<Record<string, string>> = {
  '/v1/auth/': 'They sign a person in and out, in a browser; a client has a key.',
  '/v1/organization/sessions': 'They are of the person who is signed in; a key has none.',
  '/v1/messages': 'They speak Anthropic’s format, which Anthropic’s own clients have.',
};

/** The same of what only the later of the parents' majors has. */
export const OF_LATER_PARENTS: Readonly<Record<string, string>> = {
  '/v1/organization/usage/decisions': 'A gateway has nothing to tell there: its answer is always empty.',
};

/** Where an administrator’s key goes along, if the client has one. */
const ADMINISTRATION = /^\/v1\/(organization|projects|webhook_|status)/;

/** A JSON Schema, as the document has them: `$ref` names another of its schemas. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly (string | number | null)[];
  const?: string | number | boolean | null;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** `true` or `{}`: anything may stand beside the properties. */
  additionalProperties?: boolean | Schema;
  description?: string;
};

export type Parameter = { name: string; description?: string; schema: Schema; required: boolean };

/** A method of a resource, with all that is needed to write it. */
export type Method = {
  /** In camel case. */
  name: string;
  httpMethod: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** Below the base URL, which ends in `/v1`: `/usage/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /** What stands in braces in `path`, in their order. */
  pathParameters: readonly Parameter[];
  query: readonly Parameter[];
  body: Schema | null;
  /** One of the members of the body must be there. */
  needsBody: boolean;
  answer: Schema;
  /** It is answered with events without an end, each of which is an `answer`. */
  isLive: boolean;
  /** The items of an answer of the form `{object: "list", data}`, where they are objects. */
  listOf: Schema | null;
  /** The list comes in pages: `after` is the id of the last item, and `has_more` says whether to go on. */
  isPaged: boolean;
  administration: boolean;
};

export type Resource = { name: string; methods: readonly Method[]; children: readonly Resource[] };

/** All that is the gateway's own, and each named schema that it refers to, in the order in which it is first met. */
export type OwnApi = { resources: readonly Resource[]; schemas: ReadonlyMap<string, Schema> };

/** Reads it from the same function that makes the document, without a server. Throws where an operation is not there. */
export function ownApi(): OwnApi {
  const document = openApiDocument({ headerPrefix: 'service', version: '0' });
  const all = document.components.schemas as Readonly<Record<string, Schema>>;
  const operations = operationsOf(document.paths as Paths);
  const resources = within('', (method, operation) => {
    const described = operations.get(operation);
    if (described === undefined) throw new Error(`The document has no operation ${operation}.`);
    return methodOf(method, described, all);
  });
  return { resources, schemas: reached(resources, all) };
}

/** The name behind a reference. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** All operations under `/v1` but those whose answers are no JSON, by `operationId`, and every named schema. */
export function wholeApi(): { operations: ReadonlyMap<string, Method>; schemas: ReadonlyMap<string, Schema> } {
  const document = openApiDocument({ headerPrefix: 'service', version: '0' });
  const all = document.components.schemas as Readonly<Record<string, Schema>>;
  const placed = [...operationsOf(document.paths as Paths)].filter(
    ([, { path, described }]) => path.startsWith('/v1/') && answerOf(described) !== undefined,
  );
  const operations = placed.map(([operation, each]) => [operation, methodOf(operation, each, all)] as const);
  return { operations: new Map(operations), schemas: new Map(Object.entries(all)) };
}

type DescribedParameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };

type Content = { content: { 'application/json'?: { schema: Schema }; 'text/event-stream'?: { schema: Schema } } };

type Described = {
  operationId: string;
  summary: string;
  description?: string;
  /** A header that many operations take is referred to; clients set it once, for all that they ask. */
  parameters?: readonly (DescribedParameter | { $ref: string })[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content>>;
};

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;
type Placed = { described: Described; path: string; httpMethod: Method['httpMethod'] };

function operationsOf(paths: Paths): Map<string, Placed> {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([httpMethod, described]) => ({ described, path, httpMethod }) as Placed),
  );
  return new Map(placed.map((each) => [each.described.operationId, each]));
}

/** The resources whose names begin with `prefix`, one level below it; those further down are their children. */
function within(prefix: string, methodFor: (method: string, operation: string) => Method): Resource[] {
  const below = Object.keys(RESOURCES).filter((name) => name.startsWith(prefix));
  const names = [...new Set(below.map((name) => name.slice(prefix.length).split('.')[0]!))];
  return names.map((name) => ({
    name,
    methods: Object.entries(RESOURCES[prefix + name] ?? {}).map(([method, operation]) => methodFor(method, operation)),
    children: within(`${prefix}${name}.`, methodFor),
  }));
}

/** @param name - of the method, in camel case */
function methodOf(name: string, placed: Placed, all: Readonly<Record<string, Schema>>): Method {
  const { described, path, httpMethod } = placed;
  const { summary, description, parameters = [] } = described;
  const [whole, event] = [answerOf(described), eventOf(described)];
  const answer = whole ?? event;
  if (answer === undefined) throw new Error(`${described.operationId} answers neither with JSON nor with events.`);
  const parametersIn = (place: string) =>
    parameters
      .filter((parameter) => 'in' in parameter)
      .filter((parameter) => parameter.in === place)
      .map(({ in: _, required = false, ...parameter }) => ({ ...parameter, required }));
  const query = parametersIn('query');
  const body = described.requestBody?.content['application/json']?.schema ?? null;
  return {
    name,
    httpMethod,
    path: path.replace(/^\/v1/, ''),
    summary,
    ...(description !== undefined && { description }),
    pathParameters: parametersIn('path'),
    query,
    body,
    needsBody: body !== null && !isOptional(body, all),
    answer,
    isLive: whole === undefined,
    listOf: itemOf(answer, all),
    isPaged: query.some((each) => each.name === 'after'),
    administration: ADMINISTRATION.test(path),
  };
}

function isOptional(body: Schema, all: Readonly<Record<string, Schema>>): boolean {
  const { properties = {}, required = [] } = body.$ref === undefined ? body : all[nameOf(body.$ref)]!;
  return required.length === 0 && Object.keys(properties).length > 0;
}

function answerOf({ responses }: Described): Schema | undefined {
  return responses['200']?.content['application/json']?.schema;
}

function eventOf({ responses }: Described): Schema | undefined {
  return responses['200']?.content['text/event-stream']?.schema;
}

function itemOf(answer: Schema, all: Readonly<Record<string, Schema>>): Schema | null {
  const { object, data } = (answer.$ref === undefined ? answer : all[nameOf(answer.$ref)])?.properties ?? {};
  const item = object?.const === 'list' ? data?.items : undefined;
  return item?.$ref !== undefined || item?.type === 'object' ? item : null;
}

function reached(resources: readonly Resource[], all: Readonly<Record<string, Schema>>): Map<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (value: unknown): void => {
    for (const [, ref] of JSON.stringify(value).matchAll(/"\$ref":"([^"]*)"/g)) {
      const name = nameOf(ref!);
      if (found.has(name)) continue;
      found.set(name, all[name]!);
      visit(all[name]);
    }
  };
  visit(resources);
  return found;
}
