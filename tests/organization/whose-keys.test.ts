import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_EARLIER_SECRETS } from '../../src/keys/keys.ts';
import { ask } from '../http/client.ts';
import { type Company, type Hired, startCompany } from './lab.ts';

/** Who makes, changes, rotates and ends which key. */
let company: Company;
let owner: Hired;
before(async () => {
  company = await startCompany({ args: ['--workers', '4'] });
  owner = await company.hire('olga', 'owner');
});
after(() => company[Symbol.asyncDispose]());

type Made = { id: string; value: string };

async function post(path: string, key: string, body: object): Promise<Made> {
  const { status, text, json } = await ask(`${company.headgate.url}/v1/organization${path}`, { key, body });
  assert.equal(status, 200, text);
  return json as Made;
}

test('rotations at once leave no more earlier secrets than may go on', async () => {
  const { id: project } = await post('/projects', owner.key, { name: 'Rotations' });
  const keys = `/projects/${project}/api_keys`;
  const { id } = await post(keys, owner.key, { name: 'x' });
  const path = `${company.headgate.url}/v1/organization${keys}/${id}/rotate`;
  const rotations = await Promise.all(
    Array.from({ length: 20 }, () => ask(path, { key: owner.key, body: { overlap_seconds: 600 } })),
  );
  assert.ok(rotations.every(({ status }) => [200, 400, 409].includes(status)));
  const secrets = rotations.filter(({ status }) => status === 200).map(({ json }) => (json as Made).value);
  // The one that the key was made with is accepted, too, and the newest is no earlier one.
  assert.equal(secrets.length, MAX_EARLIER_SECRETS);
  for (const key of secrets) assert.equal((await ask(`${company.headgate.url}/v1/models`, { key })).status, 200);
});
