import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { request } from 'undici';
import { DEFAULT_TEXT } from './answers.ts';
import { type FakeProvider, startFakeProvider } from './fake-provider.ts';
import { type FaultName, HUGE_LINE_BYTES } from './faults.ts';
import { field } from './json.ts';
import { createWaiters } from './wait.ts';

type Seen = { status: number; headers: Record<string, unknown>; bytes: Buffer; text: string; failure: string | null };

const WHOLE = {};
const STREAM = { stream: true, stream_options: { include_usage: true } };

/** Sends a call with a fault, reads the answer (or disconnects after `enough` bytes), and returns how it ended. */
async function meet(fault: FaultName, body: object, enough = Number.POSITIVE_INFINITY): Promise<Seen> {
  await using vendor = await startFakeProvider();
  return await call(vendor, fault, body, enough);
}

async function call(vendor: FakeProvider, fault: FaultName, more: object, enough: number): Promise<Seen> {
  const seen: Seen = { status: 0, headers: {}, bytes: Buffer.alloc(0), text: '', failure: null };
  const parts: Buffer[] = [];
  let length = 0;
  try {
    const answer = await ask(vendor, fault, more);
    seen.status = answer.statusCode;
    seen.headers = answer.headers;
    for await (const part of answer.body) {
      parts.push(part);
      length += part.length;
      if (length >= enough) break;
    }
  } catch (error) {
    seen.failure = String(field(error, 'code'));
  }
  seen.bytes = Buffer.concat(parts);
  seen.text = seen.bytes.toString();
  return seen;
}

function ask(vendor: FakeProvider, fault: FaultName, more: object) {
  return request(`${vendor.url}/chat/completions`, {
    method: 'POST',
    reset: true,
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-very-secret' },
    body: JSON.stringify({ model: `fault:${fault}`, messages: [], ...more }),
  });
}

/**
 * Sends a call with a fault on a bare socket. Returns every byte, and whether the connection ended (`end`) or broke (an
 * error code).
 */
async function meetBare(fault: FaultName, more: object): Promise<{ text: string; ending: string }> {
  await using vendor = await startFakeProvider();
  const socket = connect({ port: Number(new URL(vendor.url).port), host: '127.0.0.1' });
  const body = JSON.stringify({ model: `fault:${fault}`, messages: [], ...more });
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const ending = await new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', (error) => resolve(String(field(error, 'code'))));
  });
  return { text, ending };
}

