import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw } from '../support/raw-http.ts';
import { startLayer, WARM } from './layers.ts';
import { HIDDEN, SMUGGLING } from './smuggling.ts';

/** Ends what never becomes a request. Long enough that a busy machine has sent on all connections by then. */
const REQUEST_MS = 5000;

/** Those that are requests like any other once the hidden one comes by itself: space may stand around a length. */
const PLAIN = [' 60', '\t60', '60 ', '60\t'].map((text) => `CL of ${JSON.stringify(text)}`);
const PLAIN_ALONE = new Set([...PLAIN, 'a request behind the body']);

test(`none of ${SMUGGLING.length} messages that could be cut in two ways is read by our own layer`, async () => {
  const [fast, node] = [await startLayer('fast'), await startLayer('node')];
  for (const [what, text] of SMUGGLING) {
    const bytes = text.replace('KEY', WARM);
    const apart = bytes.endsWith(HIDDEN) ? [bytes.slice(0, -HIDDEN.length), HIDDEN] : [bytes];
    for (const pieces of [[bytes], apart].map((texts) => texts.map((piece) => Buffer.from(piece, 'latin1')))) {
      const ours = await fast.send(pieces);
      const theirs = await node.send(pieces);
      assert.equal(ours.hot, pieces.length === 2 && PLAIN_ALONE.has(what) ? 1 : 0, what);
      assert.deepEqual(ours.taken, theirs.taken, what);
      assert.deepEqual(statusesIn(ours.answers), statusesIn(theirs.answers), what);
    }
  }
});

function statusesIn(answers: string): string[] {
  return [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status!);
}

test('a gateway gives each of them the answers that Node alone gives it, no more and no fewer', async () => {
  const start = (layer: string) =>
    startHeadgate({
      config: `timeouts: { request: ${REQUEST_MS}ms }`,
      env: { HEADGATE_HTTP_LAYER: layer },
    });
  await using fast = await start('fast');
  await using node = await start('node');
  const compare = async ([what, bytes]: (typeof SMUGGLING)[number]) => {
    const [ours, theirs] = await Promise.all([fast, node].map((server) => statusesOf(server, bytes)));
    assert.deepEqual(ours, theirs, what);
  };
  await Promise.all(SMUGGLING.map(compare));
});

/** The statuses of all answers, up to the end of the connection: a request that closes it comes behind the first. */
async function statusesOf(server: Running, bytes: string): Promise<number[]> {
  using client = await connectRaw(server.url);
  await client.send(Buffer.from(bytes.replace('KEY', server.key), 'latin1'));
  const statuses: number[] = [];
  try {
    for (;;) {
      statuses.push((await client.answer()).status);
      if (statuses.length === 1) await client.send('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    }
  } catch (error) {
    // However it ended, no further answer can come.
    assert.match(String(error), /connection was (closed|reset)|EPIPE|ECONNRESET|ended/);
  }
  return statuses;
}
