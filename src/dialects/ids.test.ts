import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIALECTS } from './built.ts';
import { BUILT_DIALECT_IDS } from './ids.ts';

test('the ids of what is built are those of the dialects, in their order', () => {
  assert.deepEqual(
    DIALECTS.map(({ id }) => id),
    BUILT_DIALECT_IDS,
  );
});
