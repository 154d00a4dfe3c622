import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import type { StorageReason } from '../core/ports.ts';
import type { Secret } from '../core/secret.ts';
import type { Front } from '../http/exchange.ts';
import type { Metrics } from '../http/metrics.ts';
import { sameSecret } from '../http/same-secret.ts';
import { sendJson, sendText } from '../http/server.ts';

/** Why calls should go elsewhere, as a sentence; `storage` where the store is the reason. */
export type Unready = { reason: string; storage?: StorageReason };

export type HealthParts = {
  /** `null` while calls may be sent here. Whoever asks needs no key, so it must cost next to nothing. */
  ready(): Promise<Unready | null>;
  metrics: Metrics;
  /** Opens `/metrics` to callers from other machines. */
  metricsToken: Secret | null;
};

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** `GET /healthz`, `/readyz` and `/metrics`: for those who run the gateway. */
export function serveHealth(app: FastifyInstance, front: Front, parts: HealthParts): void {
  app.get('/healthz', (request, reply) => sendJson(front, request, reply, 200, { status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    const unready = await parts.ready();
    const body = unready === null ? { status: 'ready' } : { status: 'unavailable', ...unready };
    sendJson(front, request, reply, unready === null ? 200 : 503, body);
    return reply;
  });

  app.get('/metrics', async (request, reply) => {
    const bearer = request.headers.authorization?.replace(/^Bearer /i, '') ?? '';
    const open = LOOPBACK.test(request.raw.socket.remoteAddress ?? '');
    if (!open && !(parts.metricsToken !== null && sameSecret(bearer, parts.metricsToken.reveal()))) {
      throw new GatewayError(
        'forbidden',
        '/metrics is open on this machine, and to holders of `server.metrics_token`.',
      );
    }
    const { type, body } = await parts.metrics.text();
    sendText(front, request, reply, 200, type, body);
    return reply;
  });
}
