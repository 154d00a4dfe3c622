import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicAddress } from '../core/people.ts';

/** The build of `console/`: `index.html`, and files with hashed names. */
const INDEX = 'index.html';
const HASHED = /^assets\//;
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};
/** By the suffix of compressed files in the build. */
const ENCODINGS = [
  ['br', 'br'],
  ['gz', 'gzip'],
] as const;

/** Only the console's own files, no inline script or style, and no evaluation of text. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept, accept-encoding',
};

const UNBUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Headgate</title></head><body>
<h1>Headgate</h1>
<p>The gateway is running, but its console is not built. Run <code>npm start</code> or
<code>npm run build --workspace console</code>, which needs the development packages. Then reload this page.</p>
</body></html>
`;

type BuiltFile = { path: string; type: string; encodings: ReadonlyMap<string, string> };

/** The pages of the web console, read from its build folder. Nothing is read before a browser asks. */
export class ConsolePages {
  readonly #folder: string | null;
  #built: { at: number; files: ReadonlyMap<string, BuiltFile> } | null = null;

  readonly #address: () => PublicAddress | null;

  /**
   * @param folder - `null`: there is no console
   * @param address - where browsers can sign in
   */
  constructor(folder: string | null, address: () => PublicAddress | null = () => null) {
    this.#folder = folder;
    this.#address = address;
  }

  /**
   * Answers a browser that requests a file or page of the console. Any other address is a page, because the console
   * routes its pages itself.
   *
   * @returns whether there was an answer
   */
  answer(request: FastifyRequest, reply: FastifyReply): boolean {
    if (this.#folder === null || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const [path = ''] = request.url.slice(1).split('?');
    if (path.startsWith('v1/') || path === 'v1') return false;
    const files = this.#files(this.#folder);
    const file = files?.get(path);
    if (file !== undefined && path !== INDEX) {
      void send(request, reply, file);
      return true;
    }
    if (!wantsPage(request)) return false;
    const elsewhere = pageAtLocalhost(request, this.#address());
    if (elsewhere !== null) {
      void reply.headers(HEADERS).header('cache-control', 'no-store').redirect(elsewhere, 307);
      return true;
    }
    const index = files?.get(INDEX);
    if (index === undefined)
      void reply.headers(HEADERS).header('cache-control', 'no-store').type(TYPES.html!).send(UNBUILT);
    else void send(request, reply, index);
    return true;
  }

  isBuilt(): boolean {
    return this.#folder !== null && this.#files(this.#folder) !== null;
  }

  /** Read again after a new build; `null` if it is not built. */
  #files(folder: string): ReadonlyMap<string, BuiltFile> | null {
    const at = statSync(join(folder, INDEX), { throwIfNoEntry: false })?.mtimeMs;
    if (at === undefined) return null;
    if (this.#built?.at !== at) this.#built = { at, files: filesIn(folder) };
    return this.#built.files;
  }
}

/** Browsers accept HTML explicitly; tools that accept anything get JSON. */
function wantsPage({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html');
}

/**
 * The same page at `localhost`, if it was asked for at a numeric address of this machine: passkeys and secure cookies do not work
 * there. `null` if it is where it should be, and behind a forwarded port, whose other end may be another machine's.
 */
function pageAtLocalhost({ headers, url }: FastifyRequest, address: PublicAddress | null): string | null {
  if (address?.host !== 'localhost' || !url.startsWith('/')) return null;
  const { port } = new URL(address.origin);
  const own = ['127.0.0.1', '[::1]'].map((host) => (port === '' ? host : `${host}:${port}`));
  return own.includes(headers.host ?? '') ? address.origin + url : null;
}

function filesIn(folder: string): Map<string, BuiltFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const known = new Set(names);
  const files = names.flatMap((name): [string, BuiltFile][] => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) return [];
    const path = join(folder, name);
    const compressed = ENCODINGS.filter(([suffix]) => known.has(`${name}.${suffix}`));
    const encodings = new Map(compressed.map(([suffix, encoding]) => [encoding, `${path}.${suffix}`]));
    return [[name, { path, type, encodings }]];
  });
  return new Map(files);
}

async function send(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): Promise<void> {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const [encoding, path = file.path] = [...file.encodings].find(([name]) => accepted.includes(name)) ?? [];
  const isKept = HASHED.test(request.url.slice(1));
  let content: Buffer;
  try {
    content = await readFile(path);
  } catch (error) {
    // It was rebuilt between the two reads: the browser asks again.
    return void reply
      .code(503)
      .header('retry-after', '1')
      .header('cache-control', 'no-store')
      .send(String((error as Error).message.split(',')[0]));
  }
  void reply
    .headers(HEADERS)
    .header('cache-control', isKept ? 'public, max-age=31536000, immutable' : 'private, no-cache')
    .type(file.type);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  void reply.send(content);
}

/** The build folder of the console: beside the sources, or inside a published package. */
export function consoleFolder(root: string): string {
  const inPackage = join(root, 'console');
  const isBuiltThere = statSync(join(inPackage, INDEX), { throwIfNoEntry: false }) !== undefined;
  return isBuiltThere ? inPackage : join(root, '..', 'console', 'dist');
}
