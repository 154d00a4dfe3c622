import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { operation, type ServerApi } from '../api/operation.ts';
import { text } from '../api/schema.ts';
import { GatewayError } from '../core/errors.ts';
import { callerIpAddress } from '../core/ip-address.ts';
import { STORAGE_REASONS, type StorageReason } from '../core/ports.ts';
import type { Secret } from '../core/secret.ts';
import { isLoopbackHost } from '../core/special-networks.ts';
import { sendJson, sendText } from '../http/send.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Why calls should go elsewhere, as a sentence; `storage` if the store is the reason. */
export type Unready = { reason: string; storage?: StorageReason };

export type HealthParts = {
  /** `null` while calls may be sent here. It must be very cheap, because no key is needed. */
  ready(): Promise<Unready | null>;
  metrics: Metrics;
  /** Opens `/metrics` to callers from other machines. */
  metricsToken: Secret | null;
};

const GET_HEALTH = operation('getHealth', 'GET /healthz', {
  tag: 'Operation',
  summary: 'Check whether the process answers.',
  access: 'anyone',
  answer: { description: 'It answers.', schema: z.object({ status: z.literal('ok') }) },
});

const GET_READINESS = operation('getReadiness', 'GET /readyz', {
  tag: 'Operation',
  summary: 'Check whether calls may be sent here.',
  access: 'anyone',
  answer: { description: 'They may.', schema: z.object({ status: z.literal('ready') }) },
  otherAnswers: {
    503: {
      description: 'Calls should go elsewhere.',
      schema: z.object({
        status: z.literal('unavailable'),
        reason: text,
        storage: z.enum(STORAGE_REASONS).optional(),
      }),
    },
  },
});

const GET_METRICS = operation('getMetrics', 'GET /metrics', {
  tag: 'Operation',
  summary: 'Counters and timings for Prometheus.',
  description:
    'Open on the gateway’s own machine, at a loopback address and without a proxy; otherwise with `server.metrics_token` as bearer token.',
  access: 'metrics',
  answer: { description: 'Prometheus’ text format.', schema: text, mediaType: 'text/plain' },
  errors: ['forbidden'],
});

export const HEALTH = [GET_HEALTH, GET_READINESS, GET_METRICS];

/** Headers that proxies add to requests. */
const OF_PROXIES = new RegExp(
  `^(?:${[
    ...['forwarded', 'via', 'cdn-loop', 'x-forwarded(?:-.+)?', 'x-(?:original|envoy|arr|vercel|appengine)-.+'],
    ...['(?:cf|fly)-.+', 'front-end-https', 'x-nginx-proxy', 'x-(?:url-)?scheme', '(?:.+-)?forwarded-for'],
    '(?:.+-)?(?:real|remote|user|client|proxyuser|connection)-?(?:ip|addr|address)',
  ].join('|')})$`,
);

/** The paths for operators. */
export function serveHealth({ app, front }: ServerApi, parts: HealthParts): void {
  app.get(GET_HEALTH.path, (request, reply) => sendJson({ front, request, reply }, 200, { status: 'ok' }));

  app.get(GET_READINESS.path, async (request, reply) => {
    const unready = await parts.ready();
    const body = unready === null ? { status: 'ready' } : { status: 'unavailable', ...unready };
    sendJson({ front, request, reply }, unready === null ? 200 : 503, body);
    return reply;
  });

  app.get(GET_METRICS.path, async (request, reply) => {
    const bearer = request.headers.authorization?.replace(/^Bearer /i, '') ?? '';
    if (
      !isOfThisMachine(request.raw) &&
      !(parts.metricsToken !== null && sameSecret(bearer, parts.metricsToken.reveal()))
    ) {
      throw new GatewayError(
        'forbidden',
        '/metrics is open on this machine, at a loopback address and without a proxy, and with `server.metrics_token`.',
      );
    }
    request.context.isPrivate = true;
    const { type, body } = await parts.metrics.text();
    sendText({ front, request, reply }, 200, type, body);
    return reply;
  });
}

/**
 * True if a request came directly from this machine. A local proxy forwards requests of others, and a foreign name can
 * lead a local browser here.
 */
function isOfThisMachine({ socket, headers, url = '' }: IncomingMessage): boolean {
  if (!isLoopbackHost(callerIpAddress(socket.remoteAddress ?? '') ?? '')) return false;
  if (Object.keys(headers).some((name) => OF_PROXIES.test(name.replaceAll('_', '-')))) return false;
  // A host in the first line overrides `Host`.
  const asked = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host ?? '';
  const host = /^(?<name>\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(asked)?.groups?.name ?? '';
  return isLoopbackHost(host);
}

/** Compares two secrets in constant time. */
function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
