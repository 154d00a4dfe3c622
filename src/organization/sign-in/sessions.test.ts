import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { SignedIn, SignInRules } from '../../core/people.ts';
import type { SettingChange } from '../../core/settings.ts';
import { NOON } from '../../store/fixtures.test.ts';
import { DAY_MS, member, ORGANIZATION, organizationOf, setting } from '../fixtures.test.ts';
import { createOwnerLink, lookAtLink, openLink } from './links.ts';
import type { SignInParts, Visitor } from './parts.ts';
import { demandRecentSignIn } from './parts.ts';
import { Passwords } from './passwords.ts';
import {
  beginSession,
  chooseOrganization,
  endMemberSessions,
  endSession,
  listMemberSessions,
  listSessions,
  sessionChecker,
} from './sessions.ts';
import { attemptsHere, Throttle } from './throttle.ts';

const RULES: SignInRules = {
  sessionIdle: 2 * DAY_MS,
  sessionLife: 5 * DAY_MS,
  recent: 600_000,
  ownerLinkLife: DAY_MS,
  attemptsPerEmail: 100,
  attemptsPerAddress: 100,
  attemptsWindow: 60_000,
};
const OTHER = 'org_2';
const NOT_SIGNED_IN = { kind: 'not_signed_in' };
const password = 'a sentence that nobody guesses';

test('a session ends after its life, however much it is used, and sooner where it is not used', async (t) => {
  const { signIn, check, clock } = await setUp(t);
  const busy = await signIn('ada');
  const idle = await signIn('bob');
  for (let day = 1; day < 5; day += 1) {
    clock.time = NOON + day * DAY_MS;
    assert.equal((await check(busy)).person.id, 'ada');
  }
  await assert.rejects(() => check(idle), NOT_SIGNED_IN);
  clock.time = NOON + 5 * DAY_MS - 1;
  await check(busy);
  clock.time += 1;
  await assert.rejects(() => check(busy), NOT_SIGNED_IN);
});

test('a use counts up to the last moment of the time without one, and a shorter rule holds for sessions that are there', async (t) => {
  const { signIn, check, clock, rules } = await setUp(t);
  const secret = await signIn('ada');
  clock.time = NOON + RULES.sessionIdle;
  await check(secret);
  clock.time += RULES.sessionIdle + 1;
  await assert.rejects(() => check(secret), NOT_SIGNED_IN);
  clock.time = NOON + 3 * DAY_MS;
  await check(secret);
  rules.now = { ...RULES, sessionLife: 3 * DAY_MS };
  await assert.rejects(() => check(secret), NOT_SIGNED_IN);
});

