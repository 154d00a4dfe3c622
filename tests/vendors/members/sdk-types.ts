import { join, resolve } from 'node:path';
import { API, SignatureKind, type Type } from 'typescript/unstable/sync';
import type { MemberShape } from '../../../src/dialects/members.ts';

/** A place in a dialect, and the types of the vendor's own client that describe it, as TypeScript writes them. */
export type Place = { name: string; shape: MemberShape; types: readonly string[] };

/**
 * Compares the declarations of vendors' clients with tables of members.
 *
 * @param folder has the clients in its `node_modules`
 * @returns what the clients know and the tables do not: `PLACE: path`, each once
 * @throws Error if a type is not there
 */
export function unknownMembers(places: readonly Place[], folder: string): string[] {
  const root = resolve(folder);
  const home = join(root, '.vendors-check');
  const lines = places.flatMap(({ types }, place) =>
    types.map((type, index) => `export type P${place}_${index} = ${type};`),
  );
  const files = new Map([
    [`${home}/tsconfig.json`, JSON.stringify({ compilerOptions: OPTIONS, files: ['places.ts'] })],
    [`${home}/places.ts`, `${lines.join('\n')}\n`],
  ]);
  const api = new API({
    cwd: root,
    fs: {
      readFile: (path) => files.get(path),
      fileExists: (path) => (files.has(path) ? true : undefined),
      directoryExists: (path) => (path === home ? true : undefined),
    },
  });
  try {
    return compareAll(api, places, home, files.get(`${home}/places.ts`)!);
  } finally {
    api.close();
  }
}

const OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

function compareAll(api: API, places: readonly Place[], home: string, source: string): string[] {
  const project = api.updateSnapshot({ openProjects: [`${home}/tsconfig.json`] }).getProject(`${home}/tsconfig.json`);
  const file = `${home}/places.ts`;
  const wrong = project?.program.getSemanticDiagnostics(file) ?? [];
  if (project === undefined || wrong.length > 0) {
    throw new Error(`The clients do not have the types that are looked for: ${JSON.stringify(wrong.map(wordsOf))}`);
  }
  const comparison = new Comparison(project.checker);
  for (const [place, { name, shape, types }] of places.entries()) {
    for (const index of types.keys()) {
      const type = project.checker.getTypeAtPosition(file, source.indexOf(`P${place}_${index} =`));
      comparison.compare(type === undefined ? [] : [type], shape, `${name}:`, 0);
    }
  }
  return [...comparison.unknown];
}

function wordsOf(diagnostic: unknown): unknown {
  return (diagnostic as { text?: unknown }).text ?? diagnostic;
}

type Checker = NonNullable<ReturnType<ReturnType<API['updateSnapshot']>['getProject']>>['checker'];

/** The deepest nesting that is looked at. Tables end sooner. */
const MAX_DEPTH = 12;

/** Walks the types of a client as far as the tables go. */
class Comparison {
  readonly unknown = new Set<string>();
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  compare(types: readonly Type[], shape: MemberShape, path: string, depth: number): void {
    if (depth > MAX_DEPTH) throw new Error(`The table of ${path} does not end.`);
    const single = types.flatMap((type) => this.#single(type));
    if (shape.words !== undefined) {
      for (const type of single) {
        if (type.isStringLiteralType() && !shape.words.has(type.value)) this.unknown.add(`${path} "${type.value}"`);
      }
    }
    for (const type of single) if (this.#isObject(type)) this.#compareObject(type, shape, path, depth);
  }

  #compareObject(type: Type, shape: MemberShape, path: string, depth: number): void {
    const tags = shape.kinds === undefined ? [] : this.#tagsOf(type);
    if (tags.length === 0) return this.#compareMembers(type, shape, path, depth);
    for (const tag of tags) {
      const at = `${path}[${tag}]`;
      const entry = shape.kinds?.get(tag);
      if (entry === undefined) this.unknown.add(at);
      else if (typeof entry === 'object') this.#compareMembers(type, entry, at, depth);
    }
  }

  #compareMembers(type: Type, { members }: MemberShape, path: string, depth: number): void {
    if (members === undefined) return;
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const at = path.endsWith(':') ? `${path} ${property.name}` : `${path}.${property.name}`;
      const entry = members.get(property.name);
      if (entry === undefined) this.unknown.add(at);
      if (typeof entry !== 'object') continue;
      const inner = this.#checker.getTypeOfSymbol(property);
      if (inner !== undefined) this.compare([inner], entry, at, depth + 1);
    }
  }

  /** The members of a union, and the items of a list. */
  #single(type: Type): Type[] {
    if (type.isUnionType()) return type.getTypes().flatMap((each) => this.#single(each));
    if (!this.#checker.isArrayType(type)) return [type];
    const items = type.isTypeReference() ? this.#checker.getTypeArguments(type) : [];
    return items.flatMap((each) => this.#single(each));
  }

  /** Whether a type is of a JSON object, and no open text, which some clients write as an intersection with `{}`. */
  #isObject(type: Type): boolean {
    if (!type.isObjectType() && !type.isIntersectionType()) return false;
    if (type.isIntersectionType() && type.getTypes().some((each) => !each.isObjectType())) return false;
    return this.#checker.getSignaturesOfType(type, SignatureKind.Call).length === 0;
  }

  /** The words that tell the kind of an object: the values of `type`, else of `role`. */
  #tagsOf(type: Type): string[] {
    for (const name of ['type', 'role']) {
      const property = this.#checker.getPropertyOfType(type, name);
      const value = property === undefined ? undefined : this.#checker.getTypeOfSymbol(property);
      const words = value === undefined ? [] : this.#single(value);
      const tags = words.flatMap((each) => (each.isStringLiteralType() ? [each.value] : []));
      if (tags.length > 0) return tags;
    }
    return [];
  }
}
