import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Idle time before TCP keep-alive probes, in ms. */
const PROBE_AFTER_MS = 60_000;
const HTTP1_ONLY = ['http/1.1'];

/** The buffer that plain sockets read into; its content is only valid during the callback. */
export type Incoming = { buffer: Uint8Array; callback(length: number): boolean };

/** Opens sockets to one origin. Certificates are checked with Node.js's defaults; TLS sessions are resumed. */
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
   * /!\ Hot path: a plain socket reads into an existing buffer; measured, this costs a fifth less than Node's buffer
   * for each 'data' event.
   */
  plain(onread: Incoming): Socket {
    return connect({ ...this.#place(), onread });
  }

  tls(): Socket {
    const socket = connectTls({
      ...this.#place(),
      // An IP address must not be sent as server name; the certificate is then checked against the address.
      servername: isIP(this.#host) === 0 ? this.#host : '',
      ALPNProtocols: HTTP1_ONLY,
      ...(this.#session === undefined ? {} : { session: this.#session }),
    });
    // A resumed session skips the host check, so a session is only kept if its certificate was accepted.
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
