import { type Environment, firstVariable } from './interpolate.ts';

/** Proxies for calls to vendors, as the environment names them; in lower case first, as curl reads them. */
export function readProxies(env: Environment): { http: string | null; https: string | null; no: string | null } {
  const of = (...names: string[]) => firstVariable(env, names)?.value ?? null;
  return {
    http: of('http_proxy', 'HTTP_PROXY'),
    https: of('https_proxy', 'HTTPS_PROXY'),
    no: of('no_proxy', 'NO_PROXY'),
  };
}
