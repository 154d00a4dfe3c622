import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import type { BodyAnswer } from '../../src/http/incoming-call.ts';
import { type Client, READ_MS, REQUEST_MS, requestOf, startServer, turns } from '../support/fast-layer.ts';

const IDLE_MS = 76_000;
const LINGER_MS = 10_000;
/** More than the time in which everybody is looked at twice. */
const LOOKS_MS = 2_500;
const LONG = Buffer.alloc(1024 * 1024, 'x');

function streamed(answer: BodyAnswer): void {
  answer.begin();
  answer.end(LONG);
}

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

  test('gets each frame with its chunk in one piece, and the head with the first', async () => {
    const server = await startServer(({ answer }) => {
      answer.begin();
      for (let index = 0; index < 3; index += 1) answer.write(`data: ${index}\n\n`);
      answer.end('data: 3\n\n');
    });
    const client = server.connect();
    const pieces: string[] = [];
    client.socket.on('data', (piece: Buffer) => pieces.push(piece.toString()));
    await client.send(requestOf('1'));
    const [first, ...rest] = pieces;
    assert.match(first ?? '', /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n9\r\ndata: 0\n\n\r\n$/s);
    assert.deepEqual(
      rest,
      ['1', '2', '3'].map((each) => `9\r\ndata: ${each}\n\n\r\n${each === '3' ? '0\r\n\r\n' : ''}`),
    );
  });
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

  for (const [what, reply] of [
    ['the end of its stream', streamed],
    ['its whole answer', (answer: BodyAnswer) => answer.whole(200, LONG)],
  ] as const) {
    test(`is bounded for a caller who does not take ${what}, and its call is held until then`, async () => {
      let answer: BodyAnswer | undefined;
      let taken = 0;
      const server = await startServer((call) => {
        answer = call.answer;
        reply(answer);
        answer.onTaken(() => {
          taken += 1;
        });
      });
      const client = server.connect();
      client.socket.pause();
      await client.send(requestOf('1'));
      await server.pass(READ_MS - 100);
      assert.deepEqual([client.closed, answer?.unread, taken], [false, true, 0]);
      await server.pass(LOOKS_MS);
      assert.deepEqual([client.closed, answer?.unread, taken, server.state.letGo], [true, false, 1, ['not_read']]);
    });

    test(`starts anew for a caller who takes some of ${what}`, async () => {
      const server = await startServer(({ answer }) => reply(answer));
      const client = server.connect();
      client.socket.pause();
      await client.send(requestOf('1'));
      await server.pass(READ_MS - LOOKS_MS);
      client.socket.resume();
      await turns();
      await server.pass(READ_MS);
      assert.deepEqual([client.closed, server.state.letGo], [false, []]);
      await client.send(requestOf('2'));
      assert.equal(server.state.hot, 2);
    });
  }

  test('stands still with the process: nobody could take anything meanwhile', async () => {
    const server = await startServer(({ answer }) => answer.whole(200, LONG));
    const client = server.connect();
    client.socket.pause();
    await client.send(requestOf('1'));
    server.state.now += 10 * READ_MS;
    await server.pass(2 * LOOKS_MS);
    assert.deepEqual([client.closed, server.state.letGo], [false, []]);
  });
});
