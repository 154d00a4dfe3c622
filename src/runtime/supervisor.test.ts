import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { backOff, type Child, type Death, StartError, Supervisor } from './supervisor.ts';

test('who dies of starting is started later each time, up to ten seconds', () => {
  assert.deepEqual([0, 1, 2, 3, 7, 8, 50].map(backOff), [0, 100, 200, 400, 6_400, 10_000, 10_000]);
});

test('a place is filled again once what its worker left was cleaned up, and never after a stop', async () => {
  const { supervisor, children, deaths, waits, clock } = setUp();
  const starting = supervisor.start();
  for (const child of children) child.serve();
  await starting;
  const cleaned = Promise.withResolvers<void>();
  deaths.cleaning = cleaned.promise;
  children[0]!.exit('SIGKILL');
  await turn();
  assert.deepEqual(deaths.seen, [{ pid: 1, instanceId: 'instance_1', how: 'SIGKILL' }]);
  assert.equal(children.length, 2);
  cleaned.resolve();
  await turn();
  assert.equal(children.length, 3);
  children[2]!.serve();
  children[2]!.exit('exit code 1');
  await turn();
  clock.now = 60_000;
  children[3]!.serve();
  children[1]!.exit('SIGKILL');
  await turn();
  assert.deepEqual(waits, [100, 200, 0], 'one that served for a minute did not die of starting');
  const stopping = supervisor.stop();
  for (const child of children) child.exit('exit code 0', true);
  await stopping;
  assert.equal(children.length, 5);
  assert.equal(deaths.seen.length, 3, 'an end that was asked for is none');
});

test('where one cannot start none is left, and what it said is told', async () => {
  const { supervisor, children } = setUp();
  const starting = supervisor.start();
  children[0]!.serve();
  children[1]!.say('failed', 'Port 80 is taken.');
  await assert.rejects(starting, new StartError('Port 80 is taken.'));
  assert.deepEqual(
    children.map(({ killed }) => killed),
    [true, true],
  );
});

type Fake = Child & {
  killed: boolean;
  serve(): void;
  say(name: string, body: unknown): void;
  exit(how: string, clean?: boolean): void;
};

function setUp() {
  const children: Fake[] = [];
  const waits: number[] = [];
  const clock = { now: 0 };
  const deaths: { seen: Death[]; cleaning: Promise<void> } = { seen: [], cleaning: Promise.resolve() };
  const supervisor = new Supervisor({
    size: 2,
    fork: () => {
      const child = fakeChild(children.length + 1);
      children.push(child);
      return child;
    },
    instanceId: () => `instance_${children.length}`,
    answers: () => ({
      hello: () => Promise.reject(new Error('not asked')),
      metrics: () => '',
      status: () => Promise.reject(new Error('not asked')),
      items: () => [],
      attempt: () => null,
      forgetAttempts: () => null,
      storage: () => null,
    }),
    onDeath: (death) => {
      deaths.seen.push(death);
      return deaths.cleaning;
    },
    onReplaced: () => undefined,
    now: () => clock.now,
    wait: async (ms) => void waits.push(ms),
  });
  return { supervisor, children, deaths, waits, clock };
}

function fakeChild(pid: number): Fake {
  let hear: (message: unknown) => void = () => undefined;
  let end: (how: string, clean: boolean) => void = () => undefined;
  const child: Fake = {
    pid,
    killed: false,
    send: () => undefined,
    onMessage(listener) {
      hear = listener;
    },
    onExit(listener) {
      end = listener;
    },
    kill() {
      child.killed = true;
      end('SIGKILL', false);
    },
    say: (name, body) => hear({ headgate: 'question', id: 1, name, body }),
    serve: () => child.say('serving', { address: 'http://a:1', greeting: { providers: [], exampleModel: null } }),
    exit: (how, clean = false) => end(how, clean),
  };
  return child;
}
