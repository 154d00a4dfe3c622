import { GatewayError } from '../core/errors.ts';

/** One method and path that is served. A path may have one `*`, which stands for anything. */
export type ServedPath = { method: string; path: string };

/** The methods that a path is served for. */
export function methodsOf(routes: readonly ServedPath[], url: string): string[] {
  const path = pathOf(url);
  return [...new Set(routes.filter((route) => matches(route.path, path)).map((route) => route.method))];
}

/** The error for a request that no route takes: the right method, the path with `/v1`, or all that exists. */
export function unknownPath(routes: readonly ServedPath[], method: string, url: string): GatewayError {
  const path = pathOf(url);
  const methods = methodsOf(routes, path);
  if (methods.length > 0) {
    return new GatewayError('method_not_allowed', `${path} answers ${methods.join(' and ')}, not ${method}.`);
  }
  // A client that adds `/v1` itself, or none, to an address that has it, or has it not.
  const meant = [`/v1${path}`, path.replace(/^(\/v1)+(?=\/v1\/)/, '')].find(
    (each) => methodsOf(routes, each).length > 0,
  );
  const hint = meant === undefined ? '' : `Did you mean ${methodsOf(routes, meant)[0]} ${meant}? `;
  const served = routes.map((route) => `${route.method} ${route.path.replace('*', '{id}')}`).join(', ');
  return new GatewayError(
    'not_found',
    `There is nothing at ${method} ${path.slice(0, 200)}. ${hint}This gateway serves ${served}.`,
  );
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function matches(pattern: string, path: string): boolean {
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return pattern === path;
  return path.length >= pattern.length && path.startsWith(head) && path.endsWith(tail);
}
