import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';

/** An element of the page, as far as its script knows one. */
type FakeElement = { value: string; hidden: boolean; textContent: string; disabled: boolean; readOnly: boolean };

test('the link that the first start prints leads to a page on which its owner signs in', async () => {
  await using headgate = await startHeadgate();
  const link = /(http:\S+)\/welcome#(\S+)/.exec(headgate.stdout());
  const [, origin = '', secret = ''] = link ?? [];
  const answer = await fetch(`${origin}/welcome`);
  const page = await answer.text();
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  const parts = [/<script>(.*?)<\/script>/s, /<style>(.*?)<\/style>/s].map((part) => part.exec(page)?.[1] ?? '');
  for (const part of parts) assert.ok(policy.includes(createHash('sha256').update(part).digest('base64')));
  assert.doesNotMatch(page, /(src|href)=/);

  const elements = new Map<string, FakeElement & { submit?: (event: object) => Promise<void> }>();
  const element = (id: string) => {
    const known = elements.get(id) ?? { value: '', hidden: true, textContent: '', disabled: false, readOnly: false };
    elements.set(id, known);
    return known;
  };
  const form = Object.assign(element('form'), {
    addEventListener: (_: string, listener: (event: object) => Promise<void>) => {
      elements.get('form')!.submit = listener;
    },
  });
  const done: string[] = [];
  runInNewContext(parts[0]!, {
    location: { hash: `#${secret}`, pathname: '/welcome' },
    history: { replaceState: (_state: null, _title: string, address: string) => done.push(address) },
    document: { getElementById: element },
    window: {
      fetch: (path: string, init: RequestInit) => {
        done.push(path);
        return fetch(`${origin}${path}`, { ...init, headers: { ...init.headers, origin } });
      },
    },
    Error,
  });
  assert.deepEqual(done, ['/welcome', '/v1/auth/link'], 'the secret leaves the address bar before anything else');
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  const until = performance.now() + WAIT_MS;
  while (form.hidden) {
    assert.ok(performance.now() < until, element('fault').textContent);
    await turn();
  }
  assert.equal(element('what').textContent, 'Become an owner of this gateway');
  Object.assign(element('email'), { value: 'ada@example.com' });
  Object.assign(element('name'), { value: 'Ada' });
  Object.assign(element('password'), { value: 'short' });
  const submit = elements.get('form')!.submit!;
  await submit({ preventDefault() {} });
  assert.match(element('fault').textContent, /password/);
  Object.assign(element('password'), { value: 'correct horse battery staple' });
  await submit({ preventDefault() {} });
  assert.equal(element('done').hidden, false, element('fault').textContent);
  assert.equal(element('what').textContent, 'You are signed in');
});
