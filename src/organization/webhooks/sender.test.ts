import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SendWebhook, WebhookDelivery, WebhookOutcome } from '../../core/webhooks.ts';
import { NOON } from '../../store/fixtures.test.ts';
import { createWaiters } from '../../testing/wait.ts';
import { ORGANIZATION, organizationOf } from '../fixtures.test.ts';
import { WebhookSender } from './sender.ts';
import { createWebhookEndpoint } from './service.ts';

const ENDED: WebhookOutcome = { fault: 'It could not be sent: TimeoutError.' };

test('a receiver that never answers has five requests at most, and others are told meanwhile', async (t) => {
  const { looks, endpoint, queue, sent, under, until } = await setUp(t);
  const silent = await endpoint('silent', 'never');
  await queue(silent, 200);
  const other = await endpoint('other', 204);
  await queue(other, 3, NOON + 1);
  await looks(8);
  await until(() => sent.filter((id) => id === other).length === 3, 'the other is told of all three');
  // Lanes send in the order of their requests: a sixth would have come before this one.
  const last = await endpoint('last', 204);
  await queue(last, 1, NOON + 2);
  await looks(1);
  await until(() => sent.includes(last), 'the last is told');
  assert.equal(under(silent), 5);
});

test('an organization whose receivers never answer has twenty requests at most', async (t) => {
  const { looks, endpoint, queue, sent, under, until } = await setUp(t);
  const silent = await Promise.all(Array.from({ length: 6 }, (_, index) => endpoint(`silent ${index}`, 'never')));
  for (const each of silent) await queue(each, 10);
  const other = await endpoint('other', 204, 'org_2');
  await queue(other, 1, NOON + 1, 'org_2');
  await looks(10);
  await until(() => sent.includes(other), 'the other organization is told');
  const last = await endpoint('last', 204, 'org_2');
  await queue(last, 1, NOON + 2, 'org_2');
  await looks(1);
  await until(() => sent.includes(last), 'another of its endpoints is told');
  assert.equal(
    silent.reduce((sum, each) => sum + under(each), 0),
    20,
  );
  assert.ok(silent.every((each) => under(each) > 0));
});

test('a process has a hundred requests on their way at most', async (t) => {
  const { storage, looks, endpoint, queue, deliveries, sent, clock } = await setUp(t);
  // Each lane's turn to send has come, whenever it asks.
  clock.perReading = 20;
  const organizations = Array.from({ length: 6 }, (_, index) => `org_of_many_${index}`);
  for (const id of organizations) {
    await storage.organizations.create({ id, name: id, createdAt: NOON });
    for (let count = 0; count < 5; count += 1)
      await queue(await endpoint(`silent ${count}`, 'never', id), 10, NOON, id);
  }
  await looks(6);
  // All questions of the lanes to the store are answered before this one.
  for (let asked = 0; asked < 500; asked += 1) await deliveries('none');
  assert.equal(sent.length, 100);
});

test('requests begin ten milliseconds apart', async (t) => {
  const { looks, endpoint, queue, sent, until } = await setUp(t);
  await queue(await endpoint('ours', 204), 20);
  const beganAt = performance.now();
  await looks(1);
  await until(() => sent.length === 20, 'all are sent');
  // A timer may fire a fraction of a millisecond early.
  assert.ok(performance.now() - beganAt >= 19 * 9);
});

test('one lane sends all that waits, the oldest first, and one request after the other', async (t) => {
  const { looks, endpoint, queue, noted, deliveries, until, most } = await setUp(t);
  const id = await endpoint('ours', 204);
  await queue(id, 30);
  await looks(1);
  await until(() => noted.length === 30, 'all are sent');
  assert.equal(most.count, 1);
  const told = await deliveries(id);
  assert.deepEqual(
    told.map(({ attempts, nextAt, deliveredAt, outcome }) => [attempts, nextAt, deliveredAt, outcome]),
    told.map(() => [1, null, NOON + 1_000, { status: 204 }]),
  );
  assert.deepEqual(most.order, [...most.order].sort());
});

