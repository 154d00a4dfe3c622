import { isKeyPath } from './credentials.ts';
import { type Interpolated, variableList } from './interpolate.ts';
import type { Path } from './problems.ts';

/** A configuration without the parts whose variables are not set. */
export type WithoutUnset = {
  tree: unknown;
  /** One sentence without a full stop for each part that is left out. */
  leftOut: string[];
  /** Unset variables of keys, by the JSON of the key's path; and of other provider settings, by provider id. */
  keys: ReadonlyMap<string, string>;
  providers: ReadonlyMap<string, readonly string[]>;
  /** Required values whose variables are not set. */
  needed: readonly { path: Path; variable: string }[];
  /** Maps a path of the tree to the path in the file. Indexes differ if list items before it were left out. */
  original(path: Path): Path;
};

type Missing = Interpolated['missing'][number];

/** An optional part: a map member or list item, with its name for people. */
type SparePart = { path: Path; name: string };

/** The lists of a route from which a single target can be left out. */
const TARGETS = ['targets', 'fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'];

/**
 * Removes optional parts whose variables are not set: providers and their models, routes and their targets, aliases,
 * products, facts of models, the refresh of the catalog, the mail server and the metrics token. All other values with an
 * unset variable are required.
 */
export function withoutUnset({ tree, missing }: Pick<Interpolated, 'tree' | 'missing'>): WithoutUnset {
  const keys = new Map<string, string>();
  const providers = new Map<string, string[]>();
  const needed: Missing[] = [];
  const removed: Path[] = [];
  const parts = new Map<string, { part: SparePart; variables: Set<string> }>();
  for (const each of missing) {
    const { path, variable } = each;
    const part = partOf(tree, path);
    if (isKeyPath(path)) keys.set(JSON.stringify(path), variable);
    else if (part === 'provider') {
      providers.set(String(path[1]), [...new Set([...(providers.get(String(path[1])) ?? []), variable])]);
      // The remains of the setting need not be valid; the provider's other settings must be.
      removed.push(path.slice(0, 3));
    } else if (part === null) needed.push(each);
    else {
      const known = parts.get(JSON.stringify(part.path)) ?? { part, variables: new Set() };
      known.variables.add(variable);
      parts.set(JSON.stringify(part.path), known);
    }
  }
  removed.push(...[...parts.values()].map(({ part }) => part.path));
  const named = [...parts.values()].map(
    ({ part, variables }) => `${part.name} is left out: ${variableList([...variables])}`,
  );
  return {
    tree: without(tree, removed),
    leftOut: named,
    keys,
    providers,
    needed,
    original: (path) => originalOf(path, removed),
  };
}

/** The part that is removed with the value at a path. */
function partOf(tree: unknown, path: Path): SparePart | 'provider' | null {
  const [top, name, setting, index] = path;
  switch (top) {
    case 'providers':
      if (
        (setting === 'models' || setting === 'only') &&
        listAt(tree, path.slice(0, 3)).length > 1 &&
        index !== undefined
      )
        return { path: path.slice(0, 4), name: `The ${ordinal(index)} of the ${setting} of provider ${name}` };
      return path.length > 2 ? 'provider' : null;
    case 'routes':
      return path.length > 2 ? partOfRoute(tree, path, 2, `route ${name}`) : null;
    case 'system':
      return path.length > 1 ? partOfRoute(tree, path, 1, 'route system') : null;
    case 'aliases':
      return { path: path.slice(0, 2), name: `Alias ${name}` };
    case 'products':
      return { path: path.slice(0, 2), name: `Product ${name}` };
    case 'models':
      return { path: path.slice(0, 2), name: `The entry of the model ${name}` };
    case 'catalog':
      return { path: ['catalog'], name: 'The section catalog' };
    case 'mail':
      return { path: ['mail'], name: 'The mail server' };
    case 'server':
      return name === 'metrics_token' ? { path, name: 'The metrics token' } : null;
    default:
      return null;
  }
}

/** A single target, if others remain and no rule can name it; otherwise the whole route. */
function partOfRoute(tree: unknown, path: Path, depth: number, name: string): SparePart {
  const [list, index] = path.slice(depth);
  const isTarget = TARGETS.includes(String(list)) && index !== undefined;
  const hasRules = JSON.stringify(at(tree, [...path.slice(0, depth), 'strategy']) ?? null).includes('"rules"');
  if (isTarget && !hasRules && listAt(tree, path.slice(0, depth + 1)).length > 1)
    return { path: path.slice(0, depth + 2), name: `The ${ordinal(index)} of the ${list} of ${name}` };
  return { path: path.slice(0, depth), name: `${name.charAt(0).toUpperCase()}${name.slice(1)}` };
}

function ordinal(index: string | number): string {
  const place = Number(index) + 1;
  return ['first', 'second', 'third'][place - 1] ?? `${place}th`;
}

function without(tree: unknown, removed: readonly Path[]): unknown {
  const gone = new Set(removed.map((path) => JSON.stringify(path)));
  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const isGone = (step: string | number) => gone.has(JSON.stringify([...path, step]));
    if (Array.isArray(value))
      return value.flatMap((item, index) => (isGone(index) ? [] : [visit(item, [...path, index])]));
    const kept = Object.entries(value).filter(([key]) => !isGone(key));
    return Object.fromEntries(kept.map(([key, item]) => [key, visit(item, [...path, key])]));
  };
  return removed.length === 0 ? tree : visit(tree, []);
}

function originalOf(path: Path, removed: readonly Path[]): Path {
  const original: (string | number)[] = [];
  for (const step of path) {
    let place = step;
    if (typeof place === 'number') {
      const list = JSON.stringify(original);
      const gone = removed.filter((each) => JSON.stringify(each.slice(0, -1)) === list).map((each) => each.at(-1));
      for (let before = 0; before <= place; before += 1) if (gone.includes(before)) place += 1;
    }
    original.push(place);
  }
  return original;
}

function listAt(tree: unknown, path: Path): readonly unknown[] {
  const value = at(tree, path);
  return Array.isArray(value) ? value : [];
}

function at(tree: unknown, path: Path): unknown {
  return path.reduce((within, step) => (within as Record<string, unknown> | null | undefined)?.[step], tree);
}
