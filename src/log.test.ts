import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from './core/errors.ts';
import { createLog } from './log.ts';

const WORDS = 'vendor-words';

function syntaxError(): unknown {
  try {
    return JSON.parse(WORDS);
  } catch (error) {
    return error;
  }
}

function logged(err: unknown): { line: string; err: Record<string, unknown> } {
  const lines: string[] = [];
  createLog('info', { write: (text) => void lines.push(text) }).error({ err }, 'It failed.');
  const line = lines.join('');
  return { line, err: JSON.parse(line).err };
}

test('what could not be parsed is not quoted in the log, however deep it stands', () => {
  const inner = syntaxError();
  assert.ok(String(inner).includes(WORDS));
  const outer = new GatewayError('upstream_invalid_answer', 'No JSON.', { cause: inner });
  for (const error of [inner, outer, new Error('around it', { cause: outer })]) {
    const { line, err } = logged(error);
    assert.ok(!line.includes(WORDS), line);
    assert.match(String(err.stack), /The text could not be parsed\.\n +at /);
  }
  assert.deepEqual([logged(outer).err.type, logged(outer).err.kind], ['GatewayError', 'upstream_invalid_answer']);
});

test('other errors are logged as they are', () => {
  const { err } = logged(new TypeError('x is not a function', { cause: new Error('because') }));
  assert.deepEqual([err.type, err.message], ['TypeError', 'x is not a function: because']);
  assert.equal(logged('text').err, 'text');
});
