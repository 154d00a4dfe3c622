import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connectRaw, type RawClient, requestBytes } from '../support/raw-http.ts';
import { assertRecord, CHAT, callHeaders, errorOf, type Lab, question, REPORTED, startLab } from './lab.ts';

const BLOCK = Buffer.alloc(1024 * 1024, 'x');
const BLOCKS = 100;
const DEPTH = 100_000;

describe('limits', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab({ limits: { max_open_calls: 2 } });
  });
  after(() => lab[Symbol.asyncDispose]());

  /** Asserts that the vendor heard of nothing, and that nothing was recorded. */
  async function expectNoCall(act: () => Promise<void>): Promise<void> {
    const requests = lab.vendor.requests.length;
    const { data } = await lab.gateway.usage({ limit: '100' });
    await act();
    assert.equal(lab.vendor.requests.length, requests);
    assert.deepEqual((await lab.gateway.usage({ limit: '100' })).data, data);
  }

  function head(more: string): string {
    const headers = { ...callHeaders(lab.gateway, 'large'), host: 'a', 'content-type': 'application/json' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST ${CHAT} HTTP/1.1\r\n${lines.join('')}${more}\r\n\r\n`;
  }

  async function expectTooLarge(client: RawClient): Promise<void> {
    const answer = await client.answer();
    assert.deepEqual([answer.status, errorOf(answer).code], [413, 'body_too_large']);
  }

  test('a body of 100 MB that says so: 413, and the connection serves the next call', () =>
    expectNoCall(async () => {
      using client = await connectRaw(lab.gateway.url);
      await client.send(head(`content-length: ${BLOCK.length * BLOCKS}`));
      for (let sent = 0; sent < BLOCKS; sent += 1) await client.send(BLOCK);
      await expectTooLarge(client);
      await client.send(requestBytes('GET', '/v1/models', callHeaders(lab.gateway, 'next')));
      assert.equal((await client.answer()).status, 200);
    }));

  test('a body of 100 MB in chunks: 413, and the connection serves the next call', () =>
    expectNoCall(async () => {
      using client = await connectRaw(lab.gateway.url);
      await client.send(head('transfer-encoding: chunked'));
      const chunk = Buffer.concat([Buffer.from(`${BLOCK.length.toString(16)}\r\n`), BLOCK, Buffer.from('\r\n')]);
      for (let sent = 0; sent < BLOCKS; sent += 1) await client.send(chunk);
      await client.send('0\r\n\r\n');
      await expectTooLarge(client);
      await client.send(requestBytes('GET', '/v1/models', callHeaders(lab.gateway, 'next')));
      assert.equal((await client.answer()).status, 200);
    }));

  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    test(`JSON of ${open} nested ${DEPTH} deep: 400`, () =>
      expectNoCall(async () => {
        const inner = open === '[' ? '' : '1';
        const nested = open.repeat(DEPTH) + inner + close.repeat(DEPTH);
        const body = `{"model":"lab-small","messages":[],"metadata":${nested}}`;
        using client = await connectRaw(lab.gateway.url);
        await client.send(head(`content-length: ${body.length}`) + body);
        const answer = await client.answer();
        const error = errorOf(answer);
        assert.deepEqual([answer.status, error.code], [400, 'invalid_json']);
        assert.match(error.message, /nested deeper than 512 levels/);
      }));
  }

  test('as many calls as may be open: the next is a 503 with retry-after, until one ends', async () => {
    using first = await lab.ask({ plan: 'slow-headers' });
    using second = await lab.ask({ stream: true, plan: 'slow-headers' });
    await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 2);

    await expectNoCall(async () => {
      for (const stream of [false, true]) {
        using call = await lab.ask({ stream });
        const answer = await call.answer();
        assert.deepEqual([answer.status, errorOf(answer).code], [503, 'overloaded']);
        assert.deepEqual([answer.header('retry-after'), answer.header('x-should-retry')], ['1', 'true']);
      }
    });

    lab.vendor.release();
    for (const call of [first, second]) {
      assert.equal((await call.answer()).status, 200);
      assertRecord(await call.record(), REPORTED);
    }
    using next = await lab.ask();
    assert.equal((await next.answer()).status, 200);
  });

  test('two calls on one connection, one behind the other, are answered in turn', async () => {
    using client = await connectRaw(lab.gateway.url);
    const bytes = (id: string, stream: boolean) =>
      requestBytes('POST', CHAT, callHeaders(lab.gateway, id), question(stream));
    await client.send(Buffer.concat([bytes('in-turn-1', true), bytes('in-turn-2', false)]));
    assert.match((await client.answer()).body().toString(), /\[DONE\]/);
    assert.equal(errorless(await client.answer()), 'chat.completion');
    for (const id of ['in-turn-1', 'in-turn-2']) assertRecord(await lab.recordOf(id), REPORTED);
  });
});

function errorless(answer: { body(): Buffer }): unknown {
  return JSON.parse(answer.body().toString()).object;
}
