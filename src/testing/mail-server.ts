import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { CERT, KEY } from './certificates.ts';
import { listen } from './listen.ts';
import { createWaiters } from './wait.ts';

/**
 * A message as it came in: whom the envelope names, the headers by name in lower case, the text, whether TLS hid it, and who had
 * signed in.
 */
export type ReceivedMail = {
  from: string;
  to: string[];
  headers: Record<string, string>;
  text: string;
  isHidden: boolean;
  account: string | null;
};

/** What a mail server asks for. Left out, it takes everything from everybody, without TLS. */
export type MailServerOptions = {
  /** `first`: nothing is said before TLS; `asked`: it is offered (STARTTLS). Its certificate is for `localhost`. */
  tls?: 'first' | 'asked';
  /** Who has to sign in, and is asked to only once TLS hides the password, where there is TLS. */
  account?: { name: string; password: string };
  /** The command, `DATA` for one, from which on it says nothing more. */
  silentFrom?: string;
};

/** A mail server on this machine. */
export type TestMailServer = {
  /** `smtp://127.0.0.1:PORT`. */
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** What it answers to all that comes, in place of taking it; `null`: it takes everything. */
  refuseWith(answer: string | null): void;
  /** Resolves once so many have come in all. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const waiters = createWaiters();
  let refusal: string | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    const talk = new Conversation(options, {
      refusal: () => refusal,
      take(mail) {
        mails.push(mail);
        waiters.changed();
      },
    });
    talk.begin(options.tls === 'first' ? hidden(socket) : socket);
  });
  const port = await listen(server, 0);
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
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Taking = { refusal(): string | null; take(mail: ReceivedMail): void };

/** The same connection under TLS; a caller who does not trust the certificate ends it. */
function hidden(socket: Socket): Socket {
  return new TLSSocket(socket, { isServer: true, cert: CERT, key: KEY }).on('error', () => undefined);
}

/** Speaks as RFC 5321 has it, with one answer to each line, but for those of a message, which ends with a dot. */
class Conversation {
  readonly #options: MailServerOptions;
  readonly #taking: Taking;
  #socket!: Socket;
  #envelope: { from: string; to: string[] } = { from: '', to: [] };
  #message: string[] | null = null;
  #account: string | null = null;
  #rest = '';
  #isSilent = false;

  constructor(options: MailServerOptions, taking: Taking) {
    this.#options = options;
    this.#taking = taking;
  }

  begin(socket: Socket): void {
    this.#listen(socket);
    this.#say('220 mail.test');
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (this.#rest + piece).split('\r\n');
      this.#rest = lines.pop()!;
      for (const line of lines) this.#hear(line);
    });
  }

  get #isHidden(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  #say(...lines: string[]): void {
    if (!this.#isSilent) this.#socket.write(lines.map((line) => `${line}\r\n`).join(''));
  }

  #hear(line: string): void {
    if (this.#message !== null) return this.#read(line, this.#message);
    const { silentFrom, tls } = this.#options;
    if (silentFrom !== undefined && line.startsWith(silentFrom)) this.#isSilent = true;
    if (/^(EHLO|HELO)/.test(line)) return this.#greet();
    if (line === 'QUIT') return void this.#socket.end('221 bye\r\n');
    if (line === 'STARTTLS' && tls === 'asked') return this.#hide();
    if (line.startsWith('AUTH PLAIN ')) return this.#signIn(line.slice('AUTH PLAIN '.length));
    const refused = this.#taking.refusal();
    if (refused !== null) return this.#say(refused);
    if (this.#options.account !== undefined && this.#account === null) return this.#say('530 sign in first');
    this.#take(line);
  }

  #greet(): void {
    const { tls, account } = this.#options;
    const isOpen = tls === undefined || this.#isHidden;
    const offers = [
      ...(tls === 'asked' && !this.#isHidden ? ['STARTTLS'] : []),
      ...(account !== undefined && isOpen ? ['AUTH PLAIN'] : []),
    ];
    const said = ['mail.test', ...offers];
    this.#say(...said.map((word, index) => `250${index === said.length - 1 ? ' ' : '-'}${word}`));
  }

  #hide(): void {
    this.#say('220 go on');
    if (this.#isSilent) return;
    this.#socket.removeAllListeners('data');
    this.#listen(hidden(this.#socket));
  }

  #signIn(told: string): void {
    const [, name = '', password = ''] = Buffer.from(told, 'base64').toString().split('\0');
    const { account } = this.#options;
    const isRight = account?.name === name && account.password === password;
    if (isRight) this.#account = name;
    this.#say(isRight ? '235 welcome' : '535 who is that');
  }

  #take(line: string): void {
    const address = /<(.*)>/.exec(line)?.[1] ?? '';
    if (line === 'DATA') {
      this.#message = [];
      return this.#say('354 go on');
    }
    if (line.startsWith('MAIL FROM:')) this.#envelope = { from: address, to: [] };
    else if (line.startsWith('RCPT TO:')) this.#envelope.to.push(address);
    else return this.#say('502 not known');
    this.#say('250 ok');
  }

  #read(line: string, message: string[]): void {
    if (line !== '.') return void message.push(line.replace(/^\./, ''));
    this.#message = null;
    if (this.#isSilent) return;
    const sent = { isHidden: this.#isHidden, account: this.#account };
    this.#taking.take({ ...this.#envelope, ...partsOf(message), ...sent });
    this.#say('250 taken');
  }
}

/** Headers that go on in the next line are joined; what is encoded of them and of the text is shown. */
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
