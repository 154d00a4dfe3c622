import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createInvite } from '../../src/organization/invites/service.ts';
import { Passwords } from '../../src/organization/sign-in/passwords.ts';
import { ask } from '../http/client.ts';
import { ACME, startCompany } from '../organization/lab.ts';
import { TestBrowser } from './browser.ts';

const COUNTING = new URL('../support/count-hashes.ts', import.meta.url);
const HASH = /hash of a password: (.+)/g;
const PASSWORD = 'seven unrelated words make this';
const ROUNDS = 2;

for (const args of [[], ['--workers', '4']]) {
  test(`a wrong password costs one hash of the same work, whoever the address belongs to ${args.join(' ')}`, async () => {
    await using company = await startCompany({
      args,
      config: 'sign_in: { attempts_per_email: 100, attempts_per_address: 1000 }',
      env: { NODE_OPTIONS: `--import ${COUNTING}` },
    });
    const { headgate, admin, hire } = company;
    const passwords = new Passwords(admin().pepper, randomBytes);
    const member = async (name: string, password: string | null) => {
      const hired = await hire(name);
      const { id, email } = hired;
      const passwordHash = password === null ? null : await passwords.hash(password);
      const addPerson = { id, email, name, passwordHash, createdAt: 1, lastSignedInAt: 1 };
      assert.equal(await admin().settings.change(ACME, [{ addPerson }], null), 'done');
      return hired;
    };
    const owner = await hire('owner', 'owner');
    const remove = async ({ id }: { id: string }) => {
      const path = `${headgate.url}/v1/organization/users/${id}`;
      assert.equal((await ask(path, { method: 'DELETE', key: owner.key })).status, 200);
    };
    const known = await member('known', PASSWORD);
    await remove(await member('removed', PASSWORD));
    await remove(await member('removed-without', null));
    await member('without', null);
    await createInvite(admin(), { email: 'invited@example.com', role: 'reader', projects: [] });

    const workFor = async (email: string, password: string) => {
      const before = [...headgate.stderr().matchAll(HASH)].length;
      const { status, at } = await new TestBrowser(headgate).post('/auth/sign_in/password', { email, password });
      const hashes = [...headgate.stderr().matchAll(HASH)].slice(before).map(([, work]) => work);
      return { status, code: at('error.code'), message: at('error.message'), hashes };
    };
    const wanted = await workFor(known.email, 'a wrong password');
    assert.deepEqual([wanted.status, wanted.code], [401, 'sign_in_failed']);
    assert.deepEqual(wanted.hashes, ['argon2id 19456 2 1']);
    const others = ['without', 'removed', 'removed-without', 'invited', 'nobody', 'KNOWN', 'known+tag'];
    for (const name of others) {
      for (let round = 0; round < ROUNDS; round += 1)
        assert.deepEqual(await workFor(`${name}@example.com`, 'a wrong password'), wanted, name);
    }
    for (const password of ['x', 'y'.repeat(1_000), 'ﬁ \u{1f511}', PASSWORD.toUpperCase()]) {
      assert.deepEqual(await workFor(known.email, password), await workFor('nobody@example.com', password), password);
    }
    const right = await workFor(known.email, PASSWORD);
    assert.equal(right.status, 200, JSON.stringify(right));
  });
}
