import { GatewayError } from '../core/errors.ts';
import { type AnswerStyle, OPENAI_STYLE } from './answer-headers.ts';

/**
 * One method and path that is served. A path may have one `*`, which stands for anything, or names in braces, each of which
 * stands for one part.
 */
export type ServedPath = { method: string; path: string; style?: AnswerStyle | undefined };

/** The methods of a path. */
export function methodsOf(routes: readonly ServedPath[], url: string): string[] {
  const path = pathOf(url);
  return [...new Set(routes.filter((route) => matches(route.path, path)).map((route) => route.method))];
}

/**
 * How a request that no route takes is answered: as the route at its path, or above it, answers its own; elsewhere in the form
 * of the clients that say by a header whose they are.
 */
export function styleNear(routes: readonly ServedPath[], url: string): AnswerStyle {
  const path = `${pathOf(url)}/`;
  const near = routes.find((route) => route.style !== undefined && path.startsWith(`${route.path}/`));
  const byHeader = routes.find((route) => route.style?.onlyWith !== undefined);
  return (near ?? byHeader)?.style ?? OPENAI_STYLE;
}

/** The error for an unknown path: names the right method, the path with `/v1`, or all routes. */
export function unknownPath(routes: readonly ServedPath[], method: string, url: string): GatewayError {
  const path = pathOf(url);
  const methods = methodsOf(routes, path);
  if (methods.length > 0) {
    return new GatewayError('method_not_allowed', `${path} answers ${methods.join(' and ')}, not ${method}.`);
  }
  // Clients may add `/v1` to an address that already has it, or omit it.
  const meant = [`/v1${path}`, path.replace(/^(\/v1)+(?=\/v1\/)/, '')].find(
    (each) => methodsOf(routes, each).length > 0,
  );
  const hint = meant === undefined ? '' : `Did you mean ${methodsOf(routes, meant)[0]} ${meant}? `;
  return new GatewayError(
    'not_found',
    `There is nothing at ${method} ${path.slice(0, 200)}. ${hint}${notOffered(path) ?? servedHere(routes)}`,
  );
}

/** Paths of settings are left out, because there are too many. */
function servedHere(routes: readonly ServedPath[]): string {
  const shown = routes.filter(({ path }) => !isOfSettings(path));
  const served = shown.map((route) => `${route.method} ${route.path.replace('*', '{id}')}`).join(', ');
  const settings = shown.length < routes.length ? ', and the organization settings that /openapi.json lists' : '';
  return `This gateway serves ${served}${settings}.`;
}

/** A sentence about a path of OpenAI's administration API that the gateway does not have. */
function notOffered(path: string): string | null {
  if (!isOfSettings(path)) return null;
  const known = NOT_OFFERED.find(([part]) => path.includes(part));
  return known === undefined ? null : known[1];
}

const NOT_OFFERED: readonly (readonly [part: string, words: string])[] = [
  ['/workload_identity_providers', 'Workload identity is not offered yet: keys of service accounts do its work.'],
  ['/certificates', 'Certificates of callers are not offered: a proxy in front of the gateway can check them.'],
  ['/hosted_tool_permissions', 'A gateway hosts no tools: their permissions are the vendor’s.'],
  ['/service_tier_settings', 'Service tiers are the vendor’s: a call names the one it wants.'],
  ['/external_keys', 'Keys of an outside key management are not offered: a gateway stores no content to be encrypted.'],
  ['/external_storage', 'A gateway stores no content, and so none elsewhere.'],
];

function isOfSettings(path: string): boolean {
  return /^\/v1\/(organization|projects|webhook_e|auth\/)/.test(path);
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function matches(pattern: string, path: string): boolean {
  if (pattern.includes('{')) return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const [head = '', tail] = pattern.split('*');
  if (tail === undefined) return pattern === path;
  return path.length >= pattern.length && path.startsWith(head) && path.endsWith(tail);
}
