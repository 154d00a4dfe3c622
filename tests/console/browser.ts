import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, type ServeOptions, startHeadgate } from '../support/headgate.ts';
import { countRequests } from './settled.ts';

/** Where Debian's packages, and others, put Chromium. The one without windows needs half the CPU time. */
const CHROMIUMS = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Chromium on this machine; `null` where there is none. */
export const CHROMIUM = process.env.HEADGATE_CHROMIUM ?? CHROMIUMS.find((path) => existsSync(path)) ?? null;

export const OWNER = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'correct horse battery staple' };

/** A gateway with the console, its vendor, and a browser; what the browser complained of is kept. */
export type Visited = AsyncDisposable & {
  headgate: Running;
  vendor: FakeProvider;
  /** As browsers reach it: `http://localhost:PORT`. */
  origin: string;
  context: BrowserContext;
  page: Page;
  /** Errors of the console, refusals by its policy, answers that are errors (`404 /v1/usage/x`), requests off the origin. A test ends with none. */
  complaints: string[];
  /** Errors that a test brings about itself, word for word as they would stand in `complaints`. */
  expected: Set<string>;
  /** The one-time link of the first owner. */
  link: string;
};

/** Starts all of it. `config` is added to a configuration with the fake vendor as the provider `lab`, which has further `models`. */
export async function visit(
  config = '',
  { models = [], ...options }: Omit<ServeOptions, 'config'> & { models?: readonly string[] } = {},
): Promise<Visited> {
  const { browser, leave } = await shareBrowser();
  const vendor = await startFakeProvider();
  const headgate = await startHeadgate({
    ...options,
    config: `${labConfig(vendor, ['priced', ...models])}\n${config}`,
  }).catch(async (error) => {
    await leave();
    await vendor.close();
    throw error;
  });
  const link = /http:\/\/localhost:\d+\/welcome#\S+/.exec(headgate.stdout())?.[0] ?? '';
  const origin = new URL(headgate.url.replace('127.0.0.1', 'localhost')).origin;
  const expected = new Set<string>();
  const context = await newContext(browser);
  const page = await context.newPage();
  const complaints = complaintsOf(page, { origin, expected });
  return {
    ...{ headgate, vendor, origin, context, page, complaints, expected, link },
    async [Symbol.asyncDispose]() {
      await leave();
      await headgate[Symbol.asyncDispose]();
      await vendor.close();
    },
  };
}

/** How long the browser waits for another visit before it is closed, in milliseconds: a file makes many. */
const LINGER_MS = 1_000;
let launched: Promise<Browser> | null = null;
let visits = 0;
let closing: NodeJS.Timeout | undefined;

/** The one browser of this process. The last visitor closes all contexts, so that the next finds none. */
async function shareBrowser(): Promise<{ browser: Browser; leave: () => Promise<void> }> {
  clearTimeout(closing);
  visits += 1;
  launched ??= chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: WAIT_MS,
  });
  const browser = await launched;
  const leave = async () => {
    visits -= 1;
    if (visits > 0) return;
    for (const context of browser.contexts()) await context.close();
    if (visits > 0) return;
    closing = setTimeout(() => {
      launched = null;
      void browser.close();
    }, LINGER_MS);
  };
  return { browser, leave };
}

/** Calls of `priced` cost a dollar for each thousand tokens. */
function labConfig(vendor: FakeProvider, models: readonly string[]): string {
  const priced = models.map((id) => `{ id: ${id}, price: { input_per_1m: 1000, output_per_1m: 1000 } }`);
  return `providers:
  lab: { base_url: "${vendor.url}", api_key: lab-key, models: [${priced.join(', ')}] }
echo: true`;
}

/** What the browser complains of on a page, from now on. */
function complaintsOf(page: Page, { origin, expected }: { origin: string; expected: Set<string> }): string[] {
  countRequests(page);
  const complaints: string[] = [];
  const complain = (words: string) => expected.has(words) || complaints.push(words);
  page.on('pageerror', (error) => complain(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const [, status] = /^Failed to load resource: .* a status of (\d+)/.exec(message.text()) ?? [];
    const { url } = message.location();
    complain(status === undefined ? message.text() : `${status} ${url.slice(origin.length)}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) complain(request.url());
  });
  return complaints;
}

/** A context of its own, which waits as long as a busy machine needs. */
export async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

/** Signs in as the first owner, by the API. No page is open then. */
export async function becomeOwner({ context, origin, link }: Visited): Promise<void> {
  const data = { ...OWNER, link: new URL(link).hash.slice(1) };
  const opened = await context.request.post(`${origin}/v1/auth/link/open`, { data, headers: { origin } });
  if (!opened.ok()) throw new Error(await opened.text());
}

/** The owner in another context, on the gateway of a visit, with complaints of its own. Its end leaves the gateway. */
export async function visitAgain({ headgate, vendor, origin, context }: Visited): Promise<Visited> {
  const another = await newContext(context.browser()!);
  const data = { email: OWNER.email, password: OWNER.password };
  const signedIn = await another.request.post(`${origin}/v1/auth/sign_in/password`, { data, headers: { origin } });
  if (!signedIn.ok()) throw new Error(await signedIn.text());
  const page = await another.newPage();
  const expected = new Set<string>();
  const complaints = complaintsOf(page, { origin, expected });
  return {
    ...{ headgate, vendor, origin, context: another, page, complaints, expected, link: '' },
    [Symbol.asyncDispose]: () => another.close(),
  };
}

/** The answer to a request of the owner's session, which has to succeed. `path` is below `/v1/organization`. */
export async function postAsOwner<Json = { id: string }>(
  { context, origin }: Visited,
  path: string,
  data: object,
): Promise<Json> {
  const answer = await context.request.post(`${origin}/v1/organization${path}`, { data, headers: { origin } });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as Json;
}

/** A page of somebody else in the organization, with such a role; `null`: with none. They come into these groups. */
export async function visitAs(
  visited: Visited,
  role: string | null,
  groups: readonly string[] = [],
): Promise<Pick<Visited, 'page' | 'complaints'>> {
  const { origin, context } = visited;
  const email = `${role ?? 'nobody'}@example.com`;
  type Invite = { invite_link: string };
  const invite = { email, role: 'reader', groups };
  const { invite_link: link } = await postAsOwner<Invite>(visited, '/invites', invite);
  const theirs = await newContext(context.browser()!);
  const data = { link: new URL(link).hash.slice(1), email, name: role ?? 'Nobody', password: OWNER.password };
  const opened = await theirs.request.post(`${origin}/v1/auth/link/open`, { data, headers: { origin } });
  if (!opened.ok()) throw new Error(await opened.text());
  const users = await context.request.get(`${origin}/v1/organization/users?limit=100`);
  const { id } = ((await users.json()) as { data: { id: string; email: string }[] }).data.find(
    (user) => user.email === email,
  )!;
  if (role !== null) await postAsOwner(visited, `/users/${id}/roles`, { role_id: role });
  const page = await theirs.newPage();
  return { page, complaints: complaintsOf(page, { origin, expected: new Set() }) };
}
