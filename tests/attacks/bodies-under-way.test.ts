import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawClient } from '../support/raw-http.ts';

/** A caller who sends many large bodies at once, and ends none of them, holds a bounded part of the memory. */
const MB = 1024 ** 2;
const BODY = 2 * MB;
/** Two of these fit below the bound, with their heads. */
const SENT = BODY - 64 * 1024;
const BODIES = 8;
const vendor = await startFakeProvider();
after(() => vendor.close());

for (const layer of ['fast', 'node'] as const) {
  describe(`bodies that never end, on the layer ${layer}`, () => {
    test('are refused past the bound, never the only one of a key, and others are served', async () => {
      await using headgate = await startHeadgate({
        config: `
server: { http_layer: ${layer} }
limits: { max_receiving: 4MB }
providers: { lab: { base_url: "${vendor.url}", only: [m] } }
`,
      });
      const { key } = await headgate.createKey();
      const clients: RawClient[] = [];
      const head = [
        'POST /v1/chat/completions HTTP/1.1',
        'host: a',
        `authorization: Bearer ${key}`,
        'content-type: application/json',
        `content-length: ${BODY}`,
      ];
      let refused = 0;
      for (let sent = 0; sent < BODIES; sent += 1) {
        const client = await connectRaw(headgate.url);
        clients.push(client);
        void client.head().then(
          ({ status, header }) => {
            assert.equal(status, 503);
            assert.equal(header('retry-after'), '1');
            refused += 1;
          },
          () => undefined,
        );
        await client.send(`${head.join('\r\n')}\r\n\r\n${' '.repeat(SENT)}`);
      }
      const content = `"messages":[{"role":"user","content":"${'a'.repeat(MB)}"}]`;
      const { status, text } = await ask(`${headgate.url}/v1/chat/completions`, {
        key: headgate.key,
        body: `{"model":"m",${content}}`,
      });
      assert.equal(status, 200, text);
      const deadline = performance.now() + WAIT_MS;
      while (refused < BODIES - 2 && performance.now() < deadline) await ask(`${headgate.url}/healthz`);
      // Which of two bodies passes the bound depends on how much of each was read when others came: at most two stay.
      assert.ok(refused >= BODIES - 2, `${refused} of ${BODIES} were refused`);
      assert.ok(refused < BODIES, 'the only body of a key is never refused');
      for (const client of clients) client.leave();
      const again = await ask(`${headgate.url}/v1/chat/completions`, { key, body: `{"model":"m",${content}}` });
      assert.equal(again.status, 200, 'what they held is given back');
    });
  });
}
