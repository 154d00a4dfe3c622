import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { GatewayError } from '../core/errors.ts';
import type { Upstream, UpstreamHeaders, UpstreamHold, UpstreamListener, UpstreamRequest } from '../core/ports.ts';
import type { Model, Provider } from '../core/provider.ts';
import { listen } from './listen.ts';
import { createWaiters } from './wait.ts';

/** A vendor that sends exactly the given bytes, on sockets that a test can inspect. */
export type RawVendor = AsyncDisposable & {
  readonly port: number;
  /** All connections, oldest first. */
  readonly sockets: readonly Socket[];
  /** All received bytes, as latin1. */
  received(): string;
  /** Resolves when a condition on the vendor is true. It is checked after each received piece, connection and close. */
  until(condition: () => boolean): Promise<void>;
  /** The number of open connections. */
  open(): number;
};

/** Called with each piece received on a connection. */
export type Answering = (socket: Socket, piece: string, serial: number) => void;

/** Starts a vendor; with a certificate, over TLS. `serial` counts connections from 1. */
export async function startRawVendor(answer: Answering, tls: TlsOptions | null = null): Promise<RawVendor> {
  const sockets: Socket[] = [];
  const waiters = createWaiters();
  let received = '';
  let open = 0;
  const take = (socket: Socket) => {
    const serial = sockets.push(socket);
    open += 1;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      answer(socket, bytes.toString('latin1'), serial);
      waiters.changed();
    });
    socket.on('close', () => {
      open -= 1;
      waiters.changed();
    });
    waiters.changed();
  };
  const server: Server = tls === null ? createServer(take) : createTlsServer(tls, take);
  const port = await listen(server, 0);
  return {
    port,
    sockets,
    received: () => received,
    until: (condition) => waiters.until(condition, () => `the vendor, which has received ${JSON.stringify(received)}`),
    open: () => open,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The events of a listener. `ended` resolves at the end or the failure. */
export type Heard = {
  events: string[];
  status: number;
  headers: UpstreamHeaders;
  body: string;
  error: GatewayError | null;
  readonly hold: UpstreamHold;
  readonly ended: Promise<Heard>;
};

/** Sends a request to a vendor at this address, and records the events. */
export function ask(
  upstream: Upstream,
  baseUrl: string,
  request: Partial<UpstreamRequest> = {},
  also: Partial<UpstreamListener> = {},
): Heard {
  const { promise, resolve } = Promise.withResolvers<Heard>();
  const heard = { events: [] as string[], status: 0, headers: {}, body: '', error: null, ended: promise } as Omit<
    Heard,
    'hold'
  > as Heard & { hold: UpstreamHold };
  const hold = upstream.send(
    { target: targetAt(baseUrl), method: 'POST', path: '/chat', headers: [], body: Buffer.from('{}'), ...request },
    {
      onStart(status, headers) {
        heard.events.push('start');
        Object.assign(heard, { status, headers });
        also.onStart?.(status, headers);
      },
      onData(chunk) {
        if (heard.events.at(-1) !== 'data') heard.events.push('data');
        heard.body += chunk.toString('latin1');
        also.onData?.(chunk);
      },
      ...(also.onText !== undefined && {
        onText(text) {
          heard.events.push('text');
          heard.body += text;
          also.onText?.(text);
        },
      }),
      onEnd() {
        heard.events.push('end');
        also.onEnd?.();
        resolve(heard);
      },
      onFailure(error) {
        heard.events.push('failure');
        heard.error = error;
        also.onFailure?.(error);
        resolve(heard);
      },
    },
  );
  return Object.assign(heard, { hold });
}

/** An upstream needs only the address of a target. */
export function targetAt(baseUrl: string): UpstreamRequest['target'] {
  const provider = { id: 'lab', label: 'Lab', baseUrl, transport: 'http' } as Provider;
  return { provider, model: {} as Model, dialect: 'openai-chat', path: '/chat' };
}
