import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ADA, firstOwner, type TestBrowser } from '../sign-in/browser.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask } from './client.ts';

const CALL = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };
const EMBED = { model: 'text-embedding-3-small', input: 'a' };

for (const layer of ['fast', 'node']) {
  describe(`what came with a cookie is kept by nobody, with the layer ${layer}:`, () => {
    let headgate: Running;
    let owner: TestBrowser;
    before(async () => {
      headgate = await startHeadgate({ config: `echo: true\nserver: { http_layer: ${layer} }` });
      owner = await firstOwner(headgate);
    });
    after(() => headgate[Symbol.asyncDispose]());

    /** Asks as the signed-in browser, which may send a key, too. */
    const asked = (path: string, sent: Parameters<typeof ask>[1] = {}) =>
      ask(`${headgate.url}${path}`, {
        ...sent,
        headers: { cookie: owner.cookie ?? '', origin: owner.origin, ...sent.headers },
      });

    const demandPrivate = ({ headers }: { headers: Headers }, what: string) => {
      assert.match(headers.get('cache-control') ?? '', /\bno-store\b/, what);
      assert.doesNotMatch(headers.get('cache-control') ?? '', /\bpublic\b/, what);
      assert.match(headers.get('vary') ?? '', /\bCookie\b.*\bAuthorization\b/, what);
    };

    test('answers and errors of the API', async () => {
      const { json } = await asked('/openapi.json');
      const { paths } = json as { paths: Record<string, Record<string, object>> };
      for (const [path, methods] of Object.entries(paths)) {
        if (!Object.hasOwn(methods, 'get') || path.includes('/live')) continue;
        demandPrivate(await asked(path.replaceAll(/\{\w+\}/g, 'none')), path);
      }
      for (const path of ['/v1/none', '/none', '/openapi.json', '/v1/models/%zz'])
        demandPrivate(await asked(path), path);
      demandPrivate(await asked('/v1/organization/projects', { body: { name: '' } }), 'a refused change');
      demandPrivate(await asked('/v1/organization/projects', { body: '{' }), 'a broken body');
      demandPrivate(await asked('/v1/models', { method: 'PUT' }), 'another method');
      demandPrivate(await asked('/v1/models', { method: 'HEAD' }), 'HEAD');
    });

    test('calls of models, whole and streamed, also with a key beside the cookie', async () => {
      for (const key of [{}, { key: headgate.key }]) {
        const bodies = { chat: CALL, stream: { ...CALL, stream: true }, unknown: { ...CALL, model: 'none' } };
        for (const [what, body] of Object.entries(bodies))
          demandPrivate(await asked('/v1/chat/completions', { ...key, body }), what);
        demandPrivate(await asked('/v1/embeddings', { ...key, body: EMBED }), 'embeddings');
      }
    });

    test('somebody who is not signed in, where a cookie is looked for', async () => {
      for (const path of ['/v1/organization/projects', '/v1/usage', '/v1/models/catalog'])
        demandPrivate(await ask(`${headgate.url}${path}`), path);
    });

    test('what signs somebody in, also beside a key', async () => {
      const answer = await ask(`${headgate.url}/v1/auth/sign_in/password`, {
        ...{ key: headgate.key, headers: { origin: owner.origin } },
        body: { email: ADA.email, password: ADA.password },
      });
      assert.match(answer.headers.get('set-cookie') ?? '', /^__Host-headgate=/);
      demandPrivate(answer, 'a sign-in');
    });

    test('pages are asked for again by each browser', async () => {
      for (const path of ['/', '/settings/keys', '/sign-in']) {
        const { headers } = await asked(path, { headers: { accept: 'text/html' } });
        assert.match(headers.get('cache-control') ?? '', /\b(private|no-store)\b/, path);
      }
    });

    test('an answer to a key alone says nothing of it', async () => {
      const { headers } = await ask(`${headgate.url}/v1/chat/completions`, { key: headgate.key, body: CALL });
      assert.deepEqual([headers.get('cache-control'), headers.get('vary')], [null, null]);
    });
  });
}
