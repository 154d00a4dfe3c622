import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { type Answering, ask, type RawVendor, startRawVendor } from '../testing/raw-vendor.ts';
import { MAX_RESTING, RESEND_WITHIN_MS, REST_MS, UNTRUSTED_MS } from './connections.ts';
import { Http1Upstream } from './http1/http1.ts';
import type { SocketOptions, Sockets } from './sockets.ts';
import { UndiciUpstream } from './undici.ts';

/** A time that passes only as the test says. */
let nowMs = 1_000_000;
const stopped = new TimerWheel(() => nowMs);
const running = new TimerWheel(unstalledClock());

const OPTIONS: Omit<SocketOptions, 'wheel'> = {
  connectTimeoutMs: 5_000,
  maxHeaderBytes: 4096,
  proxies: { http: null, https: null, no: null },
};
const WAYS: Readonly<Record<string, (wheel: TimerWheel) => Sockets>> = {
  fast: (wheel) => new Http1Upstream({ ...OPTIONS, wheel, proxied: new UndiciUpstream({ ...OPTIONS, wheel }) }),
  node: (wheel) => new UndiciUpstream({ ...OPTIONS, wheel }),
};
const ENDINGS: Readonly<Record<string, (socket: Socket) => void>> = {
  'an end': (socket) => void socket.end(),
  'a reset': (socket) => void socket.resetAndDestroy(),
};

/** Of one call. */
const LONGEST_MS = 10_000;
/** At once. */
const CALLERS = 10;

const HELLO = answerOf('hello');
const EVIL = answerOf('evil!');

