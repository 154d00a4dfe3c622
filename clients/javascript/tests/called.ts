import type { LiveItems } from '@headgate/client';

/** An operation that a method asked for: `POST /v1/organization/budgets/x`, with `x` for each id. */
type Called = ReadonlySet<string>;

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The resources of a client that lead to operations of a gateway. */
const RESOURCES = ['admin', 'webhooks', 'chat', 'responses', 'embeddings', 'models'];
const OWN = ['catalog', 'usage', 'routes', 'feedback', 'settings', 'status'];
/** Helpers that do more than to ask once. */
const HELPERS = ['constructor', 'parse', 'stream', 'runTools', 'unwrap', 'verifySignature', 'connect', 'compact'];

/** Has an `x` for each id that somebody takes out of it, and no members of its own. */
const ANY = new Proxy({}, { get: (_, name) => (typeof name === 'string' && name !== 'then' ? 'x' : undefined) });
const ARGUMENTS = [[], [ANY], ['x', ANY], ['x', 'x', ANY], ['x', 'x', 'x', ANY]];

/**
 * Calls each method of a client's resources with what may pass for its arguments, and returns what that asked for.
 *
 * @param clientWith - makes a client that sends with this
 */
export async function calledBy(clientWith: (send: typeof fetch) => object): Promise<Called> {
  const called = new Set<string>();
  const client = clientWith(async (address, request) => {
    const { pathname } = new URL(address instanceof Request ? address.url : address);
    called.add(`${request?.method?.toUpperCase() ?? 'GET'} ${pathname}`);
    return Response.json({});
  });
  for (const name of [...RESOURCES, ...OWN]) await callAll((client as Record<string, object>)[name]!);
  return called;
}

async function callAll(resource: object): Promise<void> {
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => !HELPERS.includes(name));
  for (const name of methods) {
    for (const args of ARGUMENTS) await called(resource, name, args);
  }
  const inner = Object.entries(resource).filter(([name, value]) => name !== '_client' && typeof value === 'object');
  for (const [, each] of inner) await callAll(each as object);
}

async function called(resource: object, name: string, args: readonly unknown[]): Promise<void> {
  try {
    const came = await (resource as Record<string, (...given: readonly unknown[]) => unknown>)[name]!(...args);
    if (came instanceof Object && 'lastEventId' in came) await (came as LiveItems<unknown>).connect();
  } catch {
    // It takes other arguments; whether any were right is seen in what was asked for.
  }
}

/** The operations under `/v1` of an OpenAPI document that were not called, but for those that begin with one of these. */
export function uncalled(paths: Paths, called: Called, but: readonly string[]): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return operations.filter((operation) => {
    const path = operation.slice(operation.indexOf(' ') + 1);
    const isTheirs = path.startsWith('/v1/') && !but.some((prefix) => path.startsWith(prefix));
    return isTheirs && !called.has(operation.replaceAll(/\{\w+\}/g, 'x'));
  });
}
