import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answer as normal } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { endAfter, errorReply, frame, jsonReply, type Plan, wholeReply } from '../../src/testing/reply.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, chat } from '../workers/ask.ts';

/** In the prompt, and so in what the vendor quotes of it. */
const ASKED = 'mark-of-the-prompt';
/** In the vendor's own words. */
const SAID = 'mark-of-the-vendor';
const CHAT = '/v1/chat/completions';

const words = (prompt: string) => ({
  message: `${SAID}: ${prompt}`,
  type: SAID,
  code: SAID,
  param: `${SAID} ${ASKED}`,
});
const refusing =
  (status: number): Plan =>
  (request) =>
    errorReply(status, words(request.body.toString()));

const ANSWERS: readonly [what: string, stream: boolean, plan: Plan][] = [
  ...[400, 401, 402, 403, 404, 429, 500, 503].map((status): [string, boolean, Plan] => [
    `${status}`,
    status > 400,
    refusing(status),
  ]),
  ['an error in a 200', false, (request) => jsonReply(200, { error: words(request.body.toString()) })],
  ['an error frame', true, endAfter(normal(), 3, frame({ error: words(ASKED) }))],
  ['JSON that is cut', false, (request) => wholeReply(200, `{"${SAID}":"${request.body.toString('base64')}${ASKED}`)],
  ['a page', false, () => wholeReply(502, `<h1>${SAID} ${ASKED}</h1>`, { 'content-type': 'text/html' })],
  [
    'no HTTP',
    false,
    () => ({ status: 0, headers: {}, raw: true, acts: [Buffer.from(`${SAID} ${ASKED}\r\n\r\n`), 'close'] }),
  ],
  [
    'HTTP with a header that is none',
    false,
    () => ({ status: 0, headers: {}, raw: true, acts: [Buffer.from(`HTTP/1.1 200 OK\r\n${SAID}\0${ASKED}\r\n\r\n`)] }),
  ],
];

describe('what a vendor says of a prompt', () => {
  let vendor: FakeProvider;
  let gateway: Running;
  before(async () => {
    vendor = await startFakeProvider();
    vendor.plan(() => wholeReply(200, `${SAID} [`), { path: '/v1/models' });
    gateway = await startHeadgate({
      config: `
echo: false
providers:
  lab: { base_url: "${vendor.url}", api_key: lab-key-0123456789, only: [m] }
  lister: { base_url: "${vendor.url}", api_key: lab-key-0123456789 }
retries: { attempts: 1 }
timeouts: { first_byte: 2s, whole: 2s }
`,
    });
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    await vendor.close();
  });

  for (const [what, stream, plan] of ANSWERS) {
    test(`is in no line of the log, and not in the status: ${what}`, async () => {
      vendor.plan(plan, { path: CHAT, times: 1 });
      const messages = [{ role: 'user', content: ASKED }];
      const { status, headers, text } = await ask(gateway, CHAT, chat('m', { messages, stream }));
      assert.ok(status >= 400 || text.includes('"error"'), text);
      const id = headers.get('x-request-id')!;
      const line = await logged(gateway, id);
      assert.deepEqual([line.provider, line.model], ['lab', 'm']);
      assert.equal(typeof line.kind, 'string');
      const shown = gateway.stderr() + gateway.stdout() + (await ask(gateway, '/v1/status')).text;
      for (const mark of [ASKED, SAID]) assert.ok(!shown.includes(mark), shown);
    });
  }

  test('of its models neither', async () => {
    await gateway.waitForLine(/did not say which models/);
    assert.ok(!gateway.stderr().includes(SAID), gateway.stderr());
  });
});

/** The line that tells of a call. */
async function logged(gateway: Running, id: string): Promise<Record<string, unknown>> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const found = gateway
      .stderr()
      .split('\n')
      .find((line) => line.includes(`"request_id":"${id}"`) && line.includes('"kind"'));
    if (found !== undefined) return JSON.parse(found) as Record<string, unknown>;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`no line tells of ${id}: ${gateway.stderr()}`);
}
