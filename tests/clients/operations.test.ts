import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Headgate } from '../../clients/javascript/src/index.ts';
import { calledBy, uncalled } from '../../clients/javascript/tests/called.ts';
import { NOT_FOR_CLIENTS } from '../../clients/openapi/resources.ts';
import { openApiDocument } from '../../src/surfaces/openapi/document.ts';

const { paths } = openApiDocument({ headerPrefix: 'service', version: '0' });
const exceptions = Object.keys(NOT_FOR_CLIENTS);
const called = await calledBy(
  (fetch) => new Headgate({ apiKey: 'k', adminAPIKey: 'a', baseURL: 'http://gateway', maxRetries: 0, fetch }),
);

test('each operation of /openapi.json is in the official client, or says where ours have it', () => {
  assert.deepEqual(uncalled(paths, called, exceptions), []);
});

test('an operation that is in neither is found', () => {
  const one = { '/v1/organization/wishes/{wish_id}': { get: {}, post: {} } };
  assert.deepEqual(uncalled({ ...paths, ...one }, called, exceptions), [
    'GET /v1/organization/wishes/{wish_id}',
    'POST /v1/organization/wishes/{wish_id}',
  ]);
});

for (const exception of exceptions) {
  test(`no client has what begins with ${exception}`, () => {
    const all = Object.entries(paths).filter(([path]) => path.startsWith(exception));
    const operations = all.flatMap(([, methods]) => Object.keys(methods));
    assert.ok(operations.length > 0);
    assert.equal(uncalled(Object.fromEntries(all), called, []).length, operations.length);
  });
}
