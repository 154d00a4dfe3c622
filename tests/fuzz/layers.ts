import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { duplexPair } from 'node:stream';
import { openAiErrorBody } from '../../src/core/error-body.ts';
import { GatewayError } from '../../src/core/errors.ts';
import type { Caller } from '../../src/core/ports.ts';
import { TimerWheel } from '../../src/deadlines/timer-wheel.ts';
import type { Front } from '../../src/http/answer-headers.ts';
import { SocketAnswer } from '../../src/http/fast/socket-answer.ts';
import { HttpLayers, type Layer } from '../../src/http/layers.ts';
import { ReceivedBodies } from '../../src/http/received-bodies.ts';
import { createServer, type ServerOptions } from '../../src/http/server.ts';
import { CLOSED_SITE } from '../support/site.ts';

/** A request as a route got it, and whether our own layer read it. */
export type Taken = { path: string; key: string | null; id: string | null; beta: string | undefined; body: string };

/** What became of the bytes of one connection. */
export type Told = { taken: Taken[]; hot: number; answers: string };

export type LayerUnderTest = { send(pieces: readonly Buffer[]): Promise<Told> };

export const MAX_HEADER = 2048;
export const MAX_BODY = 4096;
/** The key that is known at once, and the one that storage is asked for. */
export const WARM = 'warm';
export const COLD = 'cold';
export const PATHS = ['/v1/chat/completions', '/v1/messages'] as const;

/**
 * With no event in so many turns of the loop, nothing is on its way any more: all of it is in this process. Only a packed body is
 * elsewhere, in a thread that unpacks it; until it comes back, its bytes are held.
 */
const STILL_TURNS = 12;

const FRONT: Front = {
  headerPrefix: 'service',
  keys: { check, again: ({ key }) => check(key.id), version: 0 },
  limiter: {
    reserve: () => ({ at: 0, settle: () => undefined, cancel: () => undefined }),
    state: () => ({
      limitRequests: 1,
      limitTokens: 2,
      remainingRequests: 3,
      remainingTokens: 4,
      resetRequestsMs: 5,
      resetTokensMs: 6,
    }),
  },
  clock: { now: () => 0, monotonic: () => 0 },
  ids: {
    requestId: () => 'req_1',
    token: () => '',
    recordId: () => '',
    keyId: () => '',
    organizationId: () => '',
  },
};

const OPTIONS: ServerOptions = {
  front: FRONT,
  site: CLOSED_SITE,
  limits: () => ({
    maxBody: MAX_BODY,
    maxHeader: MAX_HEADER,
    requestTimeout: 60_000,
    idle: 60_000,
    total: 60_000,
    maxUnread: 1024 ** 3,
    maxReceiving: 1024 ** 3,
    personRequestsPerMinute: 1_000,
    maxIdleConnections: 1000,
  }),
  receivedBodies: new ReceivedBodies(() => 1024 ** 3),
  stopping: () => false,
  answerPage: () => false,
  onFault: (error) => {
    throw error;
  },
  onUsed: () => undefined,
  onRefused: () => undefined,
  onDisconnected: (why) => {
    throw new Error(why);
  },
};

/** A server whose connections are in memory and whose routes tell what they were given. */
export async function startLayer(layer: Layer): Promise<LayerUnderTest> {
  let told: Told = { taken: [], hot: 0, answers: '' };
  const app = createServer(OPTIONS);
  const layers = new HttpLayers(app, OPTIONS, new TimerWheel(FRONT.clock.monotonic), layer);
  for (const path of PATHS) {
    layers.post({
      path,
      style: { writeError: openAiErrorBody },
      handle(call) {
        const { context, caller, body, answer } = call;
        told.taken.push({
          path,
          key: caller.key.id,
          id: context.clientRequestId,
          beta: call.header('anthropic-beta'),
          body: body.toString('latin1'),
        });
        if (answer instanceof SocketAnswer) told.hot += 1;
        if (!body.includes('stream')) return answer.whole(200, '{"answer":1}');
        answer.begin();
        answer.write('data: é\n\n');
        answer.write(Buffer.from('data: two\n\n'));
        answer.end('data: [DONE]\n\n');
      },
    });
  }
  await app.ready();

  return {
    async send(pieces) {
      told = { taken: [], hot: 0, answers: '' };
      const mine = told;
      const [client, server] = duplexPair();
      let events = 0;
      client.on('data', (bytes: Buffer) => {
        events += 1;
        mine.answers += bytes.toString('latin1');
      });
      client.on('error', () => undefined);
      app.server.emit('connection', server);
      for (const piece of pieces) {
        if (!client.write(piece)) await Promise.race([once(client, 'drain'), once(client, 'close')]);
        await still(() => events);
      }
      client.end();
      await still(() => events);
      hangUp(client, server);
      return mine;
    },
  };
}

function hangUp(...ends: Duplex[]): void {
  for (const end of ends) end.destroy();
}

/** The bodies that threads are unpacking, and how many they have unpacked. */
const unpacking = new Set<number>();
let unpacked = 0;
createHook({
  init: (id, type) => void (type === 'ZLIB' && unpacking.add(id)),
  destroy(id) {
    if (unpacking.delete(id)) unpacked += 1;
  },
}).enable();

/** Resolves once nothing has happened for a while, and no body is being unpacked. */
async function still(events: () => number): Promise<void> {
  const happened = () => events() + unpacked;
  let seen = happened();
  for (let turns = 0; turns < STILL_TURNS || unpacking.size > 0; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (happened() === seen) continue;
    seen = happened();
    turns = 0;
  }
}

function check(secret: string): Caller | Promise<Caller> {
  const caller = { key: { id: secret }, organization: { id: 'org_1' } } as Caller;
  if (secret === WARM) return caller;
  if (secret === COLD) return Promise.resolve(caller);
  throw new GatewayError('invalid_api_key', 'The API key is malformed or unknown.');
}
