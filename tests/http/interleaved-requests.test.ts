import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawClient, requestBytes } from '../support/raw-http.ts';

/** All connections are read into one buffer. Requests that arrive in turns must each keep their own bytes. */
const CONNECTIONS = 16;
const PIECES = 5;
const vendor = await startFakeProvider();
const headgate = await startHeadgate({ config: `providers: { lab: { base_url: "${vendor.url}", only: [m] } }` });
const clients: RawClient[] = [];
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.leave();
});

for (const [what, length] of [
  ['of less than a read', 300],
  ['of many reads', 100_000],
] as const) {
  describe(`requests ${what}`, () => {
    const wordsOf = (index: number) => words(`${length}-${index}`, length);

    test('that arrive at once reach the vendor with their own words', async () => {
      await connectAll(CONNECTIONS);
      // From here on the key is known, and a call goes on at once.
      await clients[0]!.send(requestOf(headgate.key, 'first'));
      assert.equal((await clients[0]!.answer()).status, 200);
      await Promise.all(clients.map((client, index) => client.send(requestOf(headgate.key, wordsOf(index)))));
      await assertAllReach(clients.map((_, index) => wordsOf(index)));
    });

    test('that arrive in turns, piece by piece, with a key that is not known yet, too', async () => {
      const { key } = await headgate.createKey();
      await connectAll(CONNECTIONS);
      const requests = clients.map((_, index) => requestOf(key, wordsOf(100 + index)));
      for (let piece = 0; piece < PIECES; piece += 1) {
        await Promise.all(clients.map((client, index) => client.send(partOf(requests[index]!, piece))));
      }
      await assertAllReach(clients.map((_, index) => wordsOf(100 + index)));
    });

    test('that come before the last one is answered, too, and later ones', async () => {
      await connectAll(2);
      const [client, other] = clients as [RawClient, RawClient];
      vendor.plan('stall-before-body', { times: 2 });
      await client.send(requestOf(headgate.key, wordsOf(200)));
      await vendor.waitFor(() => vendor.heldCalls() === 1);
      await client.send(requestOf(headgate.key, wordsOf(201)));
      await other.send(requestOf(headgate.key, wordsOf(202)));
      await vendor.waitFor(() => vendor.heldCalls() === 2);
      vendor.release();
      assert.equal((await client.answer()).status, 200);
      await assertAllReach([wordsOf(201), wordsOf(202)]);
      for (const [index, each] of clients.entries()) await each.send(requestOf(headgate.key, wordsOf(203 + index)));
      await assertAllReach([wordsOf(203), wordsOf(204)]);
    });
  });
}

async function connectAll(count: number): Promise<void> {
  for (let each = 0; each < count; each += 1) clients.push(await connectRaw(headgate.url));
}

function requestOf(key: string, content: string): Buffer {
  const body = { model: 'm', messages: [{ role: 'user', content }] };
  return requestBytes('POST', '/v1/chat/completions', { authorization: `Bearer ${key}` }, body);
}

/** Words that differ for each name and place. */
function words(name: string, length: number): string {
  return Array.from({ length: Math.ceil(length / 16) }, (_, place) => `${name}:${String(place).padStart(6, '0')}`).join(
    ' ',
  );
}

function partOf(request: Buffer, piece: number): Buffer {
  const size = Math.ceil(request.length / PIECES);
  return request.subarray(piece * size, (piece + 1) * size);
}

/** Each client is answered, and each of these texts came to the vendor once. */
async function assertAllReach(texts: readonly string[]): Promise<void> {
  for (const client of clients) assert.equal((await client.answer()).status, 200);
  const sent = vendor.requests.map(({ json }) => contentOf(json));
  for (const text of texts) assert.equal(sent.filter((each) => each === text).length, 1, 'this text came once');
}

function contentOf(body: unknown): string {
  return (body as { messages: { content: string }[] }).messages[0]!.content;
}
