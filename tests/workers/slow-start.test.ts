import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';

/** Every worker is silent for twice as long as one that serves may be (`support/slow-start.ts`). */
const slowly = new URL('../support/slow-start.ts', import.meta.url);

test('a start on a machine that is too busy to run its workers for a while goes on', async () => {
  await using headgate = await startHeadgate({
    config: 'server: { workers: 2, worker_timeout: 2s }\n',
    env: { NODE_OPTIONS: `--import ${slowly}` },
  });
  assert.equal((await fetch(`${headgate.url}/readyz`)).status, 200);
  assert.doesNotMatch(headgate.stderr(), /has not answered/);
});