test('a lane that has sent for ten seconds gives its place to whoever has had none', async (t) => {
  const { looks, endpoint, queue, sent, until, clock } = await setUp(t);
  const [busy, other] = [await endpoint('busy', 204), await endpoint('other', 204)];
  await queue(busy, 3);
  clock.perRequest = 10_001;
  await looks(1);
  await until(() => sent.length === 1, 'the first request');
  await queue(other, 1, NOON + 500);
  await looks(1);
  await until(() => sent.length >= 2, 'the second request');
  assert.deepEqual(sent.slice(0, 2), [busy, other]);
});

test('a lane that has ended leaves its place to another', async (t) => {
  const { looks, endpoint, queue, noted, found, until } = await setUp(t);
  const id = await endpoint('ours', 204);
  for (let time = 1; time <= 8; time += 1) {
    await queue(id, 1);
    await looks(1);
    await until(() => noted.length === time && found.nothing === time, `event ${time}, and the end of its lane`);
  }
});

test('what is refused is tried again after growing pauses, and given up after a day', async (t) => {
  const { looks, endpoint, queue, sent, noted, deliveries, until, clock } = await setUp(t);
  const id = await endpoint('ours', 500);
  await queue(id, 1);
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    await looks(1);
    await until(() => noted.length === attempt, `attempt ${attempt}`);
    const delivery = (await deliveries(id))[0]!;
    assert.deepEqual([delivery.attempts, delivery.outcome], [attempt, { status: 500 }]);
    if (delivery.nextAt === null) break;
    pauses.push(delivery.nextAt - clock.time);
    clock.time = delivery.nextAt - 1_000;
  }
  const minutes = [5, 30, 120, 600, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600, 25_200].map((s) => s * 1_000);
  assert.deepEqual(pauses, minutes);
  await looks(3);
  assert.equal(sent.length, 12);
});

test('what an endpoint was to be told goes with it', async (t) => {
  const { looks, endpoint, queue, sent, forgotten, deliveries, until, storage } = await setUp(t);
  const id = await endpoint('ours', 204);
  await queue(id, 3);
  const { kind, parentId, version } = (await storage.settings.find(ORGANIZATION, 'webhook_endpoint', id))!;
  await storage.settings.change(ORGANIZATION, [{ remove: { kind, id, parentId, version } }], null);
  await looks(1);
  await until(() => forgotten.length > 1, 'it is forgotten');
  assert.deepEqual([await deliveries(id), sent], [[], []]);
});

test('what fails is told of, and tried again once nobody has it any more', async (t) => {
  const { looks, endpoint, queue, sent, until, clock, fail, errors } = await setUp(t);
  const id = await endpoint('ours', 204);
  await queue(id, 1);
  fail.note = true;
  await looks(1);
  await until(() => errors.length === 1, 'the failure is told');
  fail.note = false;
  await looks(1);
  assert.equal(sent.length, 1);
  clock.time += 60_000;
  await looks(1);
  await until(() => sent.length === 2, 'it is sent again');
});

test('once it is stopped nothing more is taken', async (t) => {
  const { looks, endpoint, queue, noted, under, deliveries, until, sender, letGo, clock } = await setUp(t);
  const id = await endpoint('ours', 'never');
  await queue(id, 3);
  await looks(1);
  await until(() => under(id) === 1, 'the first request');
  sender.stop();
  // Its turn to send has come, so only the stop prevents it.
  clock.elapsed += 1_000;
  letGo();
  await until(() => noted.length === 1, 'what came of it is kept');
  await sender.look();
  for (let asked = 0; asked < 3; asked += 1) {
    const waiting = (await deliveries(id)).filter(({ attempts }) => attempts === 0);
    assert.deepEqual(waiting.map(({ nextAt }) => nextAt).sort(), [NOON + 1, NOON + 2]);
  }
});

