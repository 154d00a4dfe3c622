import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Secret } from '../core/secret.ts';
import { CERT } from '../testing/certificates.ts';
import { closedPort, listen } from '../testing/listen.ts';
import { type MailServerOptions, startMailServer, type TestMailServer } from '../testing/mail-server.ts';
import { sendBySmtp } from './mail.ts';

let server: TestMailServer;

before(async () => {
  server = await startMailServer();
});
after(() => server.close());

const from = 'Headgate <gate@example.com>';
const mail = {
  to: ['a@example.com', 'b@example.com'],
  subject: 'Spent: $5 – “all”',
  text: 'One line.\n.\nÜber alles.',
};
const at = (url: string) => ({ url: new Secret(url), from });

test('a message is handed over whole, to all of its recipients', async () => {
  await sendBySmtp(at(server.url), mail);
  const [received] = server.mails.splice(0);
  assert.deepEqual([received?.from, received?.to], ['gate@example.com', mail.to]);
  assert.equal(received?.headers.from, from);
  assert.equal(received?.headers.subject, mail.subject);
  assert.equal(received?.text.trim(), mail.text);
});

test('nothing of a subject becomes a header of its own', async () => {
  await sendBySmtp(at(server.url), { ...mail, subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nBody' });
  const [received] = server.mails.splice(0);
  assert.deepEqual(received?.to, mail.to);
  assert.equal(received?.headers.bcc, undefined);
});

test('what a server refuses, and one that is not there, are told without the password', async () => {
  server.refuseWith('550 no');
  await assert.rejects(sendBySmtp(at(server.url), mail), /550 no/);
  server.refuseWith(null);
  const gone = `smtp://user:hunter2hunter2@127.0.0.1:${await closedPort()}`;
  await assert.rejects(sendBySmtp(at(gone), mail), (error: Error) => {
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /hunter2/);
    return true;
  });
});

test('a server that says nothing is given up', async (t) => {
  const silent = createServer((socket) => void t.after(() => socket.destroy()));
  const port = await listen(silent, 0);
  t.after(() => silent.close());
  await assert.rejects(sendBySmtp(at(`smtp://127.0.0.1:${port}`), mail), /said nothing for 5 seconds/);
});

const ACCOUNT = { name: 'gate', password: 'hunter2hunter2' };

describe('with a name and a password', () => {
  const trusted = getCACertificates('default');
  const at = (port: number, { scheme = 'smtp', password = ACCOUNT.password } = {}) => ({
    url: new Secret(`${scheme}://${ACCOUNT.name}:${password}@localhost:${port}`),
    from,
  });
  beforeEach(() => setDefaultCACertificates([...trusted, CERT]));
  afterEach(() => setDefaultCACertificates(trusted));

  for (const [tls, scheme] of [
    ['asked', 'smtp'],
    ['first', 'smtps'],
  ] as const) {
    test(`a message goes out under TLS that is ${tls}`, async () => {
      await using mails = await open({ tls, account: ACCOUNT });
      await sendBySmtp(at(mails.port, { scheme }), mail);
      const [received] = mails.mails;
      assert.deepEqual([received?.to, received?.isEncrypted, received?.account], [mail.to, true, ACCOUNT.name]);
      assert.equal(received?.text.trim(), mail.text);
    });

    test(`a certificate that nobody vouches for is refused where TLS is ${tls}, and nothing is sent`, async () => {
      setDefaultCACertificates(trusted);
      await using mails = await open({ tls, account: ACCOUNT });
      await assert.rejects(sendBySmtp(at(mails.port, { scheme }), mail), /self-signed certificate/);
      assert.equal(mails.mails.length, 0);
    });

    test(`who is not let in where TLS is ${tls} is told so, without the password`, async () => {
      await using mails = await open({ tls, account: ACCOUNT });
      const wrong = sendBySmtp(at(mails.port, { scheme, password: 'wrongwrongwrong' }), mail);
      await assert.rejects(wrong, (error: Error) => {
        assert.match(error.message, /535/);
        assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /wrongwrong|d3Jvbmd3cm9uZ/);
        return true;
      });
      assert.equal(mails.mails.length, 0);
    });
  }

  test('a server that falls silent is given up, wherever in the talk it does', async () => {
    const steps = ['connect', 'secure', 'auth', 'from', 'to', 'data'] as const;
    await Promise.all(
      steps.map(async (silentAt) => {
        await using mails = await open({ tls: 'asked', account: ACCOUNT, silentAt });
        await assert.rejects(sendBySmtp(at(mails.port), mail), /said nothing for 5 seconds/, silentAt);
        assert.equal(mails.mails.length, 0);
      }),
    );
  });
});

async function open(options: MailServerOptions) {
  const opened = await startMailServer(options);
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
}

test('a password is told to no other machine without TLS', async () => {
  const elsewhere = server.url.replace('127.0.0.1', 'user:hunter2hunter2@[::ffff:127.0.0.1]');
  await assert.rejects(sendBySmtp(at(elsewhere), mail), /TLS/);
});
