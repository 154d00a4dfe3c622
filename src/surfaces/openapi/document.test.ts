import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ERROR_KINDS } from '../../core/errors.ts';
import { openApiDocument } from './document.ts';

const document = openApiDocument({ headerPrefix: 'acme', version: '1.2.3' });
const text = JSON.stringify(document);

/** Kinds that no documented operation answers with: they are for what is not one, or for records only. */
const NO_ANSWER_OF_AN_OPERATION = ['method_not_allowed', 'client_closed_request'];

test('every $ref leads somewhere, and every schema and header is used', () => {
  const { schemas, headers } = document.components;
  const there = [
    ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
    ...Object.keys(headers).map((name) => `#/components/headers/${name}`),
  ];
  const used = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, place]) => place);
  assert.deepEqual([...new Set(used)].sort(), there.sort());
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

test('it tells the version, and the headers with the word of the setting', () => {
  assert.equal(document.info.version, '1.2.3');
  for (const name of ['version', 'processing-ms', 'organization', 'provider', 'model', 'attempts']) {
    assert.ok(text.includes(`"acme-${name}"`), name);
  }
  assert.doesNotMatch(text, /"service-\w+":/);
});

test('operations have names of their own, known tags, and the parameters of their path', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...(operation as Operation) })),
  );
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

type Operation = { operationId: string; tags: string[]; parameters?: { name: string; in: string }[] };
