import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';
import { ADA, firstOwner, linkIn, TestBrowser } from './browser.ts';

const CONFIG =
  'echo: true\norganizations: { acme: { name: Acme }, umbrella: { name: Umbrella }, other: { name: Other } }\n';
const IN = { acme: { 'openai-organization': 'acme' }, umbrella: { 'openai-organization': 'umbrella' } };

test('a request of a person is for the organization that it names, whichever their session looks at', async () => {
  await using headgate = await startHeadgate({ config: CONFIG });
  const ada = await firstOwner(headgate);
  const made = await headgate.command('owner-link', '--organization', 'umbrella', '--email', ADA.email);
  const opened = await ada.post('/auth/link/open', { link: linkIn(made.stdout), ...ADA });
  assert.equal(opened.status, 200, JSON.stringify(opened.json));

  assert.equal((await ada.get('/auth/session')).at('organization_id'), 'umbrella');
  const session = await ada.get('/auth/session', IN.acme);
  assert.deepEqual([session.at('organization_id'), session.status], ['acme', 200]);
  assert.equal((await ada.post('/organization/groups', { name: 'Rockets' }, IN.acme)).status, 200);
  assert.deepEqual((await ada.get('/organization/groups')).each('name'), []);
  assert.deepEqual((await ada.get('/organization/groups?openai-organization=acme')).each('name'), ['Rockets']);
  assert.equal((await ada.get('/usage?openai-organization=acme')).status, 200, 'it is no filter that is not known');
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };
  assert.equal((await ada.post('/chat/completions', body, IN.acme)).status, 200);
  assert.equal((await ada.get('/usage', IN.acme)).each('id').length, 1);
  assert.equal((await ada.get('/usage', IN.umbrella)).each('id').length, 0);
  assert.equal((await ada.get('/auth/session')).at('organization_id'), 'umbrella', 'what was chosen stays');
});

test('an organization of others is refused, and no hindrance to signing in', async () => {
  await using headgate = await startHeadgate({ config: CONFIG });
  const ada = await firstOwner(headgate);
  const elsewhere = { 'openai-organization': 'other' };
  for (const asked of [
    ada.get('/auth/session', elsewhere),
    ada.get('/organization/groups', elsewhere),
    ada.get('/organization/groups?openai-organization=none'),
    ada.post('/organization/groups', { name: 'Rockets' }, elsewhere),
    ada.post('/auth/password', { password: 'another correct horse' }, elsewhere),
    ada.post('/chat/completions', { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] }, elsewhere),
  ]) {
    const { status, at } = await asked;
    assert.deepEqual([status, at('error.code') ?? at('error.type')], [403, 'forbidden']);
  }
  const { email, password } = ADA;
  assert.equal((await ada.post('/auth/sign_in/password', { email, password }, elsewhere)).status, 200);
  assert.equal(
    (await new TestBrowser(headgate).post('/auth/sign_in/password', { email, password }, elsewhere)).status,
    200,
  );
});
