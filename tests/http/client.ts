import { field } from '../../src/testing/json.ts';

export type Answer = { status: number; headers: Headers; text: string; json: unknown };

export type Sent = {
  method?: string;
  /** Sent as a bearer. */
  key?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a text already. */
  body?: unknown;
};

/** One request and its whole answer. */
export async function ask(url: string, { method, key, headers = {}, body }: Sent = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** The members of OpenAI's error body. */
export function errorOf({ json }: Pick<Answer, 'json'>): Record<'message' | 'type' | 'param' | 'code', unknown> {
  const [message, type, param, code] = ['message', 'type', 'param', 'code'].map((name) => field(json, 'error', name));
  return { message, type, param, code };
}

/** The `data` of each server-sent event. */
export function eventsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
