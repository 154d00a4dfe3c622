import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';
import { firstOwner, TestBrowser } from './browser.ts';

const BODY = { model: 'priced', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] };

for (const workers of [1, 2]) {
  test(`a signed-in person calls models in a project, as the console does, with ${workers} of processes`, async () => {
    await using vendor = await disposable();
    await using headgate = await startHeadgate({
      config: `
server: { workers: ${workers} }
providers:
  lab: { base_url: "${vendor.url}", api_key: lab-key, models: [{ id: priced, price: { input_per_1m: 1000, output_per_1m: 1000 } }] }
`,
    });
    const owner = await firstOwner(headgate);
    const project = String((await owner.post('/organization/projects', { name: 'Search' })).at('id'));
    const inProject = { 'openai-project': project };

    const answers = await Promise.all(
      [BODY, { ...BODY, model: 'echo' }].map((body) => owner.post('/chat/completions', body, inProject)),
    );
    for (const answer of answers) assert.equal(answer.status, 200, JSON.stringify(answer.json));
    assert.equal((await owner.post('/chat/completions', BODY)).status, 200, 'the default project');

    const records = (await owner.get('/usage')).at('data') as { source: string; model: string; cost_usd: number }[];
    assert.deepEqual(new Set(records.map(({ source }) => source)), new Set(['console']));
    assert.equal(records.length, 3);
    const keys = await owner.get(`/organization/projects/${project}/api_keys`);
    assert.deepEqual(keys.each('name'), ['Playground of Ada']);

    await owner.post(`/organization/projects/${project}/spend_limit`, {
      ...{ currency: 'USD', interval: 'month', threshold_amount: 1 },
    });
    const until = performance.now() + WAIT_MS;
    for (;;) {
      const { status, at } = await owner.post('/chat/completions', BODY, inProject);
      if (status === 429) {
        assert.match(String(at('error.message')), /budget of the project `Search`/);
        break;
      }
      assert.ok(performance.now() < until, `it is answered ${status}`);
    }
    assert.equal((await owner.post('/chat/completions', BODY)).status, 200, 'another project goes on');
  });
}

test('whose key of the console was revoked has another with their next call', async () => {
  await using headgate = await startHeadgate({ config: 'echo: true' });
  const owner = await firstOwner(headgate);
  const body = { ...BODY, model: 'echo' };
  const project = String((await owner.get('/organization/projects')).each('id')[0]);
  const keys = `/organization/projects/${project}/api_keys`;
  const playground = async () => {
    const list = await owner.get(keys);
    return list.each('id').filter((_, index) => String(list.each('name')[index]).startsWith('Playground'));
  };
  const seen = new Set<unknown>();
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await owner.post('/chat/completions', body)).status, 200);
    const [id, ...others] = await playground();
    assert.deepEqual(others, []);
    seen.add(id);
    assert.equal((await owner.delete(`${keys}/${id}`)).status, 200);
    // Every process goes by it within a second; then there is another.
    while ((await playground()).length === 0)
      assert.ok([200, 401].includes((await owner.post('/chat/completions', body)).status));
  }
  assert.equal(seen.size, 3);
});

test('another site, somebody who is signed out, and a project that is not there are refused', async () => {
  await using headgate = await startHeadgate({ config: 'echo: true' });
  const owner = await firstOwner(headgate);
  const body = { ...BODY, model: 'echo' };
  const elsewhere = await owner.post('/chat/completions', body, { origin: 'https://evil.example' });
  assert.equal(elsewhere.status, 403);
  assert.equal((await new TestBrowser(headgate).post('/chat/completions', body)).status, 401);
  assert.equal((await owner.post('/chat/completions', body, { 'openai-project': 'proj_none' })).status, 404);
  const withKey = await owner.post('/chat/completions', body, { authorization: `Bearer ${headgate.key}` });
  assert.equal(withKey.status, 200);
  const sources = (await owner.get('/usage')).each('source');
  assert.deepEqual(sources, ['api_key'], 'a key goes before a session');
});

async function disposable() {
  const vendor = await startFakeProvider();
  return { url: vendor.url, [Symbol.asyncDispose]: () => vendor.close() };
}
