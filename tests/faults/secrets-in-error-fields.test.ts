import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { endAfter, errorReply, frame, type Plan, type VendorRequest } from '../../src/testing/reply.ts';
import { LAB_KEY, type Lab, startLab } from './lab.ts';

function words({ headers }: VendorRequest) {
  const secret = headers.authorization?.replace(/^bearer /i, '');
  return { message: 'no', type: `at ${headers.host}`, param: `key ${secret}`, code: `refused ${secret}` };
}

/** The key in other ways, a way a field. */
function disguised({ headers }: VendorRequest) {
  const secret = headers.authorization?.replace(/^bearer /i, '') ?? '';
  return {
    message: `${secret.slice(-8)} or ${Buffer.from(`me:${secret}`).toString('base64')}`,
    type: secret.toUpperCase(),
    param: secret.slice(-10).toUpperCase(),
    code: Buffer.from(secret).toString('base64url'),
  };
}

const refused: Plan = (request) => errorReply(400, words(request));
const broken: Plan = (request) => endAfter(answer(), 3, frame({ error: words(request) }))(request);

const refusedInDisguise: Plan = (request) => errorReply(400, disguised(request));
const brokenInDisguise: Plan = (request) => endAfter(answer(), 3, frame({ error: disguised(request) }))(request);

/** “Upstream errors keep their status and words, stripped of the upstream's key and host” — in each word, not in the message alone. */
describe('the key and the address of a vendor in `type`, `param` and `code`', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const [name, plan, stream] of [
    ['a refusal', refused, false],
    ['a refused stream', refused, true],
    ['an error frame', broken, true],
  ] as const) {
    test(`do not reach the caller in ${name}`, async () => {
      using asked = await lab.ask({ plan, stream });
      const text = (await asked.answer()).body().toString();
      assert.equal(text.includes(LAB_KEY), false, text);
      assert.equal(text.includes(new URL(lab.vendor.url).host), false, text);
    });
  }

  for (const [name, plan, stream] of [
    ['a refusal', refusedInDisguise, false],
    ['a refused stream', refusedInDisguise, true],
    ['an error frame', brokenInDisguise, true],
  ] as const) {
    test(`do not reach the caller in parts, in capitals or in base64 in ${name}`, async () => {
      using asked = await lab.ask({ plan, stream });
      const text = (await asked.answer()).body().toString();
      const { message, type, param, code } = disguised({ headers: { authorization: LAB_KEY } } as VendorRequest);
      assert.match(text, /\*\*\*/);
      for (const said of [...message.split(' or '), type, param, code]) assert.equal(text.includes(said), false, text);
    });
  }
});
