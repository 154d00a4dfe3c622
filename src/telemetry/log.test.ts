import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { callLog, createLog } from './log.ts';

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

test('what a vendor said is in no line above debug', () => {
  const said = {
    type: WORDS,
    code: WORDS,
    param: WORDS,
    cause: Object.assign(new Error(WORDS), { code: 'ECONNRESET' }),
  };
  const error = new GatewayError('upstream_error', `You said ${WORDS}.`, { status: 503, ...said });
  const call = { requestId: 'req_1', provider: 'lab', model: 'm', upstreamStatus: 503, upstreamRequestId: 'req_v' };
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  callLog(createLog('info', destination)).failed(call, error);
  assert.equal(lines.length, 1);
  assert.ok(!JSON.stringify(lines).includes(WORDS), JSON.stringify(lines));
  assert.partialDeepStrictEqual(lines[0], {
    request_id: 'req_1',
    provider: 'lab',
    model: 'm',
    kind: 'upstream_error',
    status: 503,
    upstream_status: 503,
    upstream_request_id: 'req_v',
    reason: 'ECONNRESET',
    msg: 'The provider failed; a status of 500 and above is its own.',
  });
  callLog(createLog('debug', destination)).failed(call, error);
  assert.partialDeepStrictEqual(lines[2], { level: 20, msg: `You said ${WORDS}.`, code: WORDS });
});

test('an error that is logged as a fault has no words of a vendor’s, nor what a parser was given', () => {
  const quoting = new GatewayError('upstream_rejected', WORDS, { type: WORDS, code: WORDS, param: WORDS });
  const parsing = Object.assign(new Error('Response does not match the protocol'), { data: WORDS, input: WORDS });
  for (const error of [quoting, parsing, new Error('around it', { cause: quoting })]) {
    const { line } = logged(error);
    assert.ok(!line.includes(WORDS), line);
  }
});

test('other errors are logged as they are', () => {
  const { err } = logged(new TypeError('x is not a function', { cause: new Error('because') }));
  assert.deepEqual([err.type, err.message], ['TypeError', 'x is not a function: because']);
  assert.equal(logged('text').err, 'text');
});
