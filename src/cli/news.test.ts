import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newsJson, newsText } from './news.ts';

test('a reload tells what is off now and what waits for a restart', () => {
  const news = { event: 'reloaded', notices: ['Provider lab is off.'], needRestart: ['server.port'] } as const;
  assert.equal(
    newsText(news),
    'The configuration was reloaded.\n  Provider lab is off.\n  server.port: take effect after a restart.',
  );
  assert.deepEqual(newsJson(news), {
    event: 'reloaded',
    notices: ['Provider lab is off.'],
    need_restart: ['server.port'],
  });
});

test('a refused reload gives its reason', () => {
  const news = { event: 'reload_refused', reason: 'a.yaml:1:1 x: is not a setting' } as const;
  assert.match(newsText(news), /not reloaded\. The previous one stays in force\.\na\.yaml:1:1/);
  assert.deepEqual(newsJson(news), { event: 'reload_refused', message: 'a.yaml:1:1 x: is not a setting' });
});

test('an end says how long it may take', () => {
  assert.match(newsText({ event: 'stopping', signal: 'SIGTERM', drainMs: 25_000 }), /^SIGTERM: .*\(at most 25 s\)\.$/);
  assert.equal(newsText({ event: 'stopped' }), 'Stopped.');
});
