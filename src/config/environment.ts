import * as z from 'zod';
import { type Environment, firstVariable, variable } from './interpolate.ts';
import type { Problem } from './problems.ts';
import { LONG_SECRET, SHARED } from './schema.ts';
import { explain, sentence } from './sentences.ts';

/** Variables that override the file, or that only the environment may set. */
const VARIABLES = z.object({
  HEADGATE_HOST: SHARED.host.optional(),
  HEADGATE_PORT: SHARED.port.optional(),
  HEADGATE_DATA: SHARED.data.optional(),
  HEADGATE_LOG_LEVEL: SHARED.log_level.optional(),
  HEADGATE_HTTP_LAYER: SHARED.http_layer.optional(),
  HEADGATE_WORKERS: SHARED.workers.optional(),
  HEADGATE_DISCOVERY: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  HEADGATE_METRICS_TOKEN: SHARED.metrics_token.optional(),
  HEADGATE_PEPPER: LONG_SECRET.optional(),
  HEADGATE_WRAPPING_KEY: LONG_SECRET.optional(),
  HEADGATE_WRAPPING_KEY_BEFORE: LONG_SECRET.optional(),
});

export const VARIABLE_NAMES = Object.keys(VARIABLES.shape);

/** Settings from the environment. An empty variable counts as unset. */
export type Overrides = z.output<typeof VARIABLES>;

/** Reads the `HEADGATE_…` variables. An invalid one is a problem that names it. */
export function readEnvironment(env: Environment): { overrides: Overrides; problems: Problem[] } {
  const given = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, variable(env, name)]));
  const result = VARIABLES.safeParse(given, { error: sentence });
  if (result.success) return { overrides: result.data, problems: [] };
  const problems = explain(result.error.issues).map(({ path, message }) => ({
    file: null,
    line: null,
    column: null,
    path: String(path[0]),
    message,
  }));
  return { overrides: {}, problems };
}

/** The proxies for vendor calls. Lower-case variables win, as with curl. */
export function readProxies(env: Environment): { http: string | null; https: string | null; no: string | null } {
  const of = (...names: string[]) => firstVariable(env, names)?.value ?? null;
  return {
    http: of('http_proxy', 'HTTP_PROXY'),
    https: of('https_proxy', 'HTTPS_PROXY'),
    no: of('no_proxy', 'NO_PROXY'),
  };
}