/** Endpoints with scripted answers, and their queue. */
async function setUp(t: TestContext) {
  const { storage, admin } = await organizationOf(t);
  await storage.organizations.create({ id: 'org_2', name: 'Second', createdAt: NOON });
  const clock = { time: NOON, elapsed: 0, perRequest: 0, perReading: 0, now: () => clock.time, monotonic };
  function monotonic() {
    clock.elapsed += clock.perReading;
    return performance.now() + clock.elapsed;
  }
  const waiters = createWaiters();
  const answers = new Map<string, number | 'never'>();
  const sent: string[] = [];
  const open: { id: string; end: () => void }[] = [];
  const most = { count: 0, order: [] as string[] };
  const send: SendWebhook = async ({ url, headers }) => {
    const id = url.slice('https://example.com/'.length);
    const { promise, resolve } = Promise.withResolvers<WebhookOutcome>();
    open.push({ id, end: () => resolve(ENDED) });
    most.count = Math.max(most.count, open.length);
    most.order.push(headers['webhook-id']!);
    clock.elapsed += clock.perRequest;
    sent.push(id);
    waiters.changed();
    const answer = answers.get(id)!;
    if (answer !== 'never') resolve({ status: answer });
    const outcome = await promise;
    open.splice(
      open.findIndex((each) => each.id === id),
      1,
    );
    return outcome;
  };
  const fail = { note: false };
  const found = { nothing: 0 };
  const [noted, forgotten, errors]: [string[], object[], unknown[]] = [[], [], []];
  const webhooks = {
    ...storage.webhooks,
    async take(wanted: Parameters<typeof storage.webhooks.take>[0]) {
      const taken = await storage.webhooks.take(wanted);
      if (taken === null) found.nothing += 1;
      waiters.changed();
      return taken;
    },
    async note(delivery: WebhookDelivery) {
      if (fail.note) throw new Error('The disk is full.');
      await storage.webhooks.note(delivery);
      noted.push(delivery.id);
      waiters.changed();
    },
    async forget(what: Parameters<typeof storage.webhooks.forget>[0]) {
      await storage.webhooks.forget(what);
      forgotten.push(what);
      waiters.changed();
    },
  };
  const onError = (error: unknown) => {
    errors.push(error);
    waiters.changed();
  };
  const sender = new WebhookSender({
    settings: storage.settings,
    webhooks,
    pepper: admin.pepper,
    clock,
    send,
    onError,
  });
  let made = 0;
  const letGo = () => {
    for (const { end } of open) end();
  };
  t.after(() => {
    sender.stop();
    letGo();
  });
  return {
    ...{ storage, sender, clock, sent, noted, forgotten, found, most, fail, errors, letGo },
    /** The number of open requests to an endpoint. */
    under: (id: string) => open.filter((each) => each.id === id).length,
    until: (condition: () => boolean, what: string) => waiters.until(condition, () => what),
    async looks(times: number) {
      for (let time = 0; time < times; time += 1) {
        clock.time += 1_000;
        await sender.look();
      }
    },
    /** Makes an endpoint. */
    async endpoint(name: string, answer: number | 'never', organizationId = ORGANIZATION): Promise<string> {
      const by = { ...admin.by, organizationId };
      const wanted = { name, url: 'https://example.com/', eventTypes: ['api_key.deleted' as const] };
      const { endpoint } = await createWebhookEndpoint({ ...admin, by }, wanted);
      const { id, version, value } = endpoint;
      const put = { ...endpoint, version: version + 1, value: { ...value, url: `https://example.com/${id}` } };
      assert.equal(await storage.settings.change(organizationId, [{ put }], null), 'done');
      answers.set(id, answer);
      return id;
    },
    async queue(endpointId: string, count: number, at = NOON, organizationId = ORGANIZATION) {
      const deliveries = Array.from({ length: count }, (_, index): WebhookDelivery => {
        const id = `evt_${String(++made).padStart(6, '0')}`;
        const event = { id, organizationId, type: 'api_key.deleted' as const, at, data: {} };
        const fresh = { attempts: 0, deliveredAt: null, outcome: null };
        return { ...fresh, id, organizationId, endpointId, createdAt: at, event, nextAt: at + index };
      });
      await storage.webhooks.add(deliveries);
    },
    deliveries: async (endpointId: string) =>
      (await storage.webhooks.list(ORGANIZATION, { endpointId, limit: 300 })).items,
  };
}
