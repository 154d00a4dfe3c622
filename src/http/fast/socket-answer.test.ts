import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import type { Limiter } from '../../core/ports.ts';
import { OPENAI_STYLE, type RequestContext } from '../answer-headers.ts';
import { HeadWriter } from './answer-head.ts';
import { SocketAnswer } from './socket-answer.ts';

const EXCHANGE: RequestContext = {
  requestId: 'req_1',
  style: OPENAI_STYLE,
  clientRequestId: null,
  isPrivate: false,
  startedAt: 0,
  caller: null,
};
const DATE = 'Date: Thu, 01 Jan 1970 00:00:01 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n';
const OWN = 'x-request-id: req_1\r\nservice-version: v1\r\nservice-processing-ms: 0\r\n';

/** An answer, and what it writes: each write as its bytes in latin1. */
function answerWith(now = () => 1999) {
  const writes: string[] = [];
  const ends: string[] = [];
  const take = (text: string) => writes.push(text) < 3;
  const heads = new HeadWriter({
    headerPrefix: 'service',
    keys: { check: () => assert.fail(), again: () => assert.fail(), version: 0 },
    limiter: {} as Limiter,
    clock: { now, monotonic: () => 0 },
    ids: {
      requestId: () => '',
      recordId: () => '',
      token: () => '',
      keyId: () => '',
      organizationId: () => '',
    },
  });
  const answer = new SocketAnswer(EXCHANGE, {
    heads,
    write: take,
    writeAround: (before, bytes, behind) => take(before + bytes.toString('latin1') + behind),
    end(text) {
      ends.push(text);
      return take(text);
    },
  });
  return { answer, writes, ends };
}

describe('a whole answer', () => {
  const json = 'content-type: application/json\r\n';

  test('is one write, with the headers that Node writes', () => {
    for (const body of ['{"a":1}', Buffer.from('{"a":1}')]) {
      const { answer, writes, ends } = answerWith();
      answer.whole(200, body);
      assert.deepEqual(writes, [`HTTP/1.1 200 OK\r\n${OWN}${json}content-length: 7\r\n${DATE}\r\n{"a":1}`]);
      assert.equal(ends.length, 1);
    }
  });

  test('is as long as its bytes, not its characters', () => {
    for (const body of ['"é€"', Buffer.from('"é€"')]) {
      const { answer, writes } = answerWith();
      answer.whole(200, body);
      assert.ok(writes[0]?.endsWith(`content-length: 7\r\n${DATE}\r\n${Buffer.from('"é€"').toString('latin1')}`));
    }
  });

  test('of many bytes is whole, too', () => {
    for (const size of [16 * 1024, 16 * 1024 + 1, 1024 * 1024]) {
      const { answer, writes } = answerWith();
      answer.whole(200, Buffer.alloc(size, 'x'));
      assert.ok(writes.join('').endsWith(`content-length: ${size}\r\n${DATE}\r\n${'x'.repeat(size)}`));
    }
  });

  test('has no body where its status allows none, and some word for a status that nobody knows', () => {
    for (const [status, line, body] of [
      [204, 'HTTP/1.1 204 No Content', ''],
      [304, 'HTTP/1.1 304 Not Modified', ''],
      [529, 'HTTP/1.1 529 unknown', '{}'],
    ] as const) {
      const { answer, writes } = answerWith();
      answer.whole(status, '{}');
      assert.equal(writes[0], `${line}\r\n${OWN}${json}content-length: 2\r\n${DATE}\r\n${body}`);
    }
  });

  test('that is an error says when to come back', () => {
    const { answer, writes } = answerWith();
    answer.error(new GatewayError('overloaded', 'Later.', { retryAfterMs: 1000 }), '{}');
    assert.ok(writes[0]?.startsWith('HTTP/1.1 503 Service Unavailable\r\n'));
    assert.ok(
      writes[0]?.includes('\r\nretry-after: 1\r\nretry-after-ms: 1000\r\nx-should-retry: true\r\ncontent-type'),
    );
  });
});

describe('a stream', () => {
  const head = `HTTP/1.1 200 OK\r\n${OWN}content-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache, no-transform\r\nx-accel-buffering: no\r\n${DATE}Transfer-Encoding: chunked\r\n\r\n`;

  test('has its head with the first frame, and a chunk for each', () => {
    const { answer, writes, ends } = answerWith();
    answer.begin();
    assert.equal(answer.begun, true);
    assert.deepEqual(writes, []);
    assert.equal(answer.write('data: é\n\n'), true);
    assert.equal(answer.write(Buffer.from('data: two\n\n')), true);
    answer.end('data: [DONE]\n\n');
    const bytes = ['a\r\ndata: é\n\n\r\n', 'b\r\ndata: two\n\n\r\n', 'e\r\ndata: [DONE]\n\n\r\n', '0\r\n\r\n'];
    assert.deepEqual(writes.join(''), Buffer.from(head + bytes.join('')).toString('latin1'));
    assert.equal(ends.length, 1);
  });

  test('says when to wait', () => {
    const { answer } = answerWith();
    answer.begin();
    assert.deepEqual(
      [1, 2, 3].map(() => answer.write(Buffer.from('x'))),
      [true, true, false],
    );
  });

  test('is not ended by a frame of nothing, and may end without one', () => {
    const { answer, writes } = answerWith();
    answer.begin();
    answer.write('');
    answer.write(Buffer.alloc(0));
    assert.deepEqual(writes, []);
    answer.end('');
    assert.deepEqual(writes, [`${head}0\r\n\r\n`]);
  });

  test('takes frames of any size', () => {
    const { answer, writes } = answerWith();
    const large = 'é'.repeat(20_000);
    answer.begin();
    answer.write(Buffer.alloc(16_385, 'x'));
    answer.end(large);
    const bytes = `4001\r\n${'x'.repeat(16_385)}\r\n9c40\r\n${large}\r\n0\r\n\r\n`;
    assert.equal(writes.join(''), Buffer.from(head + bytes).toString('latin1'));
  });
});

test('the date is that of the second', () => {
  let now = 5999;
  const dateOf = () => {
    const { answer, writes } = answerWith(() => now);
    answer.whole(200, '');
    return /Date: .*(\d\d) GMT/.exec(writes[0]!)?.[1];
  };
  assert.equal(dateOf(), '05');
  now = 6000;
  assert.equal(dateOf(), '06');
});

describe('nothing is written', () => {
  test('behind the end', () => {
    for (const end of [(answer: SocketAnswer) => answer.whole(200, '{}'), (answer: SocketAnswer) => answer.end('')]) {
      const { answer, writes } = answerWith();
      end(answer);
      const { length } = writes;
      answer.begin();
      assert.equal(answer.write('x'), true);
      answer.whole(200, 'x');
      answer.end('x');
      assert.equal(writes.length, length);
    }
  });

  test('to a caller who has left, which is told once, or at once to who asks later', () => {
    const { answer, writes } = answerWith();
    let told = 0;
    answer.onGone(() => {
      told += 1;
    });
    answer.left();
    answer.left();
    answer.begin();
    answer.write('x');
    answer.end('x');
    assert.deepEqual([answer.gone, told, writes], [true, 1, []]);
    answer.onGone(() => {
      told += 1;
    });
    assert.equal(told, 2);
  });

  test('and nobody has left an answer that is over', () => {
    const { answer } = answerWith();
    answer.onGone(() => assert.fail('the answer was whole'));
    answer.whole(200, '{}');
    answer.left();
    assert.equal(answer.gone, false);
  });
});
