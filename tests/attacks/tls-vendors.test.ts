import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { DEFAULT_TEXT } from '../../src/testing/answers.ts';
import { CERT, EXPIRED_CERT, KEY, STRANGER_CERT } from '../../src/testing/certificates.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type RawVendor, startRawVendor } from '../../src/testing/raw-vendor.ts';
import { frame } from '../../src/testing/reply.ts';
import { startVendorProxy, type VendorProxy } from '../../src/testing/vendor-proxy.ts';
import { CHAT, callHeaders, errorOf, PROMPT, payloads, streamError, textOf } from '../faults/lab.ts';
import { attemptsOf, FORGETFUL_BREAKER, recordOf } from '../routes/lab.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer, type RawClient, requestBytes } from '../support/raw-http.ts';

/**
 * Vendors over TLS, and people on the way to them, that misbehave at the first of two targets. Where nothing has left for the
 * caller the second one answers; else an error ends the stream. The gateway trusts two of the certificates.
 */

const LAYERS = ['fast', 'node'] as const;
const VENDOR_KEY = 'tls-vendor-key-0123456789';
/** One handshake never ends. No other takes as long as `connect`, however busy the machine is. */
const TIMEOUTS = '{ connect: 4s, first_byte: 60s, whole: 60s, idle: 60s, total: 60s, ping: 60s, hold: 60s }';
const TLS: TlsOptions = { cert: CERT, key: KEY };

type Attack = {
  tls: TlsOptions | null;
  host?: string;
  /** The error of its attempt. */
  error: 'upstream_unreachable' | 'upstream_disconnected' | 'upstream_invalid_answer';
  /** With each piece of plain text that the vendor receives. */
  answer(socket: Socket, between: VendorProxy): void;
};

const WHOLE_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const BEGUN = frame({ ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] }).toString();
const PART = '{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"He';
const BAD_RECORD = Buffer.concat([Buffer.from([0x17, 3, 3, 0, 32]), Buffer.alloc(32, 7)]);

const never = () => undefined;
const refused = (tls: TlsOptions | null, answer: Attack['answer'] = never): Attack => ({
  tls,
  error: 'upstream_unreachable',
  answer,
});

/** What misbehaves before a whole answer, or a piece of a stream, could leave for the caller. */
const EARLY: Readonly<Record<string, Attack>> = {
  'a certificate of another host': { ...refused(TLS), host: '127.0.0.1' },
  'a certificate that has expired': refused({ ...TLS, cert: EXPIRED_CERT }),
  'a certificate that nobody vouches for': refused({ ...TLS, cert: STRANGER_CERT }),
  'a reset in the handshake': refused(null, (socket) => void socket.resetAndDestroy()),
  'a handshake that never ends': refused(null, (socket) => void socket.write(Buffer.from([0x16, 3, 3, 0x40, 0]))),
  'plain HTTP': refused(null, (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')),
  nonsense: refused(null, (socket) => void socket.write(Buffer.alloc(4096, 0xa5))),
  'a body that only the end ends, cut': {
    tls: TLS,
    error: 'upstream_invalid_answer',
    answer: (socket) => void socket.end(`${WHOLE_HEAD}\r\n${PART}`),
  },
  'a broken record in place of an answer': {
    tls: TLS,
    error: 'upstream_disconnected',
    answer: (_socket, between) => void between.caller().write(BAD_RECORD),
  },
};

/** What misbehaves behind the first words of a stream. `meddle` is done once the caller has those. */
const LATE: Readonly<Record<string, { head: string; meddle(caller: Socket): void }>> = {
  'a broken record': { head: STREAM_HEAD, meddle: (caller) => void caller.write(BAD_RECORD) },
  'plain HTTP': {
    head: STREAM_HEAD,
    meddle: (caller) => void caller.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  },
  'an end, without a word of TLS': { head: STREAM_HEAD, meddle: (caller) => void caller.end() },
  'a reset': { head: STREAM_HEAD, meddle: (caller) => void caller.resetAndDestroy() },
};

type Mean = { name: string; vendor: RawVendor; between: VendorProxy; baseUrl: string };

let folder: string;
let trusted: string;
let good: FakeProvider;
const early = new Map<string, Mean>();
let late: Mean;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-vendors-'));
  trusted = join(folder, 'trusted.pem');
  await writeFile(trusted, CERT + EXPIRED_CERT);
  good = await startFakeProvider({ models: ['good-model'] });
  for (const [what, attack] of Object.entries(EARLY)) early.set(what, await startMean(`mean-${early.size}`, attack));
  late = await startMean('late', {
    tls: TLS,
    error: 'upstream_disconnected',
    answer: (socket) => void socket.write(`${STREAM_HEAD}\r\n${BEGUN}`),
  });
});
after(async () => {
  for (const { vendor, between } of [...early.values(), late]) {
    await between[Symbol.asyncDispose]();
    await vendor[Symbol.asyncDispose]();
  }
  await good.close();
  await rm(folder, { recursive: true, force: true });
});

