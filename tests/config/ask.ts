import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Running } from '../support/headgate.ts';

export type Asked = { status: number; headers: Headers; json: Record<string, unknown> };

/** `GET` with the first key. */
export async function get(headgate: Running, path: string): Promise<Asked> {
  return read(await fetch(headgate.url + path, { headers: authorization(headgate) }));
}

/** `POST` of JSON with the first key. */
export async function post(headgate: Running, path: string, body: unknown): Promise<Asked> {
  return read(await send(headgate, path, body));
}

/** The same, as soon as the answer begins. */
export function send(headgate: Running, path: string, body: unknown): Promise<Response> {
  const headers = { ...authorization(headgate), 'content-type': 'application/json' };
  return fetch(headgate.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A chat with a model; any answer will do. */
export function chat(headgate: Running, model: string): Promise<Asked> {
  return post(headgate, '/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] });
}

/** The names of the models that are served, `owner:name`. */
export async function served(headgate: Running): Promise<string[]> {
  const { json } = await get(headgate, '/v1/models');
  return (json.data as { id: string; owned_by: string }[]).map(({ id, owned_by }) => `${owned_by}:${id}`);
}

/** Who is on, in order. */
export async function owners(headgate: Running): Promise<string[]> {
  return [...new Set((await served(headgate)).map((name) => name.slice(0, name.indexOf(':'))))];
}

/** The file that a gateway reads, or would read. */
export function configFileOf(headgate: Running): string {
  return join(dirname(headgate.data), 'headgate.yaml');
}

/** Replaces the file in one step and tells nobody. */
export async function writeConfig(headgate: Running, text: string): Promise<void> {
  const file = configFileOf(headgate);
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

async function read(response: Response): Promise<Asked> {
  const { status, headers } = response;
  return { status, headers, json: (await response.json()) as Record<string, unknown> };
}

function authorization({ key }: Running): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
