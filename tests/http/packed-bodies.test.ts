import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { startHeadgate } from '../support/headgate.ts';

const PACKED = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
const MAX_BODY = 100_000;

for (const layer of ['fast', 'node']) {
  describe(`packed bodies, layer ${layer}`, async () => {
    const headgate = await startHeadgate({
      config: `server: { http_layer: ${layer} }\nlimits: { max_body: ${MAX_BODY} }\n`,
    });
    after(() => headgate[Symbol.asyncDispose]());

    async function send(encoding: string, body: Buffer): Promise<{ status: number; text: string }> {
      const response = await fetch(`${headgate.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${headgate.key}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        body: new Uint8Array(body),
      });
      return { status: response.status, text: await response.text() };
    }

    const bodyOf = (content: string) =>
      Buffer.from(JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }] }));

    for (const [encoding, pack] of Object.entries(PACKED)) {
      test(`${encoding} is unpacked, to no more than a body may have`, async () => {
        const answer = await send(encoding, pack(bodyOf('hello there')));
        assert.equal(answer.status, 200, answer.text);
        assert.match(answer.text, /hello there/);
        const bomb = pack(bodyOf('a'.repeat(50 * MAX_BODY)));
        assert.ok(bomb.length < MAX_BODY);
        const refused = await send(encoding, bomb);
        assert.equal(refused.status, 413, refused.text);
      });

      test(`${encoding} that is cut, or followed by other bytes, is refused`, async () => {
        const packed = pack(bodyOf('hello there'));
        const more = [Buffer.from('x'), Buffer.alloc(8), packed];
        const cuts = [1, Math.floor(packed.length / 2), packed.length - 1].map((end) => packed.subarray(0, end));
        for (const body of [...cuts, ...more.map((bytes) => Buffer.concat([packed, bytes]))]) {
          const { status, text } = await send(encoding, body);
          assert.equal(status, 400, text);
        }
      });

      test(`what is not ${encoding} is refused`, async () => {
        const answer = await send(encoding, bodyOf('hello there'));
        assert.equal(answer.status, 400, answer.text);
        assert.match(answer.text, /"param":"content-encoding"/);
      });
    }

    test('encodings within each other are unpacked, each to no more than a body may have', async () => {
      const body = bodyOf('hello there');
      for (const [encoding, packed] of [
        ['gzip, br', brotliCompressSync(gzipSync(body))],
        ['zstd,gzip , identity', gzipSync(zstdCompressSync(body))],
        ['deflate, gzip, br', brotliCompressSync(gzipSync(deflateSync(body)))],
      ] as const) {
        const { status, text } = await send(encoding, packed);
        assert.equal(status, 200, text);
        assert.match(text, /hello there/);
      }
      const bomb = gzipSync(gzipSync(bodyOf('a'.repeat(50 * MAX_BODY))));
      assert.equal((await send('gzip, gzip', bomb)).status, 413);
      const inner = gzipSync(Buffer.concat([gzipSync(body), Buffer.from('x')]));
      assert.equal((await send('gzip, gzip', inner)).status, 400);
      assert.equal((await send('gzip, gzip, gzip, gzip', body)).status, 415);
      assert.equal((await send('gzip, lzma', gzipSync(body))).status, 415);
    });

    test('another packing is refused with those that are known', async () => {
      const answer = await send('lzma', bodyOf('a'));
      assert.equal(answer.status, 415);
      assert.match(answer.text, /gzip, deflate, br or zstd/);
    });
  });
}
