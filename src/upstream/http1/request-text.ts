import type { UpstreamRequest } from '../../core/ports.ts';

type Made = { method: string; prefix: string; path: string; text: string };

/** Headers of the connection and the message framing, which only this layer writes. */
const OWN_FIELDS = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade']);
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const PATH = /^\/[\x21-\x7e\x80-\xff]*$/;

/**
 * Writes request heads for one authority (`host:port`).
 *
 * /!\ Hot path: a provider's headers are the same list for each call, and so is the path, so the text is cached.
 */
export class RequestTexts {
  readonly #authority: string;
  readonly #made = new WeakMap<readonly string[], Made>();

  constructor(authority: string) {
    this.#authority = authority;
  }

  /**
   * The head of a request whose path follows `prefix`, with its blank line. Throws `TypeError` for characters that are
   * not allowed: a line break would start another request.
   */
  headOf(request: UpstreamRequest, prefix: string): string {
    const { method, path, headers, body } = request;
    let made = this.#made.get(headers);
    if (made === undefined || made.path !== path || made.prefix !== prefix || made.method !== method) {
      made = { method, prefix, path, text: this.#write(method, prefix + path, headers) };
      this.#made.set(headers, made);
    }
    if (body === null && method === 'GET') return `${made.text}\r\n`;
    return `${made.text}content-length: ${body?.length ?? 0}\r\n\r\n`;
  }

  #write(method: string, path: string, headers: readonly string[]): string {
    if (!PATH.test(path)) throw new TypeError('the path cannot stand in a request');
    let host = this.#authority;
    let fields = '';
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at]!;
      const value = headers[at + 1] ?? '';
      const lower = name.toLowerCase();
      if (!NAME.test(name) || !VALUE.test(value)) throw new TypeError(`the header ${name} cannot stand in a request`);
      if (OWN_FIELDS.has(lower)) throw new TypeError(`the header ${lower} is not the caller’s to set`);
      if (lower === 'host') host = value;
      else fields += `${name}: ${value}\r\n`;
    }
    return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${fields}`;
  }
}
