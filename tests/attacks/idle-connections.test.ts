import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, type ServeOptions, startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawClient, requestBytes } from '../support/raw-http.ts';

const MOST = 10;
const BEYOND = 5;
/** Of a process that keeps 128 for itself, and half of the rest for vendors: 36 connections of callers, 18 of them idle. */
const HANDLES = 200;
const MOST_OF_HANDLES = 36;
const MOST_IDLE_OF_HANDLES = 18;
const CONFIG = `limits: { max_idle_connections: ${MOST} }`;

const vendor = await startFakeProvider();
const running: Running[] = [];
after(async () => {
  for (const gateway of running) await gateway[Symbol.asyncDispose]();
  await vendor.close();
});

describe('connections without a request', { concurrency: true }, () => {
  for (const layer of ['fast', 'node']) {
    describe(`on the layer ${layer}`, { concurrency: 1 }, () => expectBounds({ HEADGATE_HTTP_LAYER: layer }));
  }

  test('are bounded for all workers together', async () => {
    const gateway = await start({ HEADGATE_WORKERS: '2' });
    const fresh = await connectMany(gateway, 2 * MOST);
    // More, where the system gave one worker fewer of them than its share.
    await until(() => fresh.filter(isClosed).length >= MOST);
    assert.equal(await statusOf(await connectRaw(gateway.url)), 200);
    destroyAll(fresh);
  });
});

describe('file handles', () => {
  for (const layer of ['fast', 'node']) {
    test(`bound idle connections, whatever the setting, on the layer ${layer}`, async () => {
      const gateway = await start({ HEADGATE_HTTP_LAYER: layer }, { config: null, handles: HANDLES });
      const fresh = await connectMany(gateway, 2 * HANDLES);
      await until(() => fresh.filter((socket) => !isClosed(socket)).length === MOST_IDLE_OF_HANDLES);
      using client = await connectRaw(gateway.url);
      assert.equal(await statusOf(client), 200);
      destroyAll(fresh);
    });

    test(`and all of them: who comes beyond, while each has a request, is told to come back, on the layer ${layer}`, async () => {
      const config = `providers: { lab: { base_url: ${vendor.url}, only: [echo] } }`;
      const gateway = await start({ HEADGATE_HTTP_LAYER: layer }, { config, handles: HANDLES });
      vendor.plan(insert(normal(), 3, 'hold'), { times: MOST_OF_HANDLES });
      const busy: RawClient[] = [];
      for (let index = 0; index < MOST_OF_HANDLES; index += 1) {
        const client = await connectRaw(gateway.url);
        await client.send(callOf(gateway.key, { stream: true }));
        await client.head();
        busy.push(client);
      }
      await vendor.waitFor(({ heldCalls }) => heldCalls() === MOST_OF_HANDLES);
      using beyond = await connectRaw(gateway.url);
      const answer = await beyond.answer();
      assert.deepEqual([answer.status, answer.header('retry-after')], [503, '1']);
      vendor.release();
      for (const client of busy) assert.match((await client.answer()).body().toString(), /\[DONE\]/);
      for (const client of busy) client[Symbol.dispose]();
      await until(() => isServed(gateway));
    });

    test(`that run out do not end the process, on the layer ${layer}`, { skip: !hasPrlimit() }, async () => {
      const gateway = await start({ HEADGATE_HTTP_LAYER: layer }, { config: null });
      const used = readdirSync(`/proc/${gateway.pid}/fd`).length;
      limitHandles(gateway.pid, used + MOST);
      const fresh = await connectMany(gateway, 3 * MOST);
      await until(() => fresh.filter(isClosed).length >= MOST);
      destroyAll(fresh);
      await until(() => isServed(gateway));
    });
  }
});

function hasPrlimit(): boolean {
  return process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0;
}

function limitHandles(pid: number, handles: number): void {
  assert.equal(spawnSync('prlimit', ['--pid', `${pid}`, `--nofile=${handles}:`]).status, 0);
}

/** A call of which the body is on its way. */
async function begunCall({ url, key }: Running): Promise<RawClient> {
  const client = await connectRaw(url);
  await client.send(callOf(key).subarray(0, -5));
  return client;
}

function callOf(key: string, more: object = {}): Buffer {
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }], ...more };
  return requestBytes('POST', '/v1/chat/completions', { authorization: `Bearer ${key}` }, body);
}

async function expectBounds(env: Record<string, string>): Promise<void> {
  const gateway = await start(env);

  test('are closed, oldest first, where there are more than may be; a new one is served', async () => {
    const fresh = await connectMany(gateway, MOST + BEYOND);
    await until(() => fresh.filter(isClosed).length >= BEYOND);
    assert.deepEqual(fresh.map(isClosed), [...Array(BEYOND).fill(true), ...Array(MOST).fill(false)]);
    using client = await connectRaw(gateway.url);
    assert.equal(await statusOf(client), 200);
    destroyAll(fresh);
  });

  test('are those of a head that does not end, too; and those that wait for a next request', async () => {
    const halfway = await connectMany(gateway, 2);
    for (const socket of halfway) socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nx: ');
    const rested = await connectMany(gateway, 2);
    for (const socket of rested) {
      socket.write(requestBytes('GET', '/healthz'));
      await once(socket, 'data');
    }
    const fresh = await connectMany(gateway, MOST);
    await until(() => [...halfway, ...rested].every(isClosed));
    assert.equal(fresh.some(isClosed), false);
    destroyAll(fresh);
  });

  test('do not push out those of callers with a key, nor any whose request is under way', async () => {
    const known = await Promise.all(Array.from({ length: MOST / 2 }, () => connectRaw(gateway.url)));
    for (const client of known) assert.equal(await statusOf(client, '/v1/models', gateway.key), 200);
    const halfway = await begunCall(gateway);
    const fresh = await connectMany(gateway, 3 * MOST);
    await until(() => fresh.filter(isClosed).length >= 3 * MOST - MOST / 2);
    for (const client of known) assert.equal(await statusOf(client, '/v1/models', gateway.key), 200);
    await halfway.send(callOf(gateway.key).subarray(-5));
    assert.equal((await halfway.answer()).status, 200);
    destroyAll(fresh);
    for (const client of [...known, halfway]) client[Symbol.dispose]();
  });
}

async function start(env: Record<string, string>, more: ServeOptions = {}): Promise<Running> {
  const gateway = await startHeadgate({ config: CONFIG, env, ...more });
  running.push(gateway);
  return gateway;
}

async function connectMany({ url }: Running, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.resume();
    await once(socket, 'connect');
    sockets.push(socket);
  }
  return sockets;
}

function isClosed({ closed, readableEnded }: Socket): boolean {
  return closed || readableEnded;
}

function destroyAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

async function statusOf(client: RawClient, path = '/healthz', key = 'none'): Promise<number> {
  await client.send(requestBytes('GET', path, { authorization: `Bearer ${key}` }));
  return (await client.answer()).status;
}

async function isServed({ url }: Running): Promise<boolean> {
  using client = await connectRaw(url);
  // Until the handles of those who have left are free, it is closed unread.
  return (await statusOf(client).catch(() => null)) === 200;
}

/** Looks again at each turn of the event loop, for a time at most: what goes on behind its test's time keeps the process alive. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > end) assert.fail('It did not come true.');
    await new Promise(setImmediate);
  }
}
