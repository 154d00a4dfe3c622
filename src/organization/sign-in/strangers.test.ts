import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { SignInRules } from '../../core/people.ts';
import { member, organizationOf } from '../fixtures.test.ts';
import type { SignInParts } from './parts.ts';
import { PASSWORD_WAY } from './password-way.ts';
import { Passwords } from './passwords.ts';
import { signIn } from './sign-in.ts';
import { attemptsHere, Throttle } from './throttle.ts';

const PASSWORD = 'a sentence that nobody guesses';
const RULES: SignInRules = {
  sessionIdle: 60_000,
  sessionLife: 60_000,
  recent: 60_000,
  ownerLinkLife: 60_000,
  attemptsPerEmail: 3,
  attemptsPerAddress: 100,
  attemptsWindow: 60_000,
};

test('a wrong password does the same work for somebody, whoever has none, and nobody, and its answer waits for no more', async (t) => {
  const { storage, admin, keep } = await organizationOf(t);
  await keep(...member('ada').slice(0, 2), ...member('bob').slice(0, 2));
  const passwords = new Passwords(admin.pepper, randomBytes);
  await keep({ setPassword: { userId: 'ada', hash: await passwords.hash(PASSWORD) } });
  const done: string[] = [];
  const noted =
    (name: string) =>
    <Result>(result: Result): Result => {
      done.push(name);
      return result;
    };
  let told = 0;
  const parts: SignInParts = {
    admin: {
      ...admin,
      settings: {
        ...storage.settings,
        // A store that never answers, so that awaiting the audit log would hang.
        change: () => {
          told += 1;
          return new Promise(() => undefined);
        },
      },
    },
    people: {
      ...storage.people,
      personOf: (email) => storage.people.personOf(email).then(noted('person')),
      isKnownNetwork: (...asked) => storage.people.isKnownNetwork(...asked).then(noted('network')),
    },
    passwords,
    organizations: storage.organizations,
    onUntold: assert.ifError,
    attempts: attemptsHere(new Throttle(() => 0)),
    rules: () => RULES,
    publicAddress: () => ({ origin: 'http://localhost:1', host: 'localhost' }),
  };
  t.mock.method(passwords, 'derive', async (...work: Parameters<Passwords['derive']>) => {
    done.push(JSON.stringify(work[2]));
    return Buffer.alloc(32);
  });
  const visitor = { visit: { requestId: 'req_1', address: '192.0.2.1', userAgent: null }, before: null };
  const workFor = async (email: string) => {
    done.length = 0;
    const proof = { email, password: 'wrong password' };
    await assert.rejects(() => signIn(parts, PASSWORD_WAY, proof, visitor), { kind: 'sign_in_failed' });
    return [...done];
  };
  const forAda = await workFor('ada@example.com');
  assert.deepEqual(forAda, ['network', 'person', '{"memory":19456,"passes":2,"parallelism":1}']);
  assert.deepEqual(await workFor('bob@example.com'), forAda);
  assert.deepEqual(await workFor('nobody@example.com'), forAda);
  while (told < 2) await new Promise((resolve) => setImmediate(resolve));
});
