import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel, ChannelError, type Pipe } from './channel.ts';

type There = { twice: { asked: number; answered: number }; never: { asked: null; answered: null } };
type Here = { fail: { asked: string; answered: null } };

/** Two ends, with what is sent copied as it is between processes. */
function connected(): [Pipe, Pipe] {
  const listeners: ((message: unknown) => void)[] = [];
  const end = (mine: number): Pipe => ({
    send: (message) => queueMicrotask(() => listeners[1 - mine]!(JSON.parse(JSON.stringify(message)))),
    onMessage: (listener) => {
      listeners[mine] = listener;
    },
  });
  return [end(0), end(1)];
}

function channels(): { here: Channel<There, Here>; there: Channel<Here, There> } {
  const [one, other] = connected();
  const fail = (why: string) => Promise.reject(new Error(why));
  const here = new Channel<There, Here>(one, { fail });
  const there = new Channel<Here, There>(other, {
    twice: (amount) => amount * 2,
    never: () => new Promise(() => undefined),
  });
  return { here, there };
}

test('both ends ask and answer, each question its own answer', async () => {
  const { here, there } = channels();
  assert.deepEqual(await Promise.all([1, 2, 3].map((amount) => here.ask('twice', amount))), [2, 4, 6]);
  await assert.rejects(there.ask('fail', 'no disk'), new ChannelError('no disk'));
});

test('what takes too long, or is asked of an end that is gone, is a failure', async () => {
  const { here } = channels();
  await assert.rejects(here.ask('never', null, 1), new ChannelError('There was no answer to never.'));
  const open = here.ask('never', null);
  here.close();
  await assert.rejects(open, new ChannelError('The other process has ended.'));
  await assert.rejects(here.ask('twice', 1), ChannelError);
});

test('messages of others are not ours', async () => {
  const [one, other] = connected();
  const here = new Channel<There, Here>(one, { fail: () => null });
  for (const message of [null, 'text', { cmd: 'other' }]) other.send(message);
  new Channel<Here, There>(other, { twice: (amount) => amount * 2, never: () => null });
  assert.equal(await here.ask('twice', 4), 8);
});
