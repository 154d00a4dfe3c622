import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { APIUserAbortError, AuthenticationError } from 'openai';
import { Headgate } from './client.ts';
import { gateway } from './gateway.ts';
import type { LiveItems } from './live.ts';

type Item = { id: string };

const HEAD = 'retry: 1\nid: 0\nevent: begin\ndata: {}\n\n';
const item = (id: number) => `id: ${id}\ndata: {"id":"c${id}"}\n\n`;
const HEADERS = { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' };

/** A connection that was cut, or ended, behind these pieces; one without an end stays open until it is left. */
function events(pieces: readonly (string | Uint8Array)[], end: 'ends' | 'is cut' | 'stays' = 'ends') {
  const bytes = pieces.map((piece) => Buffer.from(piece));
  const left = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = bytes.shift();
      if (next !== undefined) controller.enqueue(next);
      else if (end === 'ends') controller.close();
      else if (end === 'is cut') controller.error(new TypeError('terminated'));
      else return new Promise(() => undefined);
    },
    cancel: () => left.resolve(),
  });
  return { answer: () => new Response(body, { headers: HEADERS }), left: left.promise };
}

const refused = (status: number) => () => Response.json({ error: { message: 'No.' } }, { status });

/** Calls that are followed over connections that are answered so, in turn; and where each was asked to begin. */
function following(...answers: (() => Response)[]) {
  const asked: (string | null)[] = [];
  const fetch = async (address: string | URL | Request) => {
    const next = answers[asked.length];
    asked.push(new URL(String(address)).searchParams.get('last_event_id'));
    if (next === undefined) throw new TypeError('fetch failed');
    return next();
  };
  const client = new Headgate({ apiKey: 'k', baseURL: 'http://gateway', maxRetries: 0, fetch });
  const live = (query = {}, options = {}) => client.usage.live(query, options) as unknown as LiveItems<Item>;
  return { asked, live };
}

async function read(live: LiveItems<Item>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of live) if (ids.push(id) === count) break;
  return ids;
}

test('items come whole, whichever byte they are cut at', async () => {
  const whole = Buffer.from(`${HEAD}${item(1)}: still here\nid: 2\n\n${item(3)}`.replace('c3', 'é'));
  for (let at = 1; at < whole.length; at += 1) {
    const { answer } = events([whole.subarray(0, at), whole.subarray(at)]);
    const live = following(answer).live();
    assert.deepEqual([await read(live, 2), live.lastEventId], [['c1', 'é'], '3']);
  }
});

test('a connection that is lost is made again behind the last item that was read', async () => {
  const { answer: lost } = events([HEAD + item(1), 'id: 2\ndata: {"i'], 'is cut');
  const { answer: ended } = events([`: The gateway is stopping.\nretry: 2\n\n${item(2)}`]);
  const { answer: last } = events([item(3)]);
  const { asked, live } = following(lost, refused(503), ended, refused(429), last);
  assert.deepEqual(await read(live(), 3), ['c1', 'c2', 'c3']);
  assert.deepEqual(asked, [null, '1', '1', '2', '2']);
});

test('it can be begun behind an event that was read before', async () => {
  const { asked, live } = following(events([item(8)]).answer);
  assert.deepEqual(await read(live({ last_event_id: '7' }), 1), ['c8']);
  assert.deepEqual(asked, ['7']);
});

test('items that were passed over are counted, until nobody knows how many they are', async () => {
  const skipped = (calls: number | null) => `event: skipped\ndata: {"calls":${calls}}\n\n`;
  const pieces = [skipped(312), item(1), skipped(8), item(2), skipped(null), item(3), skipped(1), item(4)];
  const live = following(events(pieces).answer).live();
  const counts: (number | null)[] = [];
  for await (const { id } of live) {
    counts.push(live.skipped);
    if (id === 'c4') break;
  }
  assert.deepEqual(counts, [312, 320, null, null]);
});

test('a refusal that no wait helps is thrown, and any before the first connection', async () => {
  const { live, asked } = following(events([HEAD]).answer, refused(401));
  await assert.rejects(read(live(), 1), AuthenticationError);
  assert.equal(asked.length, 2);
  await assert.rejects(read(following(refused(503)).live(), 1), { status: 503 });
});

test('leaving it, closing it and its signal let the connection go', async () => {
  const controller = new AbortController();
  const ways: [string, (live: LiveItems<Item>) => void][] = [
    ['close', (live) => live.close()],
    ['signal', () => controller.abort()],
  ];
  for (const [name, leave] of ways) {
    const { answer, left } = events([HEAD, item(1)], 'stays');
    const live = following(answer).live({}, { signal: controller.signal });
    const ids: string[] = [];
    for await (const { id } of live) {
      ids.push(id);
      leave(live);
    }
    await left;
    assert.deepEqual(ids, ['c1'], name);
  }
  const broken = events([HEAD, item(1)], 'stays');
  await read(following(broken.answer).live(), 1);
  await broken.left;
  const unread = events([HEAD], 'stays');
  const connected = await following(unread.answer).live().connect();
  assert.equal(gateway(connected).requestId, 'req_1');
  connected.close();
  await unread.left;
});

test('what was left before it began is not begun', async () => {
  const { answer } = events([HEAD]);
  const { live, asked } = following(answer);
  await assert.rejects(read(live({}, { signal: AbortSignal.abort() }), 1), APIUserAbortError);
  assert.equal(asked.length, 0);
});

test('a connection on which nothing comes any more is made again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const silent = events([item(1)], 'stays');
  const { live, asked } = following(silent.answer, events([item(2)]).answer);
  const items = live()[Symbol.asyncIterator]();
  assert.equal((await items.next()).value?.id, 'c1');
  const next = items.next();
  void silent.left.then(() => ticks());
  mock.timers.tick(45_000);
  assert.equal((await next).value?.id, 'c2');
  assert.deepEqual(asked, [null, '1']);
  await items.return();
  mock.timers.reset();

  /** The wait before the next connection begins some turns after the last one was let go. */
  function ticks(): void {
    if (asked.length > 1) return;
    mock.timers.tick(2_000);
    setImmediate(ticks);
  }
});
