import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { frame, streamReply, wholeReply } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { DIALECTS, PATHS, startTranslationLab } from '../support/dialects.ts';

/** Where vendors put the words of an error, and what callers of each format are told. */
const KEY = 'sk-vendor-secret-0123456789';
const lab = await startTranslationLab(
  'retries: { attempts: 1 }\nlimits: { max_loop_lag: 0, requests_per_minute: 100000 }\n',
  (id) => `${id}-key: { base_url: "URL", api_key: ${KEY}, dialects: [${id}], only: [m] }`,
);
const { vendor, headgate } = lab;
after(() => lab[Symbol.asyncDispose]());

const json = (value: unknown) => JSON.stringify(value);
const routed = (metadata: object) => ({ error: { message: 'Provider returned error', code: 400, metadata } });
const error = (members: object) => ({ error: { message: 'Refused.', code: 'c', ...members } });
const google = (...details: object[]) => ({
  error: { code: 400, message: 'Refused.', status: 'INVALID_ARGUMENT', details },
});

/** A body, and what the message must be. */
const BODIES: readonly (readonly [body: unknown, message: string])[] = [
  [routed({ raw: json({ error: { message: 'Deep.' } }), provider_name: 'X' }), 'Provider returned error (X: Deep.)'],
  [routed({ raw: { error: { message: 'Deep.' } } }), 'Provider returned error (Deep.)'],
  [routed({ raw: json(json({ error: { message: 'Deep.' } })) }), 'Provider returned error (Deep.)'],
  [routed({ raw: json(routed({ raw: json({ message: 'Deep.' }) })) }), 'Provider returned error (Deep.)'],
  [routed({ raw: json({ detail: [{ loc: ['body', 'n'], msg: 'Deep.' }] }) }), 'Provider returned error (n: Deep.)'],
  [routed({ raw: json({ errors: [{ message: 'Deep.' }] }) }), 'Provider returned error (Deep.)'],
  [routed({ raw: `data: ${json({ error: { message: 'Deep.' } })}\n\n` }), 'Provider returned error (Deep.)'],
  [routed({ raw: '<html>nginx at 10.0.0.12</html>' }), 'Provider returned error'],
  [routed({ raw: json({ error: { message: `No ${KEY}.` } }) }), 'Provider returned error (No ***.)'],
  [routed({ error: { message: 'Deep.' } }), 'Provider returned error (Deep.)'],
  [error({ failed_generation: { name: 'f' } }), 'Refused. (failed_generation: {"name":"f"})'],
  [error({ inner_error: { code: 'Policy' } }), 'Refused. (innererror: {"code":"Policy"})'],
  [error({ content_filter_results: { hate: true } }), 'Refused. (content_filter_result: {"hate":true})'],
  [error({ details: [{ code: 'X', message: 'Too large.', target: 'image' }] }), 'Refused. (Too large.)'],
  [google({ fieldViolations: [{ field: 'a', description: 'is empty' }] }), 'Refused. (a: is empty)'],
  [google({ violations: [{ description: 'Daily quota.' }] }), 'Refused. (Daily quota.)'],
  [google({ locale: 'en', message: 'Localized.' }, { reason: 'BAD' }), 'Refused. (Localized.)'],
  [[google({ detail: 'Deep.' })], 'Refused. (Deep.)'],
  [{ __type: 'ValidationException', Message: 'Words.' }, 'Words.'],
  [{ error: 'Words.' }, 'Words.'],
  [{ error: 'Bad Request', message: ['First.', 'Second.'], statusCode: 400 }, 'First.; Second.'],
  [{ error: [{ message: 'Words.' }] }, 'Words.'],
  [{ error: true, message: 'Words.' }, 'Words.'],
  [{ error: { message: json({ error: { message: 'Words.' } }) } }, 'Words.'],
  [{ error: json({ message: 'Words.', code: 'c' }) }, 'Words.'],
  [{ error: { message: ['First.', 'Second.'] } }, 'First.; Second.'],
  [
    {
      detail: [
        { loc: ['body', 'tools', 0, 'name'], msg: 'Too long' },
        { loc: ['body'], msg: 'Empty' },
      ],
    },
    'tools.0.name: Too long; Empty',
  ],
  [{ detail: { error: { message: 'Words.' } } }, 'Words.'],
  [{ success: false, errors: [{ code: 5, message: 'Words.' }] }, 'Words.'],
  [{ code: 1210, msg: 'Words.' }, 'Words.'],
  [{ error_code: 3, error_msg: 'Words.' }, 'Words.'],
  [{ errorCode: 'E', errorMessage: 'Words.' }, 'Words.'],
  [{ base_resp: { status_code: 2013, status_msg: 'Words.' } }, 'Words.'],
  [{ fault: { faultstring: 'Words.', detail: { errorcode: 'x' } } }, 'Words.'],
  [{ type: 'about:blank', title: 'Bad Request', detail: 'Words.' }, 'Words.'],
  [{ title: 'Words.' }, 'Words.'],
  ['Failed to read messages[1]: no field `content`', 'Failed to read messages[1]: no field `content`'],
  ['<!doctype html><title>Bad</title>', 'The provider answered 400 without saying why.'],
  ['', 'The provider answered 400 without saying why.'],
  ['null', 'The provider answered 400 without saying why.'],
  [{ error: {} }, 'The provider answered 400 without saying why.'],
];

