import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TimerWheel } from '../../deadlines/timer-wheel.ts';
import { type Answering, ask, type RawVendor, startRawVendor } from '../../testing/raw-vendor.ts';
import { MAX_IDLE, MAX_RESTING, type PooledConnection, REST_MS } from '../connections.ts';
import { Pools } from '../sockets.ts';
import { ConnectionPool } from './pool.ts';
import type { Http1Request } from './request.ts';

const HELLO = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';

/** A pool to a vendor, with a time that passes as the test says. */
async function labOf(answer: Answering) {
  const vendor = await startRawVendor(answer);
  const origin = `http://127.0.0.1:${vendor.port}`;
  const lab = {
    vendor,
    now: 1_000_000,
    pool: null as unknown as ConnectionPool,
    /** Connections in the order in which they became free. */
    freed: [] as PooledConnection<Http1Request>[],
    ask: (request = {}, also = {}) =>
      ask({ send: (sent, listener) => lab.pool.send(sent, '', listener) }, origin, request, also),
    /** Idle connections may be used again. */
    async rest(ms = REST_MS) {
      lab.now += ms;
      await turn();
    },
    async [Symbol.asyncDispose]() {
      await vendor[Symbol.asyncDispose]();
      await lab.pool.close();
    },
  };
  const wheel = new TimerWheel(() => lab.now);
  lab.pool = new ConnectionPool(
    { origin, publicOnly: false },
    { wheel, connectTimeoutMs: 60_000, maxHeaderBytes: 4096 },
  );
  const onFree = lab.pool.onFree.bind(lab.pool);
  lab.pool.onFree = (connection) => {
    lab.freed.push(connection);
    onFree(connection);
  };
  return lab;
}

const hello: Answering = (socket) => void socket.write(HELLO);

/** Which connection of the vendor's answered last. */
function lastUsed(vendor: RawVendor, before: readonly number[]): number {
  return vendor.sockets.findIndex((socket, index) => socket.bytesRead > (before[index] ?? 0));
}

function read(vendor: RawVendor): number[] {
  return vendor.sockets.map(({ bytesRead }) => bytesRead);
}