describe('broken connections', () => {
  test('resets', async () => {
    assert.deepEqual(await meetBare('reset-before-headers', WHOLE), { text: '', ending: 'ECONNRESET' });
    const whole = await meetBare('reset', WHOLE);
    assert.equal(whole.ending, 'ECONNRESET');
    assert.match(whole.text, /\r\n\r\n\{"id":[\s\S]*[^}]$/);
    const stream = await meetBare('reset', STREAM);
    assert.equal(stream.ending, 'ECONNRESET');
    assert.match(stream.text, /"content":"Hello"/);
    assert.doesNotMatch(stream.text, /"finish_reason":"|\[DONE\]/);
    const finished = await meetBare('reset-after-finish', STREAM);
    assert.equal(finished.ending, 'ECONNRESET');
    assert.match(finished.text, /"finish_reason":"stop"/);
    assert.doesNotMatch(finished.text, /\[DONE\]|"total_tokens"|\r\n0\r\n/);
  });

  test('a connection that closes before the declared length or the last chunk', async () => {
    const whole = await meetBare('close', WHOLE);
    const [head = '', body = ''] = whole.text.split('\r\n\r\n');
    assert.equal(whole.ending, 'end');
    assert.ok(Number(/content-length: (\d+)/.exec(head)?.[1]) > body.length);
    const stream = await meetBare('close', STREAM);
    assert.equal(stream.ending, 'end');
    assert.match(stream.text, /"content":"Hello"/);
    assert.doesNotMatch(stream.text, /\r\n0\r\n/);
    const unsized = await meetBare('truncated-close', WHOLE);
    assert.equal(unsized.ending, 'end');
    assert.doesNotMatch(unsized.text, /content-length|transfer-encoding/i);
  });

  test('ends that come too early and look clean', async () => {
    for (const fault of ['truncated-json', 'truncated-close'] as const) {
      const { failure, text, status } = await meet(fault, WHOLE);
      assert.deepEqual([status, failure], [200, null]);
      assert.match(text, /^\{"id":/);
      assert.throws(() => JSON.parse(text));
    }
    const midFrame = await meet('truncated-json', STREAM);
    assert.equal(midFrame.failure, null);
    assert.match(midFrame.text, /"content":"Hello"[\s\S]*[^\n]$/);
    const betweenFrames = await meet('ended-early', STREAM);
    assert.equal(betweenFrames.failure, null);
    assert.match(betweenFrames.text, /\n\n$/);
    assert.doesNotMatch(betweenFrames.text, /\[DONE\]/);
    for (const body of [WHOLE, STREAM]) assert.equal((await meet('empty-body', body)).text, '');
  });
});

describe('silence', () => {
  test('a slow vendor sends nothing at all until it is let go', async () => {
    await using vendor = await startFakeProvider();
    let answered = false;
    const answering = ask(vendor, 'slow-headers', WHOLE).then(({ body }) => {
      answered = true;
      return body.json();
    });
    await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    assert.equal(answered, false);
    vendor.release();
    assert.equal(field(await answering, 'object'), 'chat.completion');
  });

  for (const [fault, body, before] of [
    ['stall-before-body', STREAM, /^$/],
    ['stall', WHOLE, /^\{"id":[\s\S]*[^}]$/],
    ['stall', STREAM, /"content":"Hello"/],
  ] as const) {
    test(`${fault} (${body === WHOLE ? 'whole' : 'stream'}) holds until let go, then answers in full`, async () => {
      await using vendor = await startFakeProvider();
      const arrived = createWaiters();
      let text = '';
      const answer = await ask(vendor, fault, body);
      answer.body.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        arrived.changed();
      });
      const arrives = (pattern: RegExp) =>
        arrived.until(
          () => pattern.test(text),
          () => `${pattern} in ${text}`,
        );
      await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
      await arrives(before);
      vendor.release();
      await arrives(body === WHOLE ? /\}$/ : /\[DONE\]\n\n$/);
    });
  }
});

describe('answers that are wrong', () => {
  test('a page of HTML with 200, and with 502', async () => {
    const page = await meet('wrong-content-type', WHOLE);
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
    assert.equal((await meet('bad-gateway', WHOLE)).status, 502);
    assert.equal((await meet('server-error', WHOLE)).status, 500);
    assert.equal((await meet('overloaded', WHOLE)).status, 503);
  });

  test('errors inside a 200', async () => {
    assert.equal(field(JSON.parse((await meet('error-in-200', WHOLE)).text), 'error', 'code'), 'overloaded');
    assert.match((await meet('error-in-200', STREAM)).text, /^data: \{"error":[^\n]*\}\n\n$/);
    assert.match((await meet('error-frame', STREAM)).text, /"content":"Hello"[\s\S]*\n\ndata: \{"error":[^\n]*\}\n\n$/);
    assert.match((await meet('error-event', STREAM)).text, /\n\nevent: error\ndata: \{"error":[^\n]*\}\n\n$/);
    assert.match((await meet('error-chunk', STREAM)).text, /"finish_reason":"error"\}\]\}\n\n$/);
  });

  test('429 in three notations', async () => {
    const seconds = await meet('rate-limited', WHOLE);
    assert.deepEqual([seconds.status, seconds.headers['retry-after']], [429, '7']);
    assert.equal((await meet('rate-limited-ms', WHOLE)).headers['retry-after-ms'], '1500');
    const dated = (await meet('rate-limited-date', WHOLE)).headers;
    assert.equal(Date.parse(String(dated['retry-after'])) - Date.parse(String(dated.date)), 60_000);
  });

  test('refusals', async () => {
    assert.equal(field(JSON.parse((await meet('bad-request', WHOLE)).text), 'error', 'param'), 'messages[0].role');
    const refused = await meet('refuses-stream-options', STREAM);
    assert.deepEqual([refused.status, /stream_options/.test(refused.text)], [400, true]);
    assert.equal((await meet('refuses-stream-options', { stream: true })).status, 200);
    for (const [fault, status] of [
      ['unauthorized', 401],
      ['payment-required', 402],
      ['quota-exhausted', 429],
      ['forbidden', 403],
    ] as const) {
      const seen = await meet(fault, WHOLE);
      assert.equal(seen.status, status);
      assert.match(seen.text, /sk-very-secret.*127\.0\.0\.1:\d+/);
    }
    const redirect = await meet('redirect', WHOLE);
    assert.equal(redirect.status, 302);
    assert.match(String(redirect.headers.location), /\/v1\/elsewhere$/);
  });
});

