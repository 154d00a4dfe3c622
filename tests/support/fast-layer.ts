import assert from 'node:assert/strict';
import { type Duplex, duplexPair } from 'node:stream';
import { mock } from 'node:test';
import { GatewayError } from '../../src/core/errors.ts';
import type { Caller, DisconnectReason, KeyChecker } from '../../src/core/ports.ts';
import { TimerWheel } from '../../src/deadlines/timer-wheel.ts';
import { OPENAI_STYLE } from '../../src/http/answer-headers.ts';
import { SocketAnswer } from '../../src/http/fast/socket-answer.ts';
import type { IncomingCall } from '../../src/http/incoming-call.ts';
import { HttpLayers } from '../../src/http/layers.ts';
import { ReceivedBodies } from '../../src/http/received-bodies.ts';
import { createServer } from '../../src/http/server.ts';
import { CLOSED_SITE } from './site.ts';

const PATH = '/v1/chat/completions';
export const REQUEST_MS = 1000;
export const READ_MS = 20_000;
export const MAX_UNREAD = 8 * 1024 ** 2;
export const MAX_RECEIVING = 256 * 1024;
export const MAX_IDLE = 5;

const CALLER = { key: { id: 'key_1' }, organization: { id: 'org_1' } } as Caller;
/** A plain request with this body. The key `warm` is in the cache, `cold` must be looked up, others do not exist. */
export const requestOf = (body: string, key = 'warm') =>
  `POST ${PATH} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

const LIMITS = {
  maxBody: 1024 * 1024,
  maxHeader: 4096,
  requestTimeout: REQUEST_MS,
  idle: READ_MS,
  total: 10 * READ_MS,
  maxUnread: MAX_UNREAD,
  maxReceiving: MAX_RECEIVING,
  personRequestsPerMinute: 1_000,
  maxIdleConnections: MAX_IDLE,
};

type State = ReturnType<typeof freshState>;

function freshState() {
  return {
    now: 0,
    stopping: false,
    taken: [] as string[],
    hot: 0,
    admit: () => {},
    letGo: [] as DisconnectReason[],
    /** The number of repeated checks of a caller; whether they ask storage, and whether all are refused. */
    again: 0,
    changed: false,
    revoked: false,
  };
}

function keysOf(state: State): KeyChecker {
  const check = (secret: string): Caller | Promise<Caller> => {
    if (state.revoked) throw new GatewayError('revoked_api_key', 'No.');
    if (secret === 'warm') return CALLER;
    if (secret !== 'cold') throw new GatewayError('invalid_api_key', 'No.');
    return new Promise((resolve) => {
      state.admit = () => resolve(CALLER);
    });
  };
  return {
    check,
    again() {
      state.again += 1;
      return check(state.changed ? 'cold' : 'warm');
    },
    version: 0,
  };
}

/** A server of the fast layer with connections in memory, and one route that the test handles. */
export async function startServer(handle: (call: IncomingCall) => void = ({ answer }) => answer.whole(200, '{}')) {
  const state = freshState();
  const receivedBodies = new ReceivedBodies(() => MAX_RECEIVING);
  const options = {
    front: {
      headerPrefix: 'service',
      keys: keysOf(state),
      limiter: {
        reserve: () => assert.fail(),
        state: () => ({
          limitRequests: 0,
          limitTokens: 0,
          remainingRequests: 0,
          remainingTokens: 0,
          resetRequestsMs: 0,
          resetTokensMs: 0,
        }),
      },
      clock: { now: () => 0, monotonic: () => state.now },
      ids: {
        requestId: () => 'req_1',
        recordId: () => '',
        token: () => '',
        keyId: () => '',
        organizationId: () => '',
      },
    },
    site: CLOSED_SITE,
    limits: () => LIMITS,
    receivedBodies,
    stopping: () => state.stopping,
    answerPage: () => false,
    onFault: (error: unknown) => assert.fail(String(error)),
    onUsed: () => undefined,
    onRefused: () => undefined,
    onDisconnected: (why: DisconnectReason) => state.letGo.push(why),
  };
  const app = createServer(options);
  const layers = new HttpLayers(app, options, new TimerWheel(options.front.clock.monotonic), 'fast');
  layers.post({
    path: PATH,
    style: OPENAI_STYLE,
    handle(call) {
      state.taken.push(call.body.toString());
      if (call.answer instanceof SocketAnswer) state.hot += 1;
      handle(call);
    },
  });
  await app.ready();
  return {
    state,
    layers,
    connect() {
      const [client, server] = duplexPair();
      app.server.emit('connection', server);
      return new Client(client, server);
    },
    /** Advances the clock and the timers. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 100) {
        state.now += Math.min(100, left);
        mock.timers.tick(Math.min(100, left));
      }
      await turns();
    },
  };
}

/** The caller's end of a connection, and what it received. */
export class Client {
  readonly socket: Duplex;
  readonly server: Duplex;
  answers = '';
  closed = false;

  constructor(socket: Duplex, server: Duplex) {
    this.socket = socket;
    this.server = server;
    socket.on('data', (bytes: Buffer) => {
      this.answers += bytes.toString();
    });
    socket.on('error', () => undefined);
    server.on('close', () => {
      this.closed = true;
    });
  }

  /** Resolves when all consequences have happened, which take place in this process. */
  async send(text: string | Buffer): Promise<void> {
    this.socket.write(text);
    await turns();
  }

  get statuses(): number[] {
    return [...this.answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
  }
}

const setImmediateNow = setImmediate;

/** Resolves when nothing is pending in this process. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediateNow(resolve));
}
