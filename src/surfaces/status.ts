import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../core/errors.ts';
import type { GatewayStatus, TargetStatus } from '../core/target-status.ts';
import type { Front } from '../http/exchange.ts';
import { sendJson } from '../http/server.ts';
import { secondsOf } from './explained.ts';

export type StatusParts = {
  app: FastifyInstance;
  front: Front;
  /** Of this software. */
  version: string;
  /** Of all processes that serve. */
  status(): Promise<GatewayStatus>;
};

/** `GET /v1/status`: how every target does, for those who run the gateway. */
export function serveStatus({ app, front, version, status }: StatusParts): void {
  app.get('/v1/status', async (request, reply) => {
    if (!request.exchange.caller!.key.admin) {
      throw new GatewayError(
        'forbidden',
        'The status is for administrators’ keys: `headgate keys create --admin` makes one.',
      );
    }
    sendJson(front, request, reply, 200, statusJson(await status(), version));
    return reply;
  });
}

/** The status as administrators read it. Times are Unix seconds; rates and percentiles are `null` where nothing is known. */
export function statusJson(status: GatewayStatus, version: string): Record<string, unknown> {
  const { targets, uptimeMs, openCalls, workers, silentWorkers } = status;
  return {
    object: 'status',
    process: {
      version,
      uptime_seconds: Math.floor(uptimeMs / 1000),
      open_calls: openCalls,
      workers,
      silent_workers: silentWorkers,
    },
    targets: targets.map(targetJson),
  };
}

function targetJson(target: TargetStatus): Record<string, unknown> {
  const { lastError } = target;
  return {
    provider: target.provider,
    model: target.upstreamModel,
    credential: target.credential,
    circuit: target.circuit,
    open_until: secondsOf(target.openUntil),
    credential_out_until: secondsOf(target.credentialOutUntil),
    p50_ms: target.p50Ms,
    p95_ms: target.p95Ms,
    whole_p50_ms: target.wholeP50Ms,
    whole_p95_ms: target.wholeP95Ms,
    error_rate: target.errorRate,
    recent_calls: target.recentCalls,
    in_flight: target.inFlight,
    last_error: lastError && {
      kind: lastError.kind,
      status: lastError.status,
      message: lastError.message,
      at: Math.floor(lastError.at / 1000),
    },
  };
}
