import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLayers } from './requests.ts';

test('4,000 requests, most of them damaged: both layers take the same ones, with the same bodies, and answer the same', async () => {
  const { hot, handedOver, refused } = await compareLayers(1, 4000);
  // The comparison is worth something only while there is much of each.
  for (const [what, count] of Object.entries({ hot, handedOver, refused })) assert.ok(count > 400, `${what}: ${count}`);
});
