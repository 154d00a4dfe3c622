import { existsSync, readFileSync } from 'node:fs';
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
  const family = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
  return family.split(' ').filter(Boolean).map(Number);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

/** It has ended, and only waits for its parent to be told. Orphans wait for the first process of the machine. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return !existsSync(`/proc/${pid}`) && existsSync('/proc/self');
  }
}