describe('connections to a vendor:', () => {
  test('calls at one time have one each, and the one used last is used first', async () => {
    const waiting: Socket[] = [];
    let hold = true;
    await using lab = await labOf((socket) => void (hold ? waiting.push(socket) : socket.write(HELLO)));
    const { vendor, pool } = lab;
    const calls = [lab.ask(), lab.ask(), lab.ask()];
    await vendor.until(() => waiting.length === 3);
    for (const socket of [waiting[0]!, waiting[2]!, waiting[1]!]) {
      socket.write(HELLO);
      await Promise.race(calls.filter(({ events }) => !events.includes('end')).map(({ ended }) => ended));
    }
    assert.equal(pool.idle, 3);
    await lab.rest();
    const before = read(vendor);
    hold = false;
    await lab.ask().ended;
    assert.equal(vendor.sockets[lastUsed(vendor, before)], waiting[1]);
    assert.deepEqual([vendor.sockets.length, pool.idle], [3, 3]);
  });

  test('bytes that nobody asked for end an idle one', async () => {
    await using lab = await labOf(hello);
    await lab.ask().ended;
    lab.vendor.sockets[0]!.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil');
    await lab.vendor.until(() => lab.vendor.open() === 0);
    assert.equal(lab.pool.idle, 0);
    assert.equal((await lab.ask().ended).body, 'hello');
    assert.equal(lab.vendor.sockets.length, 2);
  });

  test('one that has ended is not used in the moment before its socket is closed', async () => {
    await using lab = await labOf(hello);
    await lab.ask().ended;
    await lab.rest();
    lab.freed[0]?.drop();
    assert.equal(lab.pool.idle, 1);
    assert.equal((await lab.ask().ended).body, 'hello');
    assert.equal(lab.vendor.sockets.length, 2);
  });

  test('one that the vendor closes is not used again', async () => {
    await using lab = await labOf(hello);
    await lab.ask().ended;
    lab.vendor.sockets[0]!.end();
    await lab.vendor.until(() => lab.vendor.open() === 0);
    assert.equal(lab.pool.idle, 0);
    await lab.rest();
    assert.equal((await lab.ask().ended).body, 'hello');
  });

  for (const [name, answer] of Object.entries({
    'bytes behind the answer': `${HELLO}x`,
    'a vendor that will close': HELLO.replace('OK\r\n', 'OK\r\nconnection: close\r\n'),
    'a vendor that keeps it a second': HELLO.replace('OK\r\n', 'OK\r\nkeep-alive: timeout=1\r\n'),
    'HTTP/1.0': HELLO.replace('1.1', '1.0'),
  })) {
    test(`${name}: the answer counts, and the connection is closed`, async () => {
      await using lab = await labOf((socket) => void socket.write(answer));
      assert.equal((await lab.ask().ended).body, 'hello');
      assert.equal(lab.pool.idle, 0);
      await lab.vendor.until(() => lab.vendor.open() === 0);
    });
  }

  test('an answer that comes before the request was sent: the connection is closed', async () => {
    await using lab = await labOf((socket) => {
      socket.pause();
      socket.write(HELLO);
    });
    const { body } = await lab.ask({ body: Buffer.alloc(64 << 20) }).ended;
    assert.deepEqual([body, lab.pool.idle], ['hello', 0]);
  });

  test('a held answer that ends does not leave its connection held', async () => {
    await using lab = await labOf(hello);
    const heard = lab.ask({}, { onData: () => heard.hold.pause() });
    await heard.ended;
    await lab.rest();
    assert.equal((await lab.ask().ended).body, 'hello');
    assert.equal(lab.vendor.sockets.length, 1);
  });

  test('idle ones are kept for four seconds, or a second less than the vendor says', async () => {
    for (const [fields, keptMs] of [
      ['', 4_000],
      ['keep-alive: timeout=60, max=100\r\n', 59_000],
      ['keep-alive: timeout=999999\r\n', 600_000],
    ] as const) {
      await using lab = await labOf((socket) => void socket.write(HELLO.replace('OK\r\n', `OK\r\n${fields}`)));
      await lab.ask().ended;
      await lab.rest(keptMs - 1);
      await lab.ask().ended;
      assert.equal(lab.vendor.sockets.length, 1, 'used within its time');
      await lab.rest(keptMs);
      await lab.ask().ended;
      assert.equal(lab.vendor.sockets.length, 2, 'not used behind it');
    }
  });

  test('those that nobody uses are closed in their time', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await using lab = await labOf(hello);
    await Promise.all([lab.ask().ended, lab.ask().ended]);
    assert.equal(lab.pool.idle, 2);
    lab.now += 4_005;
    t.mock.timers.tick(60_005);
    assert.equal(lab.pool.idle, 0);
    t.mock.timers.reset();
    await lab.vendor.until(() => lab.vendor.open() === 0);
  });

  test('a connection that is not made in time: unreachable', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const wheel = new TimerWheel(() => now);
    let now = 0;
    // An address of documentation (RFC 5737): nobody answers there, or nobody can be reached.
    const address = { origin: 'http://192.0.2.1', publicOnly: false };
    const pool = new ConnectionPool(address, { wheel, connectTimeoutMs: 300, maxHeaderBytes: 4096 });
    const heard = ask({ send: (sent, listener) => pool.send(sent, '', listener) }, address.origin);
    now += 305;
    t.mock.timers.tick(305);
    assert.equal((await heard.ended).error?.kind, 'upstream_unreachable');
    await pool.close();
  });

  test(`at most ${MAX_IDLE} lie idle, and of ${MAX_RESTING} the one that rested longest is used before its time`, async () => {
    const waiting: Socket[] = [];
    await using lab = await labOf((socket) => void waiting.push(socket));
    const calls = Array.from({ length: MAX_IDLE + 1 }, () => lab.ask());
    await lab.vendor.until(() => waiting.length === calls.length);
    for (const socket of waiting) socket.write(HELLO);
    await Promise.all(calls.map(({ ended }) => ended));
    assert.equal(lab.pool.idle, MAX_IDLE);
    await lab.vendor.until(() => lab.vendor.open() === MAX_IDLE);
    await turn();
    const call = lab.ask();
    await lab.vendor.until(() => waiting.length > calls.length);
    assert.equal(lab.vendor.sockets.length, calls.length);
    assert.equal(waiting.at(-1), waiting[0], 'the one that rested longest');
    waiting[0]!.write(HELLO);
    assert.equal((await call.ended).body, 'hello');
  });

  test('a call that comes behind a stop is carried, and its connection closed', async () => {
    await using lab = await labOf(hello);
    await lab.pool.close();
    assert.equal((await lab.ask().ended).body, 'hello');
    assert.equal(lab.pool.idle, 0);
  });
});

test('pools are kept for 256 addresses; beyond, the oldest is closed', () => {
  const closed: string[] = [];
  const pools = new Pools(({ origin }) => ({ close: async () => void closed.push(origin) }));
  const at = (origin: string) => pools.at({ origin, path: '', pool: origin, publicOnly: false });
  for (let host = 0; host < 256; host += 1) at(`http://h${host}`);
  assert.deepEqual(closed, []);
  at('http://h0');
  at('http://h256');
  assert.deepEqual(closed, ['http://h0']);
});
