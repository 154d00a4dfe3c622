import { execFileSync } from 'node:child_process';
import type { Running } from '../support/headgate.ts';

export type Asked = { status: number; headers: Headers; text: string };

/**
 * A request on a connection of its own, which the workers are handed in turn: so two in a row are of two workers.
 */
export async function ask(headgate: Running, path: string, body?: unknown, key = headgate.key): Promise<Asked> {
  const response = await begin(headgate, path, body, key);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The same, as soon as the answer begins. */
export function begin(headgate: Running, path: string, body?: unknown, key = headgate.key): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
  const method = body === undefined ? 'GET' : 'POST';
  return fetch(headgate.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

export function chat(model: string, more: Record<string, unknown> = {}): unknown {
  return { model, messages: [{ role: 'user', content: 'Hi' }], ...more };
}

/** The processes that serve for a primary. */
export function workersOf({ pid }: Running): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const pairs = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [child] : []));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
