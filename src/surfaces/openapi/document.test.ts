import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ERROR_KINDS } from '../../core/errors.ts';
import { ORGANIZATION_OPERATIONS } from '../../organization/all-resources.ts';
import { openApiDocument } from './document.ts';

const document = openApiDocument({ headerPrefix: 'acme', version: '1.2.3' });
const text = JSON.stringify(document);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, ...(operation as Operation) })),
);

/** Kinds that no documented operation answers with: for undocumented paths, or for records only. */
const NO_ANSWER_OF_AN_OPERATION = ['method_not_allowed', 'client_closed_request'];

test('every $ref leads somewhere, and every schema, header, parameter and shared error is used', () => {
  const { schemas, headers, parameters, responses } = document.components;
  const there = [
    ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
    ...Object.keys(headers).map((name) => `#/components/headers/${name}`),
    ...Object.keys(parameters).map((name) => `#/components/parameters/${name}`),
    ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
  ];
  const used = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, place]) => place);
  assert.deepEqual([...new Set(used)].sort(), there.sort());
});

test('no error is written twice', () => {
  type Answers = Record<string, Record<string, { responses: Record<string, object> }>>;
  const written = Object.values(document.paths as Answers)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses).filter(([status]) => !status.startsWith('2')))
    .map((entry) => JSON.stringify(entry))
    .filter((entry) => !entry.includes('#/components/responses/'));
  const shared = Object.entries(document.components.responses).map(([name, answer]) =>
    JSON.stringify([/^Error(...)/.exec(name)?.[1], answer]),
  );
  assert.equal(new Set([...written, ...shared]).size, written.length + shared.length);
  assert.ok(shared.length > 30);
});

test('every schema is one', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema(schema as object, `#/components/schemas/${name}`);
  }
  for (const name of Object.keys(document.components.schemas)) {
    assert.equal(typeof ajv.getSchema(`#/components/schemas/${name}`), 'function', name);
  }
});

test('a parameter of a query that has to be given is said to be required', () => {
  const required = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.filter((each) => each.in === 'query' && each.required).map(({ name }) => `${operationId} ${name}`),
  );
  const demanded = ORGANIZATION_OPERATIONS.flatMap(({ id, query }) =>
    (query?.safeParse({}).error?.issues ?? []).map(
      ({ path }: { path: readonly PropertyKey[] }) => `${id} ${String(path[0])}`,
    ),
  );
  assert.deepEqual(required.sort(), demanded.sort());
  assert.ok(required.includes('searchOrganization query'), required.join(', '));
});

test('every body of the organization’s settings has an example that its own check lets in', () => {
  for (const { id, path, method, body, answer } of ORGANIZATION_OPERATIONS) {
    const { requestBody, responses } = document.paths[path]![method.toLowerCase()] as Exemplified;
    assert.equal(requestBody === undefined, body === undefined, id);
    for (const [schema, content] of [
      [body?.schema, requestBody?.content],
      [answer.schema, responses[200].content],
    ] as const) {
      const written = content?.['application/json'];
      if (schema === undefined || written === undefined) continue;
      const { error } = schema.safeParse(written.example);
      assert.equal(error, undefined, `${id}: ${JSON.stringify(written.example)}`);
    }
  }
  const examples = [...text.matchAll(/"example":\{/g)].length;
  assert.ok(examples > 200, `${examples} examples`);
});

type Exemplified = {
  requestBody?: { content: Exemplary };
  responses: { 200: { content: Exemplary } };
};
type Exemplary = { 'application/json'?: { example: unknown } };

test('it tells the version, and the headers with the word of the setting', () => {
  assert.equal(document.info.version, '1.2.3');
  for (const name of ['version', 'processing-ms', 'organization', 'provider', 'model', 'attempts']) {
    assert.ok(text.includes(`"acme-${name}"`), name);
  }
  assert.doesNotMatch(text, /"service-\w+":/);
});

test('who asks for the cost of a call finds how, with the word of the setting', () => {
  const askedBy = operations.flatMap(({ path, parameters = [] }) =>
    parameters.some(({ name, in: place }) => place === 'header' && name === 'acme-include-cost') ? [path] : [],
  );
  assert.deepEqual(askedBy, ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings']);
});

test('operations have names of their own, known tags, and the parameters of their path', () => {
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  const tags = document.tags.map(({ name }) => name);
  for (const { path, tags: own, parameters = [] } of operations) {
    assert.ok(own.every((tag) => tags.includes(tag)));
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
    assert.deepEqual(inPath, path.match(/\{\w+\}/g) ?? []);
  }
});

test('every kind of error stands in it', () => {
  const missing = Object.entries(ERROR_KINDS).filter(
    ([, { meaning }]) => !text.includes(JSON.stringify(meaning).slice(1, -1)),
  );
  assert.deepEqual(
    missing.map(([kind]) => kind),
    NO_ANSWER_OF_AN_OPERATION,
  );
});

type Operation = {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string; required?: boolean }[];
};
