import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import type { Caller } from '../../core/ports.ts';
import { TimerWheel } from '../../core/timer-wheel.ts';
import type { BodyAnswer, IncomingCall } from '../door.ts';
import { Doors } from '../doors.ts';
import { OPENAI_MANNER } from '../exchange.ts';
import { createServer } from '../server.ts';
import { SocketAnswer } from './socket-answer.ts';

const PATH = '/v1/chat/completions';
const REQUEST_MS = 1000;
const IDLE_MS = 76_000;
const LINGER_MS = 10_000;

const CALLER = { key: { id: 'key_1' }, organization: { id: 'org_1' } } as Caller;
const requestOf = (body: string, key = 'warm') =>
  `POST ${PATH} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A server of the fast layer whose connections are in memory, and whose one route does as the test says. */
async function startServer(handle: (call: IncomingCall) => void = ({ answer }) => answer.whole(200, '{}')) {
  const state = { now: 0, stopping: false, taken: [] as string[], hot: 0, admit: () => {} };
  const options = {
    front: {
      headerPrefix: 'service',
      keys: {
        check(secret: string): Caller | Promise<Caller> {
          if (secret === 'warm') return CALLER;
          if (secret !== 'cold') throw new GatewayError('invalid_api_key', 'No.');
          return new Promise((resolve) => {
            state.admit = () => resolve(CALLER);
          });
        },
      },
      limiter: {
        reserve: () => assert.fail(),
        state: () => ({
          limitRequests: 0,
          limitTokens: 0,
          remainingRequests: 0,
          remainingTokens: 0,
          resetRequestsMs: 0,
          resetTokensMs: 0,
        }),
      },
      clock: { now: () => 0, monotonic: () => state.now },
      ids: {
        requestId: () => 'req_1',
        recordId: () => '',
        token: () => '',
        keyId: () => '',
        organizationId: () => '',
      },
    },
    limits: () => ({ maxBody: 1024 * 1024, maxHeader: 4096, requestTimeout: REQUEST_MS }),
    stopping: () => state.stopping,
    onFault: (error: unknown) => assert.fail(String(error)),
  };
  const app = createServer(options);
  const doors = new Doors(app, options, new TimerWheel(options.front.clock.monotonic), 'fast');
  doors.post({
    path: PATH,
    manner: OPENAI_MANNER,
    handle(call) {
      state.taken.push(call.body.toString());
      if (call.answer instanceof SocketAnswer) state.hot += 1;
      handle(call);
    },
  });
  await app.ready();
  return {
    ...state,
    state,
    doors,
    connect() {
      const [client, server] = duplexPair();
      app.server.emit('connection', server);
      return new Client(client, server);
    },
    /** Time passes, for the clock and for the timers. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 100) {
        state.now += Math.min(100, left);
        mock.timers.tick(Math.min(100, left));
      }
      await turns();
    },
  };
}

class Client {
  readonly socket: Duplex;
  readonly server: Duplex;
  answers = '';
  closed = false;

  constructor(socket: Duplex, server: Duplex) {
    this.socket = socket;
    this.server = server;
    socket.on('data', (bytes: Buffer) => {
      this.answers += bytes.toString();
    });
    socket.on('error', () => undefined);
    server.on('close', () => {
      this.closed = true;
    });
  }

  /** Resolves once what it leads to has happened: all of it is in this process. */
  async send(text: string | Buffer): Promise<void> {
    this.socket.write(text);
    await turns();
  }

  get statuses(): number[] {
    return [...this.answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
  }
}

const setImmediateNow = setImmediate;

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediateNow(resolve));
}

describe('requests on a connection', () => {
  test('may be cut anywhere: each is taken once, with the same body', async () => {
    const message = requestOf('{"a":1}');
    for (let cut = 1; cut < message.length; cut += 1) {
      const server = await startServer();
      const client = server.connect();
      await client.send(message.slice(0, cut));
      await client.send(message.slice(cut));
      assert.deepEqual([client.statuses, server.state.taken], [[200], ['{"a":1}']], `cut at ${cut}`);
      assert.equal(server.state.hot, cut < message.length - 7 ? 0 : 1, `cut at ${cut}`);
    }
  });

  test('come one after the other, in any number of pieces', async () => {
    const server = await startServer();
    const client = server.connect();
    for (let index = 0; index < 3; index += 1) {
      const text = requestOf(`{"a":${index}}`);
      await client.send(text.slice(0, -5));
      for (const byte of text.slice(-5)) await client.send(byte);
    }
    assert.deepEqual(client.statuses, [200, 200, 200]);
    assert.deepEqual([server.state.taken, server.state.hot], [['{"a":0}', '{"a":1}', '{"a":2}'], 3]);
  });

  test('that are not plain are Node’s, and all that follow', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('1'));
    await client.send('GET /v1/models HTTP/1.1\r\nhost: a\r\n\r\n');
    await client.send(requestOf('2'));
    assert.deepEqual([client.statuses, server.state.taken, server.state.hot], [[200, 404, 200], ['1', '2'], 1]);
  });

  test('that come before an answer are answered behind it', async () => {
    let answer: BodyAnswer | undefined;
    const server = await startServer((call) => {
      if (call.answer instanceof SocketAnswer) answer = call.answer;
      else call.answer.whole(201, '{}');
    });
    const client = server.connect();
    await client.send(requestOf('1'));
    const next = requestOf('2');
    await client.send(next.slice(0, 9));
    await client.send(next.slice(9));
    assert.deepEqual(client.statuses, []);
    answer?.whole(200, '{}');
    await turns();
    assert.deepEqual(
      [client.statuses, server.state.taken],
      [
        [200, 201],
        ['1', '2'],
      ],
    );
  });

  test('that are more than is kept are not read until the answer is given', async () => {
    let answer: BodyAnswer | undefined;
    const server = await startServer((call) => {
      if (call.answer instanceof SocketAnswer) answer = call.answer;
      else call.answer.whole(201, '{}');
    });
    const client = server.connect();
    await client.send(requestOf('1'));
    for (let index = 0; index < 20; index += 1) await client.send(requestOf('x'.repeat(30_000)));
    assert.equal(client.server.isPaused(), true);
    const unread = client.socket.writableLength;
    assert.ok(unread > 400_000, `${unread} bytes were not taken`);
    answer?.whole(200, '{}');
    await turns();
    assert.equal(client.statuses.length, 21);
  });

  test('wait for storage to say who calls', async () => {
    const server = await startServer();
    const client = server.connect();
    const text = requestOf('{"a":1}', 'cold');
    await client.send(text.slice(0, -3));
    await client.send(text.slice(-3));
    assert.deepEqual(server.state.taken, []);
    server.state.admit();
    await turns();
    assert.deepEqual([client.statuses, server.state.taken, server.state.hot], [[200], ['{"a":1}'], 1]);
  });

  test('of unknown callers are refused before their body has come', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('{"a":1}', 'wrong').slice(0, -3));
    assert.deepEqual(client.statuses, [401]);
  });

  test('are refused while the gateway stops', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('1'));
    server.state.stopping = true;
    await client.send(requestOf('2'));
    assert.deepEqual([client.statuses, server.state.taken], [[200, 503], ['1']]);
  });
});

describe('a caller who leaves', () => {
  for (const [how, leave] of [
    ['at once', (client: Client) => client.server.destroy()],
    ['by ending its side', (client: Client) => client.socket.end()],
  ] as const) {
    test(`${how} while its call is answered is told of once, and written to no more`, async () => {
      let gone = 0;
      let answer: BodyAnswer | undefined;
      const server = await startServer((call) => {
        answer = call.answer;
        answer.onGone(() => {
          gone += 1;
        });
        answer.begin();
        answer.write('data: 1\n\n');
      });
      const client = server.connect();
      await client.send(requestOf('1'));
      assert.match(client.answers, /data: 1/);
      leave(client);
      await turns();
      answer?.write('data: 2\n\n');
      answer?.end('');
      await turns();
      assert.deepEqual([gone, answer?.gone, client.closed], [1, true, true]);
      assert.doesNotMatch(client.answers, /data: 2/);
    });
  }

  test('in the middle of a body has sent no request', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('12345').slice(0, -1));
    client.socket.end();
    await turns();
    assert.deepEqual([client.statuses, server.state.taken, client.closed], [[400], [], true]);
  });

  test('between two requests is let go', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('1'));
    client.socket.end();
    await turns();
    assert.equal(client.closed, true);
  });
});

describe('a caller who is slow to read', () => {
  const PIECE = Buffer.alloc(64 * 1024, 'x');

  test('is waited for, and told of when it goes on', async () => {
    let drained = 0;
    let answer: BodyAnswer | undefined;
    const server = await startServer((call) => {
      answer = call.answer;
      answer.onDrain(() => {
        drained += 1;
      });
      answer.begin();
    });
    const client = server.connect();
    await client.send(requestOf('1'));
    client.socket.pause();
    while (answer?.write(PIECE) === true) await turns();
    assert.equal(drained, 0);
    client.socket.resume();
    await turns();
    assert.equal(drained, 1);
    assert.equal(answer?.write('data: more\n\n'), true);
    answer?.end('');
    await turns();
    assert.match(client.answers, /data: more\n\n\r\n0\r\n\r\n$/);
    await client.send(requestOf('2'));
    assert.equal(server.state.hot, 2);
  });

  test('gets small frames of one turn in one piece', async () => {
    const server = await startServer(({ answer }) => {
      answer.begin();
      for (let index = 0; index < 5; index += 1) answer.write(`data: ${index}\n\n`);
    });
    const client = server.connect();
    const pieces: string[] = [];
    client.socket.on('data', (piece: Buffer) => pieces.push(piece.toString()));
    await client.send(requestOf('1'));
    assert.equal(pieces.length, 1);
    assert.equal(pieces[0]?.match(/9\r\ndata: \d\n\n\r\n/g)?.length, 5);
  });
});

test('an answer that is over does not reach into the next', async () => {
  const answers: BodyAnswer[] = [];
  const server = await startServer(({ answer }) => {
    answers.push(answer);
    answer.begin();
    answer.end('data: 1\n\n');
  });
  const client = server.connect();
  await client.send(requestOf('1'));
  await client.send(requestOf('2'));
  const { answers: before } = client;
  answers[0]?.write('data: late\n\n');
  answers[0]?.end('data: late\n\n');
  answers[0]?.whole(200, '{}');
  await turns();
  assert.equal(client.answers, before);
});

test('idle connections are closed when the gateway stops, and others only at its end', async () => {
  const server = await startServer(({ body, answer }) => {
    if (body.toString() === 'now') answer.whole(200, '{}');
  });
  const [fresh, idle, busy, halfway] = [server.connect(), server.connect(), server.connect(), server.connect()];
  await idle.send(requestOf('now'));
  await busy.send(requestOf('later'));
  await halfway.send(requestOf('12345').slice(0, -1));
  server.doors.closeIdle();
  await turns();
  assert.deepEqual([fresh.closed, idle.closed, busy.closed, halfway.closed], [false, true, false, false]);
  server.doors.closeAll();
  await turns();
  assert.deepEqual([fresh.closed, busy.closed, halfway.closed], [true, true, true]);
});

describe('time', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  test('is short for a caller who sends nothing', async () => {
    const server = await startServer();
    const client = server.connect();
    await server.pass(REQUEST_MS - 100);
    assert.deepEqual(client.statuses, []);
    await server.pass(200);
    assert.deepEqual(client.statuses, [408]);
  });

  test('is as short for the body of each request', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('1'));
    await server.pass(REQUEST_MS * 3);
    await client.send(requestOf('12345').slice(0, -2));
    await server.pass(REQUEST_MS - 100);
    await client.send('4');
    assert.deepEqual(client.statuses, [200]);
    await server.pass(200);
    assert.deepEqual([client.statuses, server.state.taken], [[200, 408], ['1']]);
    assert.match(client.answers, /connection: close/);
    await server.pass(LINGER_MS + 100);
    assert.equal(client.closed, true);
  });

  test('is long between requests, and counts from the last answer', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('1'));
    await server.pass(IDLE_MS - 1000);
    await client.send(requestOf('2'));
    await server.pass(IDLE_MS - 100);
    assert.equal(client.closed, false);
    await server.pass(200);
    assert.deepEqual([client.statuses, client.closed], [[200, 200], true]);
  });

  test('has no end while a call is answered', async () => {
    let answer: BodyAnswer | undefined;
    const server = await startServer((call) => {
      answer = call.answer;
    });
    const client = server.connect();
    await client.send(requestOf('1'));
    await server.pass(IDLE_MS * 3);
    answer?.whole(200, '{}');
    await turns();
    assert.deepEqual([client.statuses, client.closed], [[200], false]);
  });

  test('is short for a caller who does not take the end of its stream', async () => {
    const server = await startServer(({ answer }) => {
      answer.begin();
      answer.end(Buffer.alloc(1024 * 1024, 'x'));
    });
    const client = server.connect();
    client.socket.pause();
    await client.send(requestOf('1'));
    await server.pass(LINGER_MS - 100);
    assert.equal(client.closed, false);
    await server.pass(200);
    assert.equal(client.closed, true);
  });
});
