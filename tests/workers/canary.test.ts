import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { ask as askSettings } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask, chat } from './ask.ts';

const WORKERS = 4;
const TALKS = 200;
const SHARE = 0.25;

test('a conversation goes by the same version of a route in every process', async () => {
  await using vendor = await startFakeProvider({ models: ['large', 'small'] });
  await using headgate = await startHeadgate({
    args: ['--workers', `${WORKERS}`],
    config: `
providers: { lab: { base_url: "${vendor.url}", models: [large, small] } }
limits: { requests_per_minute: 1000000 }
`,
  });
  const { key } = headgate;
  const post = async (path: string, body: object) => {
    const { status, text, json } = await askSettings(`${headgate.url}/v1/organization/routes${path}`, { key, body });
    assert.equal(status, 200, text);
    return json as { id: string };
  };
  const servedBy = async (talk: number) => {
    const body = chat('acme/steered', { messages: [{ role: 'user', content: `talk ${talk}` }] });
    const { status, headers } = await ask(headgate, '/v1/chat/completions', body);
    return status === 200 ? headers.get('service-model') : null;
  };
  await post('', { id: 'acme/steered', yaml: 'targets: [small]' });
  const version = await post('/acme%2Fsteered/versions', { yaml: 'targets: [large]', in_force: false });
  await post('/acme%2Fsteered', { canary: { version_id: version.id, share: SHARE } });
  // In force once every process goes by it: a conversation of the canary then comes back to it at each of them.
  const inForce = async () => {
    for (let talk = 0; talk < TALKS; talk += 1) {
      if ((await servedBy(talk)) !== 'large') continue;
      for (let again = 0; again < 2 * WORKERS; again += 1) if ((await servedBy(talk)) !== 'large') return false;
      return true;
    }
    return false;
  };
  for (const end = performance.now() + WAIT_MS; !(await inForce()); )
    assert.ok(performance.now() < end, 'not every process goes by the canary');

  let canary = 0;
  for (let talk = 0; talk < TALKS; talk += 1) {
    const models = new Set<string | null>();
    for (let again = 0; again < WORKERS; again += 1) models.add(await servedBy(talk));
    assert.equal(models.size, 1, `talk ${talk}: ${[...models]}`);
    if (models.has('large')) canary += 1;
  }
  // Which conversations go by it is told by their words and key: of 200 a quarter, give or take four standard deviations.
  assert.ok(Math.abs(canary - SHARE * TALKS) <= 25, `${canary} of ${TALKS}`);
});
