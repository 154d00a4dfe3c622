import type { IncomingMessage } from 'node:http';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import { ORGANIZATION_HEADER } from './organization-header.ts';

/** A gateway's JSON answer, or the system error without one (`ECONNREFUSED`). */
export type GatewayAnswer = { status: number; json: unknown } | { silent: string };

export type GatewayQuestion = { method: 'GET' | 'POST'; key: string; body?: string };

/** Longer than a gateway takes to ask all its workers. */
const TIMEOUT_MS = 30_000;

/** Sends a request to a running gateway, for commands. */
export async function ask(url: string, { method, key, body }: GatewayQuestion): Promise<GatewayAnswer> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body }),
    });
    return { status: response.status, json: parsed(await response.text()) };
  } catch (error) {
    return { silent: reasonOf(error) };
  }
}

/**
 * Sends a request to the HTTP API on a gateway's operator socket (`http/operator-socket.ts`). Resolves with `null` without a listener; rejects with a
 * sentence if the listener does not answer.
 */
export async function askOperatorApi(
  socketPath: string,
  { method, path, body, organizationId }: OperatorRequest,
): Promise<OperatorAnswer | null> {
  const { request } = await import('node:http');
  const headers = organizationId === null ? {} : { [ORGANIZATION_HEADER]: encodeURIComponent(organizationId) };
  const answered = Promise.withResolvers<IncomingMessage | null>();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  request({ socketPath, path, signal, agent: false, method, headers }, answered.resolve)
    .on('error', (error: NodeJS.ErrnoException) => {
      if (NOBODY.includes(error.code ?? '')) answered.resolve(null);
      else answered.reject(new Error(`The gateway that serves this data cannot be asked (${reasonOf(error)}).`));
    })
    .end(body);
  const response = await answered.promise;
  if (response === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() };
}

/** Errors of a socket without a listener, such as one that a dead process left behind. */
const NOBODY = ['ECONNREFUSED', 'ENOENT'];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause, code } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  if (code !== undefined) return code;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : message;
}
