import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { insert } from '../../src/testing/reply.ts';
import { connectRaw } from '../support/raw-http.ts';
import { assertParting, assertRecord, CHAT, callHeaders, type Lab, PROMPT_TOKENS, startLab } from './lab.ts';

/** How soon the vendor must be let go, in ms. */
const AT_ONCE = 1000;

type Moment = {
  stream: boolean;
  /** Pieces of the answer that the vendor has sent. */
  sent: number;
  /** What the caller has seen when it leaves. */
  seen: string | null;
  tokens: number;
};

const MOMENTS: Record<string, Moment> = {
  'whole, before the vendor answers': { stream: false, sent: 0, seen: null, tokens: 0 },
  'whole, in the middle of the vendor’s body': { stream: false, sent: 3, seen: null, tokens: 0 },
  'stream, before the vendor answers': { stream: true, sent: 0, seen: null, tokens: 0 },
  'stream, while opening frames are held': { stream: true, sent: 1, seen: null, tokens: 0 },
  'stream, in the middle': { stream: true, sent: 3, seen: '" from"', tokens: 2 },
};

describe('a caller who leaves', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const [name, { stream, sent, seen, tokens }] of Object.entries(MOMENTS)) {
    for (const how of ['leave', 'reset'] as const) {
      test(`${name}, by ${how === 'leave' ? 'closing' : 'a reset'}: the vendor is let go at once`, async () => {
        using call = await lab.ask({ stream, plan: insert(normal(), sent, 'hold') });
        await lab.vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
        if (seen !== null) await call.client.bodyHas(seen);
        call.client[how]();
        await lab.vendor.waitFor(({ openCalls }) => openCalls() === 0, AT_ONCE);
        assertParting(await lab.released(), 'left');
        assertRecord(await call.record(), {
          status: 'cancelled',
          http_status: 499,
          error: 'client_closed_request',
          usage_source: 'estimated',
          input_tokens: PROMPT_TOKENS,
          output_tokens: tokens,
        });
      });
    }
  }

  test('in the middle of its own body: nothing is sent, nothing is recorded', async () => {
    const requests = lab.vendor.requests.length;
    const records = (await lab.gateway.usage({ limit: '100' })).data.length;
    const head = Object.entries({ ...callHeaders(lab.gateway, 'cut'), 'content-type': 'application/json' });
    const client = await connectRaw(lab.gateway.url);
    const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    await client.send(`POST ${CHAT} HTTP/1.1\r\nhost: a\r\n${lines}content-length: 1000\r\n\r\n{"model":`);
    client.leave();

    using call = await lab.ask();
    assert.equal((await call.answer()).status, 200);
    assert.equal(lab.vendor.requests.length, requests + 1);
    assert.equal((await lab.gateway.usage({ limit: '100' })).data.length, records + 1);
  });
});