const BASES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { input: 'Hi' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 },
};

async function refused(surface: (typeof DIALECTS)[number], spoken: string, more: object = {}) {
  const body = { model: `${spoken}-key/m`, ...BASES[surface], ...more };
  return ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body });
}

for (const surface of DIALECTS) {
  test(`${surface}: the words of an error are found wherever a vendor puts them`, async () => {
    for (const [index, [body, message]] of BODIES.entries()) {
      vendor.plan(() => wholeReply(400, typeof body === 'string' ? body : json(body)), { times: 1 });
      const answer = await refused(surface, DIALECTS[index % DIALECTS.length]!);
      assert.deepEqual([answer.status, field(answer.json, 'error', 'message')], [400, message], json(body));
    }
  });
}

test('codes are kept, whichever member has them', async () => {
  for (const [body, code] of [
    [{ error: 'Words.', code: 'own' }, 'own'],
    [{ errorCode: 'own', errorMessage: 'Words.' }, 'own'],
    [{ error: json({ message: 'Words.', code: 'own' }) }, 'own'],
    [{ error: { message: 'Words.' }, details: { error_code: 'own' } }, 'own'],
    [{ error: { message: 'Words.', code: { a: 1 } } }, null],
  ] as const) {
    vendor.plan(() => wholeReply(400, json(body)), { times: 1 });
    assert.equal(field((await refused('openai-chat', 'openai-chat')).json, 'error', 'code'), code, json(body));
  }
});

test('a wait that only the body tells becomes retry-after', async () => {
  for (const body of [
    { error: { message: 'Later.', details: [{ reason: 'x' }, { retryDelay: '17.5s' }] } },
    { error: { message: 'Later.', retry_after: 17.5 } },
    { message: 'Later.', retry_after: 18 },
    { error: { message: 'Later.', metadata: { headers: { 'Retry-After': '18' } } } },
  ]) {
    vendor.plan(() => wholeReply(429, json(body)), { times: 1 });
    const answer = await refused('openai-chat', 'openai-chat');
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '18'], json(body));
  }
});

test('an error within a stream says its words, in any form', async () => {
  const rows: readonly (readonly [Buffer, RegExp])[] = [
    [frame([{ error: { code: 400, message: 'Words.' } }]), /Words\./],
    [Buffer.from('event: error\ndata: upstream went away\n\n'), /upstream went away/],
    [frame({ error: { message: 'Refused.', inner_error: { code: 'Policy' } } }), /Policy/],
    [frame(routed({ raw: json(json({ message: 'Deep.' })) })), /Deep\./],
  ];
  for (const [piece, words] of rows) {
    for (const surface of DIALECTS) {
      vendor.plan(() => streamReply([piece]), { times: 1 });
      const answer = await refused(surface, 'openai-chat', { stream: true });
      assert.match(String(field(answer.json, 'error', 'message')), words);
    }
  }
});
