import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_QUESTION_BYTES, type OperatorRequest } from '../core/operator.ts';
import { askOperatorApi } from './ask-gateway.ts';
import { findOperatorSocket } from './operator-place.ts';
import { type OperatorSocketParts, openOperatorSocket } from './operator-socket.ts';

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'headgate-socket-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const ASKED: OperatorRequest = { method: 'GET', path: '/v1/models', body: '', organizationId: null };

/** Answers with the request, unless told otherwise. */
function open(folder: string, answer: OperatorSocketParts['answer'] = echo) {
  return openOperatorSocket({ folder, answer, onFault: () => undefined });
}

async function echo(asked: OperatorRequest) {
  return { status: 200, body: JSON.stringify(asked) };
}

test('a request comes with its query, and the socket is closed to others even in a folder that is open to all', async () => {
  await using folder = await makeFolder();
  chmodSync(folder.path, 0o777);
  const umask = process.umask();
  const socket = await open(folder.path);
  assert.equal(process.umask(), umask);
  const path = findOperatorSocket(folder.path) ?? '';
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const asked = { ...ASKED, path: '/v1/operator/catalog?search=a+b%26c' };
  assert.deepEqual(await askOperatorApi(path, asked), await echo(asked));
  await socket.close();
  assert.equal(findOperatorSocket(folder.path), null);
  assert.equal(await askOperatorApi(path, ASKED), null, 'nobody is there any more');
});

test('a body that is too long is refused, and so is another path', async () => {
  await using folder = await makeFolder();
  let answered = 0;
  const socket = await open(folder.path, async ({ body }) => {
    answered += 1;
    return { status: 200, body: JSON.stringify(body.length) };
  });
  const path = findOperatorSocket(folder.path) ?? '';
  const post = (body: string, to = '/v1/projects') =>
    askOperatorApi(path, { method: 'POST', path: to, body, organizationId: null });
  assert.deepEqual(await post('é'.repeat(1000)), { status: 200, body: '1000' });
  assert.equal((await post('', '/gateway'))?.status, 404);
  const tooLong = await post('x'.repeat(MAX_QUESTION_BYTES + 1));
  assert.equal(tooLong?.status, 413);
  assert.match(tooLong.body, /A question .* at most 64 MB/);
  assert.equal(answered, 1);
  await socket.close();
});

test('a request to the HTTP API comes with its path and its organization as they were sent', async () => {
  await using folder = await makeFolder();
  const socket = await open(folder.path);
  const socketPath = findOperatorSocket(folder.path) ?? '';
  const path = '/v1/organization/projects/../spend_limit?a=b?c';
  const ids = [null, '', ' ', 'ö→', '%', 'org_1'];
  const sent = ids.map((organizationId) => ({ method: 'POST', path, body: '{}', organizationId }) as const);
  const told = await Promise.all(sent.map((asked) => askOperatorApi(socketPath, asked)));
  await socket.close();
  assert.deepEqual(
    told.map((answer) => JSON.parse(answer?.body ?? '')),
    sent,
  );
});

test('a fault is told in a sentence, without its cause', async () => {
  await using folder = await makeFolder();
  const socket = await open(folder.path, () => Promise.reject(new Error('secret')));
  const answer = await askOperatorApi(findOperatorSocket(folder.path) ?? '', ASKED);
  assert.equal(answer?.status, 500);
  assert.match(answer.body, /The gateway failed to answer/);
  assert.doesNotMatch(answer.body, /secret/);
  await socket.close();
});

test('a path that is no URL, or that nothing is at, is a 404, and ends nothing', async () => {
  await using folder = await makeFolder();
  const socket = await open(folder.path);
  const socketPath = findOperatorSocket(folder.path) ?? '';
  for (const path of ['//', '/', '/nothing', '/status/']) {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    get({ socketPath, path, agent: false }, (response) => resolve(response.resume().statusCode)).on('error', reject);
    assert.equal(await promise, 404, path);
  }
  assert.ok(await askOperatorApi(socketPath, ASKED));
  await socket.close();
});

test('what a dead process left in the way is replaced', async () => {
  await using folder = await makeFolder();
  writeFileSync(join(folder.path, 'operator.sock'), 'not a socket');
  assert.equal(findOperatorSocket(folder.path), null);
  const socket = await open(folder.path);
  assert.ok(await askOperatorApi(findOperatorSocket(folder.path) ?? '', ASKED));
  await socket.close();
});

test('a path that is too long has a link to a socket in a folder of its own, which goes with it', async () => {
  await using folder = await makeFolder();
  const long = join(folder.path, 'x'.repeat(100));
  mkdirSync(long);
  const socket = await open(long);
  const path = findOperatorSocket(long) ?? '';
  assert.ok(Buffer.byteLength(path) <= 100);
  assert.equal(lstatSync(join(path, '..')).mode & 0o777, 0o700);
  assert.ok(await askOperatorApi(path, ASKED));
  await socket.close();
  assert.ok(!existsSync(join(path, '..')));
  assert.ok(!existsSync(join(long, 'operator.sock')));
});

test('a link that leads elsewhere is taken away alone', async () => {
  await using folder = await makeFolder();
  const other = join(folder.path, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'kept'), '');
  symlinkSync(join(other, 'kept'), join(folder.path, 'operator.sock'));
  const socket = await open(folder.path);
  await socket.close();
  assert.ok(existsSync(join(other, 'kept')));
});

test('a socket of another user than the folder’s is none', {
  skip: process.getuid?.() !== 0 && 'only root can give a file away',
}, async () => {
  await using folder = await makeFolder();
  const socket = await open(folder.path);
  const { lchownSync } = await import('node:fs');
  lchownSync(join(folder.path, 'operator.sock'), 65534, 65534);
  assert.equal(findOperatorSocket(folder.path), null);
  await socket.close();
});
