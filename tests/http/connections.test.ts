import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SocketAnswer } from '../../src/http/fast/socket-answer.ts';
import type { BodyAnswer } from '../../src/http/incoming-call.ts';
import { requestOf, startServer, turns } from '../support/fast-layer.ts';

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

  test('have their caller looked at again where their body took its time, and only then', async () => {
    const server = await startServer();
    const client = server.connect();
    await client.send(requestOf('1'));
    assert.equal(server.state.again, 0);
    const slow = requestOf('22');
    await client.send(slow.slice(0, -1));
    await client.send(slow.slice(-1));
    assert.deepEqual([server.state.again, client.statuses], [1, [200, 200]]);
    server.state.changed = true;
    await client.send(slow.slice(0, -1));
    await client.send(slow.slice(-1));
    assert.deepEqual(server.state.taken, ['1', '22'], 'it waits until storage has told who calls');
    server.state.admit();
    await turns();
    assert.deepEqual([server.state.taken, server.state.hot], [['1', '22', '22'], 3]);
    await client.send(slow.slice(0, -1));
    server.state.revoked = true;
    await client.send(slow.slice(-1));
    assert.deepEqual([client.statuses, server.state.hot], [[200, 200, 200, 401], 3]);
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
    assert.ok(unread > 300_000, `${unread} bytes were not taken`);
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
  server.layers.closeIdle();
  await turns();
  assert.deepEqual([fresh.closed, idle.closed, busy.closed, halfway.closed], [false, true, false, false]);
  server.layers.closeAll();
  await turns();
  assert.deepEqual([fresh.closed, busy.closed, halfway.closed], [true, true, true]);
});
