import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { watchUsage } from '../support/live.ts';
import { ask, chat } from './ask.ts';

const headgate = await startHeadgate({ args: ['--workers', '2'] });
after(() => headgate[Symbol.asyncDispose]());

test('who watches at one worker is told of the calls of all, each once', async () => {
  const CALLS = 8;
  await using one = await watchUsage(headgate, headgate.key);
  await using another = await watchUsage(headgate, headgate.key);
  for (let call = 0; call < CALLS; call += 1) await ask(headgate, '/v1/chat/completions', chat('echo'));
  const { data } = await headgate.usage();
  for (const watching of [one, another]) {
    await watching.until(() => watching.ids.length === CALLS, 'all calls');
    assert.deepEqual([...watching.ids].sort(), data.map(({ id }) => String(id)).sort());
  }
});