for (const [way, open] of Object.entries(WAYS)) {
  describe(`connections that are used again, by way of ${way}:`, () => {
    const upstream = open(stopped);
    const live = open(running);
    after(() => Promise.all([upstream.close(), live.close()]));

    const call = (vendor: RawVendor, body = '{}', by = upstream) => {
      const heard = ask(by, `http://127.0.0.1:${vendor.port}`, { body: Buffer.from(body) });
      return Object.assign(heard, { ended: inTime(heard.ended) });
    };

    /** Calls once, so that there is an idle connection that may be used again. */
    async function warm(vendor: RawVendor): Promise<void> {
      assert.equal((await call(vendor).ended).body, 'hello');
      await rest();
    }

    test('a vendor that closes behind each answer: all 400 calls are answered, and it has each once', async () => {
      let requests = 0;
      await using vendor = await startRawVendor((socket) => {
        requests += 1;
        socket.end(HELLO);
      });
      const caller = async () => {
        for (let calls = 0; calls < 50; calls += 1) assert.equal((await call(vendor, '{}', live).ended).body, 'hello');
      };
      await Promise.all(Array.from({ length: 8 }, caller));
      assert.equal(requests, 400);
    });

    for (const [ending, end] of Object.entries(ENDINGS)) {
      test(`one that meets its request with ${ending}: it is sent again, on a new one, as it was`, async () => {
        await using vendor = await startRawVendor(onSecond(end));
        await warm(vendor);
        const heard = await call(vendor, '{"mark":1}').ended;
        assert.deepEqual([heard.status, heard.body, heard.events], [200, 'hello', ['start', 'data', 'end']]);
        assert.equal(vendor.sockets.length, 2);
        const [, , met, again] = vendor.received().split('POST ');
        assert.match(met!, /\{"mark":1\}$/);
        assert.deepEqual([again, sent(vendor)], [met, 3]);
      });

      test(`${ending} on the new one, too: disconnected, and not sent a third time`, async () => {
        let requests = 0;
        await using vendor = await startRawVendor((socket) => {
          requests += 1;
          if (requests === 1) socket.write(HELLO);
          else end(socket);
        });
        await warm(vendor);
        assert.equal((await call(vendor).ended).error?.kind, 'upstream_disconnected');
        assert.equal(requests, 3);
      });

      test(`${ending} on one that carried nothing before: disconnected, and sent once`, async () => {
        await using vendor = await startRawVendor((socket) => end(socket));
        assert.equal((await call(vendor).ended).error?.kind, 'upstream_disconnected');
        assert.equal(sent(vendor), 1);
      });

      for (const [begun, bytes] of Object.entries({
        'a byte': 'H',
        'early hints': 'HTTP/1.1 103 Early Hints\r\n\r\n',
      })) {
        test(`${ending} behind ${begun} of an answer: disconnected, and sent once`, async () => {
          await using vendor = await startRawVendor(onSecond((socket) => socket.write(bytes, () => end(socket))));
          await warm(vendor);
          assert.equal((await call(vendor).ended).error?.kind, 'upstream_disconnected');
          assert.equal(sent(vendor), 2);
        });
      }

      test(`${ending} when the vendor may have worked already: disconnected, and sent once`, async () => {
        const asked = Promise.withResolvers<Socket>();
        await using vendor = await startRawVendor(onSecond(asked.resolve));
        await warm(vendor);
        const heard = call(vendor);
        const socket = await asked.promise;
        nowMs += RESEND_WITHIN_MS + 1;
        end(socket);
        assert.equal((await heard.ended).error?.kind, 'upstream_disconnected');
        assert.equal(sent(vendor), 2);
      });

      test(`${ending} that has come, but was not read, when the request is sent: it is not sent there`, async () => {
        await using vendor = await startRawVendor((socket) => void socket.write(HELLO));
        await warm(vendor);
        end(vendor.sockets[0]!);
        assert.equal((await call(vendor).ended).body, 'hello');
        assert.deepEqual([vendor.sockets.length, vendor.sockets[0]!.bytesRead], [2, vendor.sockets[1]!.bytesRead]);
      });
    }

    test('an abort of a request that waits for its connection sends nothing', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write(HELLO));
      await warm(vendor);
      const heard = call(vendor);
      heard.hold.abort();
      await warm(vendor);
      assert.deepEqual(heard.events, []);
      assert.equal(sent(vendor), 2);
    });

    test('a second answer that has come, but was not read, when a request is sent answers nobody', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write(HELLO));
      await warm(vendor);
      vendor.sockets[0]!.write(EVIL);
      assert.equal((await call(vendor).ended).body, 'hello');
      assert.equal(vendor.sockets.length, 2);
    });

    test('the time of a turn of the event loop is no rest: what arrived meanwhile was not read', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write(HELLO));
      assert.equal((await call(vendor).ended).body, 'hello');
      nowMs += REST_MS - 1;
      await turn();
      const heard = call(vendor);
      nowMs += REST_MS;
      assert.equal((await heard.ended).body, 'hello');
      assert.equal(vendor.sockets.length, 2);
    });

    for (const lateMs of [0, 1, 5, 20]) {
      test(`a second answer ${lateMs} ms behind each first one reaches no caller`, async () => {
        await using vendor = await startRawVendor((socket, piece) => {
          socket.write(answerOf(markIn(piece)));
          late(socket, lateMs);
        });
        const caller = async (_: unknown, line: number) => {
          for (let calls = 0; calls < 5; calls += 1) {
            const mark = markOf(line * 100 + calls);
            assert.equal((await call(vendor, `{"mark":"${mark}"}`, live).ended).body, mark);
          }
        };
        await Promise.all(Array.from({ length: 60 }, caller));
      });
    }

    for (const lateMs of [0, 1, 5, 20]) {
      test(`one that answers well 50 times, and then ${lateMs} ms late with more, reaches no caller with that`, async () => {
        let answers = 0;
        let said = 0;
        await using vendor = await startRawVendor((socket, piece) => {
          socket.write(answerOf(markIn(piece)));
          answers += 1;
          if (answers <= 50) return;
          late(socket, lateMs, () => {
            said += 1;
          });
        });
        const askOnce = async (serial: number) => {
          const mark = markOf(serial);
          assert.equal((await call(vendor, `{"mark":"${mark}"}`, live).ended).body, mark);
        };
        for (let at = 0; at < 50; at += 1) await askOnce(at);
        const caller = async (_: unknown, line: number) => {
          for (let at = 0; said < 10; at += 1) {
            // Where `MAX_RESTING` lie idle, the oldest is used sooner, by intent.
            while (said === 0 && answers >= MAX_RESTING - CALLERS) await turn();
            await askOnce((line + 1) * 1000 + at);
          }
        };
        await Promise.all(Array.from({ length: CALLERS }, caller));
      });
    }

    for (const [when, surplus] of Object.entries<(socket: Socket) => void>({
      'with its answer': (socket: Socket) => void socket.write(HELLO + EVIL),
      'behind its answer': (socket: Socket) => {
        socket.write(HELLO);
        setTimeout(() => socket.write(EVIL), 1);
      },
    })) {
      test(`a vendor that once sent more ${when} gets a new connection for each call for an hour`, async () => {
        let first = true;
        await using vendor = await startRawVendor((socket) => {
          if (first) surplus(socket);
          else socket.write(HELLO);
          first = false;
        });
        await call(vendor).ended;
        await vendor.until(() => vendor.sockets.length === 1 && vendor.open() === 0);
        for (let calls = 0; calls < 3; calls += 1) await warm(vendor);
        assert.equal(vendor.sockets.length, 4);
        nowMs += UNTRUSTED_MS;
        for (let calls = 0; calls < 3; calls += 1) await warm(vendor);
        assert.equal(vendor.sockets.length, 5);
      });
    }

    test('a connection rests behind an answer before it is used again', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write(HELLO));
      for (const [restMs, connections] of [
        [0, 1],
        [REST_MS - 1, 2],
        [1, 2],
        [REST_MS, 2],
      ] as const) {
        await rest(restMs);
        await call(vendor).ended;
        assert.equal(vendor.sockets.length, connections, `${restMs} ms later`);
      }
    });
  });
}