describe('answers that are right but odd', () => {
  const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
  for (const [encoding, decode] of Object.entries(decoders)) {
    test(`a body in ${encoding}, whole and streamed`, async () => {
      for (const body of [WHOLE, STREAM]) {
        const { headers, bytes } = await meet(encoding as keyof typeof decoders, body);
        assert.equal(headers['content-encoding'], encoding);
        assert.match(decode(bytes).toString(), 'stream' in body ? /\[DONE\]\n\n$/ : new RegExp(DEFAULT_TEXT));
      }
    });
  }

  test('a gzip body that is cut', async () => {
    const { bytes, failure } = await meet('gzip-broken', WHOLE);
    assert.equal(failure, null);
    assert.throws(() => gunzipSync(bytes), { code: 'Z_BUF_ERROR' });
  });

  test('a line of 8 MB', async () => {
    const { text } = await meet('huge-line', STREAM);
    assert.ok(Math.max(...text.split('\n').map((line) => line.length)) > HUGE_LINE_BYTES);
    assert.match(text, /\[DONE\]\n\n$/);
  });

  test('frames left out, added and ended otherwise', async () => {
    const normal = (await meet('missing-usage', STREAM)).text;
    assert.doesNotMatch(normal, /"total_tokens"/);
    assert.match(normal, /\[DONE\]\n\n$/);
    assert.doesNotMatch((await meet('missing-done', STREAM)).text, /\[DONE\]/);
    const unfinished = (await meet('missing-finish', STREAM)).text;
    assert.doesNotMatch(unfinished, /"finish_reason":"/);
    assert.match(unfinished, /\[DONE\]/);
    const everywhere = (await meet('usage-in-every-chunk', STREAM)).text;
    assert.equal(everywhere.match(/"total_tokens"/g)?.length, everywhere.match(/"choices"/g)?.length);
    assert.match((await meet('comments', STREAM)).text, /^: FAKE PROCESSING\n\ndata: .*\n\n: FAKE/);
    assert.match((await meet('crlf', STREAM)).text, /^data: [^\n]*\r\n\r\n[\s\S]*data: \[DONE\]\r\n\r\n$/);
    assert.match((await meet('cr', STREAM)).text, /^[^\n]*data: \[DONE\]\r\r$/);
    assert.match((await meet('no-final-blank-line', STREAM)).text, /\n\ndata: \[DONE\]$/);
  });

  test('faults of streams leave whole answers whole', async () => {
    for (const fault of ['comments', 'crlf', 'cr', 'missing-done', 'missing-finish'] as const) {
      const { text } = await meet(fault, WHOLE);
      assert.equal(field(JSON.parse(text), 'choices', '0', 'message', 'content'), DEFAULT_TEXT);
    }
  });
});

/** The number of bytes to read from slow streams. */
const ENOUGH: Partial<Record<FaultName, number>> = { 'endless-stream': 5_000, trickle: 500, 'comments-only': 50 };

describe('answers without end', () => {
  for (const fault of [
    'endless-stream',
    'flood',
    'endless-line',
    'endless-body',
    'trickle',
    'comments-only',
  ] as const) {
    test(`${fault} goes on until the client leaves`, async () => {
      await using vendor = await startFakeProvider();
      const enough = ENOUGH[fault] ?? 5_000_000;
      const { bytes, failure } = await call(vendor, fault, STREAM, enough);
      assert.equal(failure, null);
      assert.ok(bytes.length >= enough);
      assert.doesNotMatch(bytes.subarray(-5_000).toString(), /\[DONE\]/);
      await vendor.waitFor(({ openCalls }) => openCalls() === 0);
      assert.equal(vendor.closedEarly, 1);
    });
  }

  test('endless headers are more than a client takes', async () => {
    assert.equal((await meet('endless-headers', WHOLE)).failure, 'UND_ERR_HEADERS_OVERFLOW');
  });
});
