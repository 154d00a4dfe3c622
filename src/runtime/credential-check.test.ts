import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upstream } from '../core/ports.ts';
import { echoProvider } from '../providers/echo/echo.ts';
import { provider } from '../testing/routes.ts';
import { credentialCheck } from './credential-check.ts';

function upstreamOf(send: Upstream['send']) {
  const errors: unknown[] = [];
  const check = credentialCheck({ upstream: () => ({ send }), onError: (error) => void errors.push(error) });
  return { check, errors };
}

test('a vendor is asked with the headers that its dialect wants', async () => {
  const seen: (readonly string[])[] = [];
  const { check } = upstreamOf(({ headers }, listener) => {
    seen.push(headers);
    listener.onStart(401, {});
    return { pause: () => undefined, resume: () => undefined, abort: () => undefined };
  });
  const speaks = [{ dialect: 'anthropic-messages', path: '/messages' }] as const;
  assert.equal(await check(provider('lab', { speaks })), 'refused');
  assert.ok(seen[0]?.includes('anthropic-version'), `${seen[0]}`);
});

test('a fault of our own is told, and is no word of the vendor’s', async () => {
  const fault = new Error('no sockets');
  const { check, errors } = upstreamOf(() => {
    throw fault;
  });
  assert.equal(await check(provider('lab')), 'unknown');
  assert.deepEqual(errors, [fault]);
});

test('what answers in this process is not asked', async () => {
  const { check } = upstreamOf(() => assert.fail('nobody is to be asked'));
  assert.equal(await check(echoProvider()), 'unknown');
});
