import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { terminalLog } from './terminal-log.ts';

test('on a terminal a line of the log is a sentence with what it is about, and a fault has its trace below', () => {
  const lines: string[] = [];
  const log = createLog(
    'info',
    terminalLog((text) => void lines.push(text)),
  );
  log.error({ provider: 'openai', credential: 'second', upstream_status: null }, 'openai refuses its key.');
  log.warn('It is late.');
  log.child({ worker: 7 }).error({ err: new Error('broken\u001b[2J') }, 'It failed.');
  const [refused = '', late = '', failed = ''] = lines;
  assert.match(
    refused,
    /^\d\d:\d\d:\d\d {2}error {4}openai refuses its key\. \(provider openai, credential second\)\n$/,
  );
  assert.match(late, /^\d\d:\d\d:\d\d {2}warning {2}It is late\.\n$/);
  assert.match(failed, /It failed\. \(worker 7\)\n {2}Error: broken\?\[2J\n {6}at /);
});
