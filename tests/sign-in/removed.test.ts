import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createInvite } from '../../src/organization/invites/service.ts';
import { Passwords } from '../../src/organization/sign-in/passwords.ts';
import { ask } from '../http/client.ts';
import { ACME, startCompany, UMBRELLA } from '../organization/lab.ts';
import { TestAuthenticator } from './authenticator.ts';
import { type Answer, TestBrowser } from './browser.ts';

const PASSWORD = 'seven unrelated words make this';

for (const args of [[], ['--workers', '4']]) {
  test(`who was removed from every organization gets no session until they are invited again ${args.join(' ')}`, async () => {
    await using company = await startCompany({ args, config: 'sign_in: { attempts_per_email: 100 }' });
    const { headgate, admin, hire } = company;
    const owner = await hire('owner', 'owner');
    const { id, email } = await hire('ada');
    const passwordHash = await new Passwords(admin().pepper, randomBytes).hash(PASSWORD);
    const addPerson = { id, email, name: 'Ada', passwordHash, createdAt: 1, lastSignedInAt: 1 };
    assert.equal(await admin().settings.change(ACME, [{ addPerson }], null), 'done');

    const browser = new TestBrowser(headgate);
    const byPassword = (password = PASSWORD) => browser.post('/auth/sign_in/password', { email, password });
    assert.equal((await byPassword()).status, 200);
    const device = new TestAuthenticator(browser.origin);
    const creation = await browser.post('/auth/passkeys/options');
    const response = device.create(String(creation.at('challenge')));
    assert.equal((await browser.post('/auth/passkeys', { name: 'laptop', response })).status, 200);
    const byPasskey = async () => {
      const challenge = String((await browser.post('/auth/sign_in/passkey/options')).at('challenge'));
      return browser.post('/auth/sign_in/passkey', { response: device.get(challenge) });
    };
    const remove = async (of: string) =>
      assert.equal(
        (await ask(`${headgate.url}/v1/organization/users/${of}`, { method: 'DELETE', key: owner.key })).status,
        200,
      );
    await remove(id);

    const refusedAsNobody = ({ status, at }: Answer) => {
      assert.deepEqual([status, at('error.code')], [403, 'forbidden']);
      assert.match(String(at('error.message')), /^You are not a member of any organization/);
      assert.equal(browser.cookie, null);
    };
    browser.cookie = null;
    refusedAsNobody(await byPassword());
    refusedAsNobody(await byPasskey());
    const wrong = await byPassword('another password');
    assert.deepEqual([wrong.status, wrong.at('error.code')], [401, 'sign_in_failed']);

    // An invite from another organization, whose link leads no known person in by itself.
    const { token } = await createInvite(admin(UMBRELLA), { email, role: 'reader', projects: [] });
    assert.equal((await browser.post('/auth/link/open', { link: token })).status, 409);
    assert.equal((await byPassword()).status, 200);
    assert.equal((await byPasskey()).status, 200);
    const opened = await browser.post('/auth/link/open', { link: token });
    assert.equal(opened.status, 200, JSON.stringify(opened.json));
    assert.deepEqual((await browser.get('/auth/session')).at('organizations.0.id'), UMBRELLA);
    browser.cookie = null;
    assert.equal((await byPasskey()).status, 200);
  });
}
