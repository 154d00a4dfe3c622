import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listsFor } from '../api/lazy-operations.ts';
import { RESOURCES } from './resources.ts';

test('every operation is found by its own path, and is for the callers that its resource says', async () => {
  for (const resource of RESOURCES) {
    for (const { id, path, access } of await resource.load()) {
      const asked = `${path.replaceAll(/\{\w+\}/g, 'a')}?after=b`;
      assert.ok(listsFor(RESOURCES, asked).includes(resource), id);
      assert.equal(access === 'operator', resource.caller === 'operator', id);
    }
  }
});

test('every path of a resource leads to an operation', async () => {
  for (const resource of RESOURCES) {
    const operations = await resource.load();
    for (const path of resource.paths) {
      const led = operations.filter(
        (each) => listsFor([{ paths: [path] }], each.path.replaceAll(/\{\w+\}/g, 'a')).length > 0,
      );
      assert.ok(led.length > 0, path);
    }
  }
});

test('a request loads no resource that cannot have it', () => {
  const found = (path: string) => listsFor(RESOURCES, path).flatMap(({ paths }) => paths);
  assert.deepEqual(found('/v1/organization/projects'), ['/v1/organization/projects']);
  assert.deepEqual(found('/v1/organization/projectsx'), []);
  assert.deepEqual(found('/v1/organization').length, 3);
  assert.deepEqual(found('/v1/nothing'), []);
});