test('no other secret is anybody’s, and what is none is not looked for', async (t) => {
  const { signIn, check } = await setUp(t);
  const secret = await signIn('ada');
  const wrong = `${secret.slice(0, -2)}${secret.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const each of [wrong, '', `${secret}=`, `${secret} `, secret.slice(1)])
    await assert.rejects(() => check(each), NOT_SIGNED_IN, each);
});

test('whose rights have changed gets another secret once, and the one before serves for what was under way', async (t) => {
  const { signIn, look, clock, keep } = await setUp(t);
  const secret = await signIn('ada');
  await keep({ renewSessions: { userId: 'ada' } });
  const [first, second] = [await look(secret), await look(secret)];
  assert.ok(first.renewed !== null && first.renewed !== secret);
  assert.equal(second.renewed, null, 'whoever comes with the one before gets none');
  assert.equal((await look(first.renewed)).renewed, null);
  clock.time += 30_000;
  await assert.rejects(() => look(secret), NOT_SIGNED_IN);
  assert.equal((await look(first.renewed)).signedIn.person.id, 'ada');
});

test('a request may be for another organization of the person, and for none of others', async (t) => {
  const { signIn, look, keepIn } = await setUp(t);
  const secret = await signIn('ada');
  await assert.rejects(() => look(secret, OTHER), { kind: 'forbidden' });
  await keepIn(OTHER, setting('member', 'ada', { email: 'ada@example.com', name: null, role: 'reader' }));
  assert.equal((await look(secret, OTHER)).signedIn.session.organizationId, OTHER);
  assert.equal((await look(secret)).signedIn.session.organizationId, ORGANIZATION);
});

test('a person ends and is shown their own sessions alone', async (t) => {
  const { parts, signIn, check, clock } = await setUp(t);
  const [first, second, others] = [await signIn('ada'), await signIn('ada'), await signIn('bob')];
  const [ada, bob] = [await check(second), await check(others)];
  assert.deepEqual((await listSessions(parts, ada)).map(({ userId }) => userId).sort(), ['ada', 'ada']);
  await assert.rejects(() => endSession(parts, ada, bob.session.id, visit), { kind: 'not_found' });
  await endSession(parts, ada, (await check(first)).session.id, visit);
  await assert.rejects(() => check(first), NOT_SIGNED_IN);
  await check(second);
  clock.time += RULES.sessionIdle + 1;
  assert.deepEqual(await listSessions(parts, ada), [], 'one that has ended is not shown');
});

test('who runs the gateway ends sessions of their own members alone', async (t) => {
  const { parts, admin, signIn, check } = await setUp(t);
  const [ada, bob] = [await signIn('ada'), await signIn('bob')];
  const of = { ...parts, admin };
  const elsewhere = { ...parts, admin: { ...admin, by: { ...admin.by, organizationId: OTHER } } };
  assert.deepEqual((await listMemberSessions(of)).map(({ person }) => person.id).sort(), ['ada', 'bob']);
  assert.deepEqual(await listMemberSessions(elsewhere), []);
  const { session } = await check(ada);
  await assert.rejects(() => endMemberSessions(elsewhere, { sessionId: session.id }), { kind: 'not_found' });
  await assert.rejects(() => endMemberSessions(elsewhere, { userId: 'ada' }), { kind: 'not_found' });
  await assert.rejects(() => endMemberSessions(of, { sessionId: 'sess_of_nobody' }), { kind: 'not_found' });
  assert.deepEqual(
    (await endMemberSessions(of, { userId: 'ada' })).map(({ person }) => person.id),
    ['ada'],
  );
  await assert.rejects(() => check(ada), NOT_SIGNED_IN);
  assert.deepEqual(await endMemberSessions(of, { userId: 'ada' }), [], 'a member who is signed in nowhere');
  assert.equal((await endMemberSessions(of, { sessionId: (await check(bob)).session.id })).length, 1);
  await assert.rejects(() => check(bob), NOT_SIGNED_IN);
});

test('a session looks at an organization of its person, and at no other', async (t) => {
  const { parts, signIn, check, keepIn } = await setUp(t);
  const secret = await signIn('ada');
  await assert.rejects(async () => chooseOrganization(parts, await check(secret), OTHER), { kind: 'not_found' });
  await keepIn(OTHER, setting('member', 'ada', { email: 'ada@example.com', name: null, role: 'reader' }));
  await chooseOrganization(parts, await check(secret), OTHER);
  assert.equal((await check(secret)).session.organizationId, OTHER);
});

test('a sign-in is recent for as long as the rule says', async (t) => {
  const { signIn, check, clock } = await setUp(t);
  const signedIn = await check(await signIn('ada'));
  demandRecentSignIn(signedIn, clock.time + RULES.recent, RULES);
  assert.throws(() => demandRecentSignIn(signedIn, clock.time + RULES.recent + 1, RULES), {
    kind: 'recent_sign_in_required',
  });
});

test('a link for whoever has it makes an owner once, and nobody who is there already without their sign-in', async (t) => {
  const { parts, admin, signIn, check, storage } = await setUp(t);
  const link = async () => (await createOwnerLink(admin, { email: null, lifeMs: 1_000 })).secret;
  const first = await link();
  const open = (secret: string, email: string, before: SignedIn | null = null) =>
    openLink(parts, secret, { email, password }, { visit, before });
  await assert.rejects(() => open(first, 'ada@example.com'), { kind: 'conflict' });
  const bob = await check(await signIn('bob'));
  await assert.rejects(() => open(first, 'ada@example.com', bob), { kind: 'conflict' });
  assert.equal((await lookAtLink(parts, first, { visit, before: null })).type, 'owner');
  const eve = await open(first, 'eve@example.com');
  assert.equal((await check(eve.secret)).person.email, 'eve@example.com');
  assert.equal((await storage.settings.find(ORGANIZATION, 'member', eve.person.id))?.value.role, 'owner');
  await assert.rejects(() => open(first, 'mallory@example.com'), { kind: 'not_found' });
  const own = await open(await link(), 'bob@example.com', bob);
  assert.equal((await storage.settings.find(ORGANIZATION, 'member', own.person.id))?.value.role, 'owner');
});

test('a link ends in time, and with the next; one for somebody ends all their sessions of before', async (t) => {
  const { parts, admin, signIn, check, clock } = await setUp(t);
  const make = (email: string | null) => createOwnerLink(admin, { email, lifeMs: 1_000 });
  const visitor = { visit, before: null };
  const open = (secret: string) => openLink(parts, secret, { email: 'new@example.com', password }, visitor);
  const [earlier, late] = [await make(null), await make(null)];
  await assert.rejects(() => open(earlier.secret), { kind: 'not_found' });
  clock.time += 1_000;
  await assert.rejects(() => open(late.secret), { kind: 'not_found' });
  const lost = await signIn('ada');
  const back = await openLink(parts, (await make('ada@example.com')).secret, { password }, visitor);
  await assert.rejects(() => check(lost), NOT_SIGNED_IN);
  assert.equal((await check(back.secret)).person.id, 'ada');
});

const visit: Visitor['visit'] = { requestId: 'req_1', address: '192.0.2.1', userAgent: null };

/** Two members who can sign in, and another organization without them. */
async function setUp(t: TestContext) {
  const { storage, admin, clock, keep } = await organizationOf(t);
  await storage.organizations.create({ id: OTHER, name: 'Second', createdAt: NOON });
  await keep(...member('ada').slice(0, 2), ...member('bob').slice(0, 2));
  const rules = { now: RULES };
  let random = 0;
  const parts: SignInParts = {
    admin: { ...admin, random: (size) => Buffer.alloc(size, ++random % 250) },
    people: storage.people,
    passwords: new Passwords(admin.pepper, admin.random),
    organizations: storage.organizations,
    onUntold: assert.ifError,
    attempts: attemptsHere(new Throttle(() => clock.time)),
    rules: () => rules.now,
    publicAddress: () => ({ origin: 'http://localhost:1', host: 'localhost' }),
  };
  const checker = sessionChecker(parts);
  const keepIn = async (organizationId: string, ...changes: SettingChange[]) =>
    assert.equal(await storage.settings.change(organizationId, changes, null), 'done');
  return {
    ...{ storage, admin: { ...admin, random: parts.admin.random }, clock, keep, keepIn, parts, rules },
    /** The secret of a new session. */
    async signIn(email: string): Promise<string> {
      const person = (await storage.people.personOf(`${email}@example.com`))!;
      return (await beginSession(parts, person, { way: 'password' }, { visit, before: null })).secret;
    },
    look: (secret: string, organizationId: string | null = null) => checker(secret, organizationId),
    check: async (secret: string) => (await checker(secret, null)).signedIn,
  };
}