for (const layer of LAYERS) {
  describe(`on the layer ${layer}:`, () => {
    let gateway: Running;
    before(async () => {
      const env = { HEADGATE_HTTP_LAYER: layer, NODE_EXTRA_CA_CERTS: trusted, VENDOR_KEY };
      gateway = await startHeadgate({ config: configOf([...early.values(), late]), env });
    });
    after(() => gateway[Symbol.asyncDispose]());

    for (const [what, { error }] of Object.entries(EARLY)) {
      for (const stream of [false, true]) {
        test(`${what}, ${stream ? 'a stream' : 'a whole answer'}: the second target answers`, async () => {
          const mean = early.get(what)!;
          const { answer, row, attempts } = await call(gateway, `route/${mean.name}`, stream);
          assert.deepEqual([answer.status, answer.ending], [200, 'complete']);
          assert.equal(stream ? textOf(answer) : wordsOf(answer), DEFAULT_TEXT);
          if (stream) assert.equal(payloads(answer).at(-1), '[DONE]');
          assertNamesNothing(answer, mean);
          assert.deepEqual([row.status, row.provider, row.attempts, row.output_tokens], ['succeeded', 'good', 2, 8]);
          assert.deepEqual(
            attempts.map((attempt) => [attempt.provider, attempt.error, attempt.possibly_billed]),
            [
              [mean.name, error, error !== 'upstream_unreachable'],
              ['good', null, false],
            ],
          );
        });
      }

      test(`${what}, the only target: an error that names nothing`, async () => {
        const mean = early.get(what)!;
        const { answer, row } = await call(gateway, `${mean.name}-model`, false);
        assert.equal(answer.status, 502);
        assert.equal(errorOf(answer).type, 'server_error');
        assertNamesNothing(answer, mean);
        assert.deepEqual([row.status, row.http_status, row.error], ['failed', 502, error]);
      });
    }

    for (const [what, { meddle }] of Object.entries(LATE)) {
      test(`${what} behind the first words of a stream: an error ends it at once, and no other is asked`, async () => {
        const asked = good.requests.length;
        const { answer, row, attempts } = await call(gateway, 'route/late', true, async (client) => {
          await client.bodyHas('Hello');
          meddle(late.between.caller());
        });
        assert.equal(streamError(answer).code, 'upstream_disconnected');
        assert.equal(textOf(answer), 'Hello');
        assertNamesNothing(answer, late);
        assert.deepEqual([row.status, row.provider, row.error], ['failed', 'late', 'upstream_disconnected']);
        assert.deepEqual(
          attempts.map((attempt) => [attempt.provider, attempt.error]),
          [['late', 'upstream_disconnected']],
        );
        assert.equal(good.requests.length, asked);
      });
    }

    test('nothing of a request was sent where the certificate is not right', () => {
      for (const [what, { tls, error }] of Object.entries(EARLY)) {
        if (tls === null || error !== 'upstream_unreachable') continue;
        const { vendor } = early.get(what)!;
        assert.equal(vendor.received(), '', what);
      }
    });
  });
}

async function startMean(name: string, { tls, answer, host = 'localhost' }: Attack): Promise<Mean> {
  const vendor: RawVendor = await startRawVendor((socket) => answer(socket, between), tls);
  const between = await startVendorProxy(vendor.port);
  return { name, vendor, between, baseUrl: `https://${host}:${between.port}/v1` };
}

function configOf(means: readonly Mean[]): string {
  const rows = means.map(
    ({ name, baseUrl }) => `  ${name}: { base_url: "${baseUrl}", api_key: "\${VENDOR_KEY}", only: [${name}-model] }`,
  );
  const routes = means.map(({ name }) => `  route/${name}: { targets: [${name}-model, good-model] }`);
  return `
echo: false
providers:
${rows.join('\n')}
  good: { base_url: "${good.url}", api_key: "\${VENDOR_KEY}", only: [good-model] }
routes:
${routes.join('\n')}
timeouts: ${TIMEOUTS}
retries: { attempts: 2, max_wait: 1ms }
breaker: ${FORGETFUL_BREAKER}
`;
}

let calls = 0;

/** Asks once, does something while the call is open, and tells what came and what was recorded. */
async function call(
  gateway: Running,
  model: string,
  stream: boolean,
  meanwhile: (client: RawClient) => unknown = never,
) {
  calls += 1;
  const id = `tls-${calls}`;
  using client = await connectRaw(gateway.url);
  const body = { model, stream, messages: [{ role: 'user', content: PROMPT }] };
  await client.send(requestBytes('POST', CHAT, callHeaders(gateway, id), body));
  await meanwhile(client);
  const answer = await client.answer();
  const row = await recordOf(gateway, id);
  return { answer, row, attempts: await attemptsOf(gateway, row) };
}

function wordsOf(answer: RawAnswer): string {
  return JSON.parse(answer.body().toString()).choices[0].message.content;
}

/** No address, certificate or key of a vendor stands in an answer, nor what was said in its place. */
function assertNamesNothing(answer: RawAnswer, { between, vendor }: Mean): void {
  const all = `${answer.headers.map((header) => header.join(': ')).join('\n')}\n${answer.body()}`;
  // The gateway's own ids may have any digits in a row, those of a port too.
  const said = all.replaceAll(/\b(req|org)_\w+/g, '');
  for (const word of ['localhost', '127.0.0.1', `${between.port}`, `${vendor.port}`, VENDOR_KEY, 'BEGIN', 'SSL']) {
    assert.equal(said.includes(word), false, `${word} stands in ${said}`);
  }
}