/** Rejects for a call that has no end: it would be waited for as long as its vendor listens. */
function inTime<Result>(ended: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The call has no end.')), LONGEST_MS).unref();
  const first = Promise.race([ended, late.promise]).finally(() => clearTimeout(timer));
  // Nobody waits for a call that was aborted.
  first.catch(() => undefined);
  return first;
}

async function rest(ms = REST_MS): Promise<void> {
  nowMs += ms;
  await turn();
}

function answerOf(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Eight characters that stand in a request, and that its answer must be. */
function markOf(serial: number): string {
  return `m-${String(serial).padStart(6, '0')}`;
}

function markIn(request: string): string {
  return /"mark":"(.{8})"/.exec(request)?.[1] ?? 'no mark!';
}

/** A second answer, so long behind the first, unless the connection is gone by then. */
function late(socket: Socket, ms: number, onLate: () => void = () => undefined): void {
  const say = () => {
    if (socket.writable) socket.write(EVIL);
    onLate();
  };
  if (ms === 0) say();
  else setTimeout(say, ms);
}

/**
 * A monotonic clock, in ms, that stands still while the process does. The vendors of these tests are in the same
 * process: one that is `late` says it later still behind a stall, and a connection must not rest meanwhile.
 */
function unstalledClock(): () => number {
  const MOST_MS = 5;
  let seen = performance.now();
  let now = 0;
  setInterval(read, 1).unref();
  function read(): number {
    const present = performance.now();
    now += Math.min(present - seen, MOST_MS);
    seen = present;
    return now;
  }
  return read;
}

/** Answers the first request alone, and does this with the second one on the same connection. */
function onSecond(meet: (socket: Socket) => void): Answering {
  const met = new WeakSet<Socket>();
  let left = 1;
  return (socket) => {
    if (met.has(socket) && left-- > 0) return meet(socket);
    met.add(socket);
    socket.write(HELLO);
  };
}

/** How many requests a vendor has received. */
function sent(vendor: RawVendor): number {
  return vendor.received().split('POST ').length - 1;
}
