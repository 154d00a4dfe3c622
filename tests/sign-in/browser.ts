import assert from 'node:assert/strict';
import type { Running } from '../support/headgate.ts';

/** `at`: what stands at a path of its JSON, such as `error.code`; `each`: the same of each item of `data`. */
export type Answer = {
  status: number;
  json: unknown;
  at(path: string): unknown;
  each(path: string): unknown[];
};

/** What a browser does with a gateway: it keeps the cookie that it is given, and says where its page came from. */
export class TestBrowser {
  cookie: string | null = null;
  readonly #url: string;
  readonly origin: string;

  constructor({ url }: Pick<Running, 'url'>, origin = `http://localhost:${new URL(url).port}`) {
    this.#url = url;
    this.origin = origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, { origin: this.origin, ...headers });
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path, undefined, { origin: this.origin });
  }

  async send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${this.#url}/v1${path}`, {
      method,
      headers: {
        ...(this.cookie !== null && { cookie: `other=1; ${this.cookie}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      assert.deepEqual(attributes.slice(0, 4), ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax'], line);
      assert.match(pair, /^__Host-headgate=/);
      this.cookie = attributes.includes('Max-Age=0') ? null : pair;
    }
    const json: unknown = await response.json();
    const at = (path: string) => valueAt(json, path);
    const each = (path: string) => (at('data') as unknown[]).map((item) => valueAt(item, path));
    return { status: response.status, json, at, each };
  }
}

function valueAt(json: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], json);
}

/** The secret of a link that a start, or a command, has shown. */
export function linkIn(text: string): string {
  const found = /\/welcome#(\S+)/.exec(text)?.[1];
  assert(found !== undefined, `no link in: ${text}`);
  return found;
}

export const ADA = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' };

/** Has Ada become the first owner, in a browser of hers. */
export async function firstOwner(headgate: Running): Promise<TestBrowser> {
  const browser = new TestBrowser(headgate);
  const { status, json } = await browser.post('/auth/link/open', { link: linkIn(headgate.stdout()), ...ADA });
  assert.equal(status, 200, JSON.stringify(json));
  return browser;
}
