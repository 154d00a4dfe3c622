import { SYSTEM_ROUTE } from '../core/route.ts';
import { readDocument } from './document.ts';
import { type Environment, interpolate, MALFORMED, unset } from './interpolate.ts';
import { ConfigError, type Path, type Problem, showPath } from './problems.ts';
import { type ReadRoute, type RouteContext, readRoute } from './routes.ts';
import { suggestion } from './suggestion.ts';

export type DraftInput = {
  /** The text of the draft, and its path for problems. */
  text: string;
  file: string;
  env: Environment;
  /** The route to read; may be `system`. */
  id: string;
  context: RouteContext;
};

/** A file with one of these keys is a whole configuration, not a single definition. */
const WHOLE = ['routes', 'system', 'providers'];

/**
 * Reads a draft of a route, from a file with only its definition or from a whole configuration, of which only that route
 * is checked. Pure. Throws a `ConfigError` with all problems.
 */
export function readDraft({ text, file, env, id, context }: DraftInput): ReadRoute {
  const document = readDocument(text);
  if ('faults' in document) {
    throw new ConfigError(document.faults.map((fault) => ({ file, ...fault, path: showPath(fault.path) })));
  }
  const problems: Problem[] = [];
  const { around, definition, others } = find(document.tree, id);
  const problem = (path: Path, message: string): void => {
    const whole = [...around, ...path];
    problems.push({ file, ...document.place(whole), path: showPath(whole), message });
  };
  if (definition === undefined) problem([], `is not in this file${suggestion(id, others)}`);
  const filled = interpolate(definition, env);
  for (const path of filled.malformed) problem(path, MALFORMED);
  for (const { path, variable } of filled.missing) problem(path, unset(variable));
  const read = problems.length > 0 ? null : readRoute(id, filled.tree, context, problem);
  if (read === null) throw new ConfigError(problems);
  return read;
}

/** True if a text is a single definition without variables, so that it means the same wherever it is read. */
export function isDefinitionAlone(text: string): boolean {
  const document = readDocument(text);
  if ('faults' in document || text.includes('${')) return false;
  return !WHOLE.some((name) => Object.hasOwn(mapOf(document.tree), name));
}

/** Finds the definition, and the ids of the others. */
function find(tree: unknown, id: string): { around: Path; definition: unknown; others: string[] } {
  const top = mapOf(tree);
  if (!WHOLE.some((name) => Object.hasOwn(top, name))) return { around: [], definition: tree ?? {}, others: [] };
  if (id === SYSTEM_ROUTE) return { around: [SYSTEM_ROUTE], definition: top.system, others: [] };
  const routes = mapOf(top.routes);
  const definition = Object.hasOwn(routes, id) ? routes[id] : undefined;
  return { around: ['routes', id], definition, others: Object.keys(routes) };
}

function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
