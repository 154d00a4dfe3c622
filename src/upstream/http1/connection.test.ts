import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { UpstreamListener } from '../../core/ports.ts';
import { TimerWheel } from '../../deadlines/timer-wheel.ts';
import { Http1Connection } from './connection.ts';
import type { Dialer } from './dial.ts';
import { Http1Request } from './request.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const REQUEST = 'POST / HTTP/1.1\r\n\r\n';

/** A socket of TLS that tells of a write only when the test says so. */
class Untold extends Duplex {
  tell: () => void = () => assert.fail('nothing was written');
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    this.tell = done;
  }
}

/** A connection that has sent a request and got its answer, which it has not been told to have sent. */
async function overtaken(wheel: TimerWheel) {
  const events: string[] = [];
  const socket = new Untold();
  const dialer = { secure: true, tls: () => socket as unknown as Socket } as unknown as Dialer;
  const connection = new Http1Connection(
    { dialer, wheel, connectTimeoutMs: 1000, maxHeaderBytes: 1024 },
    {
      onFree: () => events.push('free'),
      onGone: () => events.push('gone'),
      onSurplus: () => events.push('surplus'),
      onUnanswered: () => events.push('unanswered'),
    },
  );
  const listener: UpstreamListener = {
    onStart: () => {},
    onData: () => {},
    onEnd: () => events.push('end'),
    onFailure: (error) => events.push(error.kind),
  };
  const exchange = new Http1Request(listener);
  exchange.head = REQUEST;
  connection.carry(exchange);
  socket.emit('secureConnect');
  socket.push(ANSWER);
  await turn();
  return { events, socket };
}

test('a connection whose answer overtook the word that its request was written is free once that is told', async () => {
  const { events, socket } = await overtaken(new TimerWheel(() => 0));
  assert.deepEqual(events, ['end']);
  socket.tell();
  await turn();
  assert.deepEqual(events, ['end', 'free']);
  assert.equal(socket.destroyed, false);
  socket.destroy();
});

test('it is let go where that is never told, and where more comes meanwhile', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const late = await overtaken(new TimerWheel(() => now));
  now = 2_000;
  mock.timers.tick(2_000);
  mock.timers.reset();
  late.socket.on('error', () => {});
  await turn();
  assert.deepEqual(late.events, ['end', 'gone']);
  const more = await overtaken(new TimerWheel(() => 0));
  more.socket.push('HTTP/1.1 200 OK\r\n');
  await turn();
  assert.deepEqual(more.events, ['end', 'surplus', 'gone']);
});
