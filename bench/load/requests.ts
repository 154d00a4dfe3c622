import { FACTS, requestBody, WORDS, type Workload } from '../workloads.ts';
import type { Answer } from './connection.ts';
import type { Route } from './order.ts';

/** Shorter than any gateway's form of an answer with a hundred vectors. */
const LEAST_EMBEDDINGS = 500_000;

/** The bytes of a whole request. */
export function requestBytes(workload: Workload, route: Route): Buffer {
  return bytesOf(route, requestBody(workload, route.model));
}

export function bytesOf({ port, path, headers }: Route, body: string): Buffer {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Why this is not the upstream's answer; `null` if it is. Gateways may rewrite the answer, so only its content is
 * compared.
 */
export function faultOf(workload: Workload, { status, body }: Answer): string | null {
  if (status !== 200) return `answered ${status}: ${body.slice(0, 500)}`;
  if (isRight(workload, body)) return null;
  return `not the answer expected (${body.length} bytes): ${body.slice(0, 300)} … ${body.slice(-300)}`;
}

function isRight(workload: Workload, body: string): boolean {
  if (workload === 'embeddings') return body.length > LEAST_EMBEDDINGS && body.trimEnd().endsWith('}');
  if (!FACTS[workload].streamed) return body.includes('the Seine runs through it.');
  return body.split('" word').length - 1 === WORDS && body.trimEnd().endsWith('data: [DONE]');
}
