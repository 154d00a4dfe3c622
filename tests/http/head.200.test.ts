import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { type Answer, ask } from './client.ts';

const server = await startHeadgate();
after(() => server[Symbol.asyncDispose]());

/** Those that say the same each time they are asked. */
const LASTING = ['/healthz', '/readyz', '/openapi.json', '/v1/models', '/v1/models/echo', '/v1/models/catalog'];

for (const path of [...LASTING, '/metrics', '/v1/usage']) {
  test(`HEAD ${path} is answered as GET is, without the body`, async () => {
    const [head, get] = [
      await ask(`${server.url}${path}`, { method: 'HEAD', key: server.key }),
      await ask(`${server.url}${path}`, { key: server.key }),
    ];
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.deepEqual(namesIn(head), namesIn(get));
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
    if (LASTING.includes(path)) assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  });
}

test('HEAD needs a key where GET does, and finds nothing where GET does not', async () => {
  assert.equal((await ask(`${server.url}/v1/models`, { method: 'HEAD' })).status, 401);
  assert.equal((await ask(`${server.url}/v1/models/none`, { method: 'HEAD', key: server.key })).status, 404);
  assert.equal((await ask(`${server.url}/none`, { method: 'HEAD', key: server.key })).status, 404);
});

/** But for one that the client brings about: it closes the connection of each HEAD. */
function namesIn({ headers }: Answer): string[] {
  return [...headers.keys()].filter((name) => name !== 'keep-alive');
}
