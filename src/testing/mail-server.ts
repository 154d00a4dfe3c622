import { text as textOf } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { CERT, KEY } from './certificates.ts';
import { listen } from './listen.ts';
import { createWaiters } from './wait.ts';

/** A received message. Header names are in lower case; `account` is the name that signed in. */
export type ReceivedMail = {
  from: string;
  to: string[];
  headers: Record<string, string>;
  text: string;
  isEncrypted: boolean;
  account: string | null;
};

/** By default, the server accepts everything from everybody, without TLS. */
export type MailServerOptions = {
  /** `first`: TLS from the beginning; `asked`: offered with STARTTLS. The certificate is for `localhost`. */
  tls?: 'first' | 'asked';
  /** The only account. With TLS, sign-in requires an encrypted connection. */
  account?: { name: string; password: string };
  /** The step that gets no answer. */
  silentAt?: 'connect' | 'secure' | 'auth' | 'from' | 'to' | 'data';
};

/** A mail server on this machine. */
export type TestMailServer = {
  /** `smtp://127.0.0.1:PORT`. */
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** Sets the answer to every sender, such as `550 no`; `null` accepts everything. */
  refuseWith(answer: string | null): void;
  /** Resolves when this many messages have been received since the start. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const waiters = createWaiters();
  let refusal: string | null = null;
  const server = new SMTPServer({
    ...transportOf(options),
    ...stepsOf(options, () => refusal),
    async onData(stream, session, done) {
      const message = await textOf(stream);
      if (options.silentAt === 'data') return;
      mails.push({ ...envelopeOf(session), ...partsOf(message.split('\r\n')) });
      waiters.changed();
      done();
    },
  });
  // Clients that do not trust the certificate close the connection, which is not a fault of the server.
  server.on('error', () => undefined);
  const port = await listen(server.server, 0);
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    refuseWith(answer) {
      refusal = answer;
    },
    received: (count) =>
      waiters.until(
        () => mails.length >= count,
        () => `${count} mails; there are ${mails.length}`,
      ),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function transportOf({ tls, account }: MailServerOptions): SMTPServerOptions {
  return {
    secure: tls === 'first',
    ...(tls !== 'asked' && { disabledCommands: ['STARTTLS'] }),
    key: KEY,
    cert: CERT,
    disableReverseLookup: true,
    authOptional: account === undefined,
    allowInsecureAuth: tls === undefined,
    // Open connections are cut at once.
    closeTimeout: 1,
  };
}

/** The steps before the message. A step whose callback is never called gets no answer. */
function stepsOf({ account, silentAt }: MailServerOptions, refusal: () => string | null): SMTPServerOptions {
  const answers = (step: MailServerOptions['silentAt'], done: () => void) => {
    if (silentAt !== step) done();
  };
  return {
    onConnect: (_session, done) => answers('connect', done),
    onSecure: (_socket, _session, done) => answers('secure', done),
    onAuth: ({ username = '', password }, _session, done) =>
      answers('auth', () => {
        const isRight = account?.name === username && account.password === password;
        if (isRight) done(null, { user: username });
        else done(smtpError('535 wrong name or password'));
      }),
    onMailFrom: (_address, _session, done) =>
      answers('from', () => {
        const refused = refusal();
        done(refused === null ? null : smtpError(refused));
      }),
    onRcptTo: (_address, _session, done) => answers('to', done),
  };
}

/** An error that the server answers with this code and text. */
function smtpError(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}

function envelopeOf({ envelope, secure, user }: SMTPServerSession) {
  return {
    from: envelope.mailFrom === false ? '' : (envelope.mailFrom?.address ?? ''),
    to: envelope.rcptTo.map(({ address }) => address),
    isEncrypted: secure,
    account: typeof user === 'string' ? user : null,
  };
}

/** The decoded headers, with folded lines joined, and the decoded text. */
function partsOf(lines: readonly string[]): Pick<ReceivedMail, 'headers' | 'text'> {
  const [head = '', ...body] = lines.join('\n').split('\n\n');
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':');
    headers[line.slice(0, at).toLowerCase()] = decoded(line.slice(at + 1).trim());
  }
  const text = body.join('\n\n');
  const isQuoted = headers['content-transfer-encoding'] === 'quoted-printable';
  return { headers, text: isQuoted ? unquoted(text) : text };
}

/** The encoded words of a header (RFC 2047). */
function decoded(header: string): string {
  return header
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, form: string, text: string) =>
      form.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : unquoted(text.replaceAll('_', ' ')),
    );
}

function unquoted(text: string): string {
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
