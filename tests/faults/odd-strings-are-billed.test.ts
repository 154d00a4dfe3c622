import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FAULTS } from '../../src/testing/faults.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';
import { CHAT, callHeaders, type Lab, payloads, question, startLab } from './lab.ts';

/**
 * The scanner leaves the inside of strings to the vendor. A vendor that is as liberal answers, and wants its money: such
 * a call must either be refused before it is sent, or have an attempt, an estimate and a cost as any other.
 */
describe('a body with a bare tab in a string', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const stream of [false, true]) {
    test(`that was sent to the vendor and answered is billed (${stream ? 'stream' : 'whole'})`, async () => {
      const id = `odd-${stream}`;
      const sent = lab.vendor.requests.length;
      // The fake vendor's own parser is strict; what it could not read of the body is told to the plan.
      lab.vendor.plan((request) => FAULTS['missing-usage'].plan({ ...request, stream }), { times: 1 });
      using client = await connectRaw(lab.gateway.url);
      await client.send(oddBytes(lab, id, stream));
      const answer = await client.answer();
      if (lab.vendor.requests.length === sent) {
        assert.equal(answer.status, 400);
        return;
      }

      assert.equal(answer.status, 200);
      if (stream) assert.equal(payloads(answer).at(-1), '[DONE]');
      const record = await lab.recordOf(id);
      assert.equal(record.status, 'succeeded');
      assert.equal(record.attempts, 1);
      assert.equal(record.usage_source, 'estimated');
      assert.ok(Number(record.cost_usd) > 0, 'it cost something');
    });
  }
});

function oddBytes(lab: Lab, id: string, stream: boolean): Buffer {
  const bytes = Buffer.from(requestBytes('POST', CHAT, callHeaders(lab.gateway, id), question(stream)));
  const at = bytes.indexOf('hello to');
  assert.ok(at > 0);
  // One byte for another, so that the length still holds.
  bytes[at + 'hello'.length] = 0x09;
  return bytes;
}
