import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { AT_WORK, CallerTurns } from './caller-turns.ts';

/** Started work ends when the test says so. */
function controlled(turns: CallerTurns) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const ask = (callerId: string, name: string) =>
    turns.run(callerId, () => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    });
  return { begun, ask, end: (name: string) => ends.get(name)!.resolve(name), fail: (name: string) => ends.get(name)! };
}

async function settled(): Promise<void> {
  await new Promise((over) => setImmediate(over));
}

test('one caller has so many requests worked at, the others wait in the order in which they came', async () => {
  const { begun, ask, end, fail } = controlled(new CallerTurns(() => 100));
  const names = Array.from({ length: AT_WORK + 2 }, (_, index) => `ada ${index}`);
  const [first, second] = [names[AT_WORK - 1]!, names[0]!];
  const asked = names.map((name) => ask('ada', name));
  assert.deepEqual(begun, names.slice(0, AT_WORK));

  const bob = ask('bob', 'bob');
  assert.equal(begun.at(-1), 'bob', 'another caller waits for nobody');
  end('bob');
  assert.equal(await bob, 'bob');

  end(first);
  assert.equal(await asked[AT_WORK - 1], first);
  assert.equal(begun.at(-1), names[AT_WORK]);
  // Failed work also passes its turn on.
  fail(second).reject(new Error('broken'));
  await assert.rejects(asked[0]!, /broken/);
  await settled();
  assert.equal(begun.at(-1), names[AT_WORK + 1]);
});

test('a caller with as many under way as it may is refused, until one of them is answered', async () => {
  let most = AT_WORK + 1;
  const { begun, ask, end } = controlled(new CallerTurns(() => most));
  const asked = Array.from({ length: most }, (_, index) => ask('ada', `${index}`));
  const refused = await ask('ada', 'too many').catch((error: unknown) => error);
  assert(refused instanceof GatewayError);
  assert.deepEqual([refused.kind, refused.status, refused.retryAfterMs], ['rate_limit_exceeded', 429, 1_000]);
  assert.match(refused.message, /already have 3 requests in progress, the limit \(`limits\.max_requests_at_once`\)/);
  end('0');
  await asked[0];
  const again = ask('ada', 'again');
  for (const name of ['1', '2']) {
    await settled();
    end(name);
  }
  await settled();
  end('again');
  assert.equal(await again, 'again');
  assert(!begun.includes('too many'));
  most = 1;
  void ask('ada', 'alone');
  await assert.rejects(ask('ada', 'beside it'), GatewayError);
});
