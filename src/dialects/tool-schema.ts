import type { Losses } from '../core/losses.ts';
import type { Quirks, SchemaForm, ToolRules } from '../core/provider.ts';

/** A schema, by its keywords. */
type SchemaWords = Readonly<Record<string, unknown>>;
type WrittenSchema = Record<string, unknown>;

/** Unions that vendors refuse at the root, and what else may only stand within an object there. */
const UNIONS = ['anyOf', 'oneOf'] as const;
const NEVER_AT_ROOT = ['enum', 'const', 'not'] as const;
/** Keywords that hold schemas by names of the caller's own. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords that hold values and no schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'example', 'required', 'dependentRequired']);
const MAX_DEPTH = 64;
/** The most schemas that references may grow one schema to. */
const MAX_NODES = 5000;

/** The keywords of Gemini's `Schema`. https://ai.google.dev/api/caching#Schema */
const OPENAPI = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'default', 'example', 'pattern'],
  ...['items', 'minItems', 'maxItems', 'properties', 'required', 'minProperties', 'maxProperties'],
  ...['propertyOrdering', 'minLength', 'maxLength', 'minimum', 'maximum', 'anyOf'],
]);
/** Words about a schema, which no answer has to follow. */
const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
const FORMATS = new Set<unknown>(['date-time', 'enum']);

/** What vendors refuse of whom nothing else is known: an object without `properties`, and a root that is none. */
export const USUALLY_REFUSED: readonly SchemaForm[] = ['no-properties', 'root-union'];
const AT_ROOT: ReadonlySet<SchemaForm> = new Set(USUALLY_REFUSED);

/** Which forms of schemas a vendor refuses: at the root, and deeper. */
export type RefusedForms = { noProperties: boolean; rootUnion: boolean; deep: boolean };

/** The forms of each row: made once, because each call that passes asks for them. */
const formsOfRows = new WeakMap<ToolRules, RefusedForms>();

export function refusedForms(rules: ToolRules | undefined): RefusedForms {
  if (rules === undefined) return formsOf(USUALLY_REFUSED);
  const known = formsOfRows.get(rules);
  if (known !== undefined) return known;
  const forms = formsOf(rules.refuses ?? USUALLY_REFUSED);
  formsOfRows.set(rules, forms);
  return forms;
}

function formsOf(refuses: readonly SchemaForm[]): RefusedForms {
  return {
    noProperties: refuses.includes('no-properties'),
    rootUnion: refuses.includes('root-union'),
    deep: refuses.some((form) => !AT_ROOT.has(form)),
  };
}

/** A tool's description and schema as its vendor takes them. */
export type ToolWords = { description?: string; parameters: SchemaWords };

/**
 * The schema of a tool without the forms that this vendor refuses. What cannot be said is left out, stands in the description, and is told.
 */
export function writeToolSchema(
  { description, parameters }: { description?: string | undefined; parameters: SchemaWords | null },
  { tools }: Quirks,
  losses: Losses,
): ToolWords {
  const writer = new SchemaWriter(parameters ?? {}, new Set(tools?.refuses ?? USUALLY_REFUSED));
  const written = writer.written();
  if (writer.lossy) losses.add('tool_schema');
  const words = [description ?? '', writer.rules].filter((each) => each !== '').join('\n\n');
  return { ...(words !== '' && { description: words }), parameters: written };
}

class SchemaWriter {
  lossy = false;
  /** What the root cannot say, in words. */
  rules = '';
  readonly #root: SchemaWords;
  readonly #refuses: ReadonlySet<SchemaForm>;
  /** References that are being written out. */
  readonly #open = new Set<string>();
  #nodes = 0;

  constructor(root: SchemaWords, refuses: ReadonlySet<SchemaForm>) {
    this.#root = root;
    this.#refuses = refuses;
  }

  written(): WrittenSchema {
    const { type: _, ...root } = this.#refuses.has('root-union') ? this.#flattened(this.#root) : this.#root;
    const type = this.#refuses.has('root-union') ? 'object' : (this.#root.type ?? 'object');
    const needsProperties = this.#refuses.has('no-properties') || Object.keys(this.#root).length === 0;
    const written = this.#node({ type, ...(needsProperties && { properties: {} }), ...root }, 0);
    if (!needsProperties) return { ...written, type };
    return { ...written, type, properties: isSchema(written.properties) ? written.properties : {} };
  }

  /** The root without unions: the properties of all branches, of which only those are required that all require. */
  #flattened(root: SchemaWords): SchemaWords {
    const lost: WrittenSchema = {};
    let flat = this.#resolved(root);
    for (const each of list(flat.allOf)) flat = this.#merged(flat, this.#resolved(wordsOf(each)));
    for (const union of UNIONS) {
      const branches = list(flat[union]).map((each) => this.#resolved(wordsOf(each)));
      if (branches.length === 0) continue;
      lost[union] = branches.map(({ properties, required = [] }) =>
        isSchema(properties) ? { properties: Object.keys(properties), required } : { required },
      );
      flat = withBranches(flat, branches);
    }
    for (const word of NEVER_AT_ROOT) if (flat[word] !== undefined) lost[word] = flat[word];
    const gone = new Set<string>(['allOf', ...UNIONS, ...NEVER_AT_ROOT]);
    if (Object.keys(lost).length > 0) {
      this.lossy = true;
      this.rules = `The input must also follow ${JSON.stringify(lost)}.`;
    }
    return Object.fromEntries(Object.entries(flat).filter(([name]) => !gone.has(name)));
  }

  /** A schema that is a reference, as what it refers to, with the words beside it. */
  #resolved(node: SchemaWords): SchemaWords {
    let resolved = node;
    for (let hops = 0; typeof resolved.$ref === 'string' && hops < MAX_DEPTH; hops += 1) {
      const { $ref, ...beside } = resolved;
      const target = this.#target(String($ref));
      if (target === null) return beside;
      resolved = { ...target, ...beside };
    }
    return resolved;
  }

  /** What a reference within the schema refers to; `null` if there is nothing. */
  #target(ref: string): SchemaWords | null {
    if (ref !== '#' && !ref.startsWith('#/')) return null;
    let at: unknown = this.#root;
    for (const step of ref.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    return isSchema(at) ? at : null;
  }

  #merged(one: SchemaWords, other: SchemaWords): SchemaWords {
    const required = [...new Set([...list(one.required), ...list(other.required)])];
    return {
      ...other,
      ...one,
      ...((isSchema(one.properties) || isSchema(other.properties)) && {
        properties: { ...wordsOf(other.properties), ...wordsOf(one.properties) },
      }),
      ...(required.length > 0 && { required }),
    };
  }

  #node(node: SchemaWords, depth: number): WrittenSchema {
    this.#nodes += 1;
    if (depth > MAX_DEPTH || this.#nodes > MAX_NODES) {
      this.lossy = true;
      return {};
    }
    if (this.#refuses.has('ref') && typeof node.$ref === 'string') return this.#inlined(node, node.$ref, depth);
    const { words, lost } = this.#admitted(node);
    const written: WrittenSchema = {};
    for (const [name, value] of Object.entries(words)) {
      if (this.#refuses.has('ref') && (name === '$defs' || name === 'definitions')) continue;
      written[name] = this.#member(name, value, depth + 1);
    }
    if (Object.keys(lost).length > 0) {
      this.lossy = true;
      const rule = JSON.stringify(lost);
      written.description = typeof written.description === 'string' ? `${written.description}\n\n${rule}` : rule;
    }
    if (written.type === 'array' && written.items === undefined && written.prefixItems === undefined)
      written.items = {};
    return this.#settled(written, depth);
  }

  /** A reference written out; one within itself is an object of any kind. */
  #inlined({ $ref: _, ...beside }: SchemaWords, ref: string, depth: number): WrittenSchema {
    const target = this.#target(ref);
    if (target === null || this.#open.has(ref)) {
      this.lossy = true;
      return this.#node({ type: 'object', ...beside }, depth + 1);
    }
    this.#open.add(ref);
    const written = this.#node({ ...target, ...beside }, depth + 1);
    this.#open.delete(ref);
    return written;
  }

  #member(name: string, value: unknown, depth: number): unknown {
    if (VALUES.has(name)) return value;
    const inner = (each: unknown) => (isSchema(each) ? this.#node(each, depth) : each);
    if (NAMED.has(name) && isSchema(value)) {
      return Object.fromEntries(Object.entries(value).map(([each, schema]) => [each, inner(schema)]));
    }
    return Array.isArray(value) ? value.map(inner) : inner(value);
  }

  /** The keywords that the vendor takes, and the others that say something. */
  #admitted(node: SchemaWords): { words: SchemaWords; lost: WrittenSchema } {
    if (!this.#refuses.has('json-schema')) return { words: node, lost: {} };
    const lost: WrittenSchema = {};
    let words: WrittenSchema = {};
    for (const [name, value] of Object.entries(node)) {
      if (OPENAPI.has(name)) words[name] = value;
      else if (name === 'const' && typeof value === 'string') Object.assign(words, { type: 'string', enum: [value] });
      else if (name === 'oneOf') words.anyOf = [...list(words.anyOf), ...list(value)];
      else if (name === 'allOf')
        for (const each of list(value)) words = this.#merged(words, this.#resolved(wordsOf(each)));
      else if (name === '$ref' || name === '$defs' || name === 'definitions') words[name] = value;
      else if (name === 'additionalProperties' && typeof value === 'boolean') continue;
      else if (!ANNOTATIONS.has(name)) lost[name] = value;
    }
    if (Array.isArray(words.enum) && !words.enum.every((each) => typeof each === 'string' && each !== '')) {
      lost.enum = words.enum;
      delete words.enum;
    }
    if (words.format !== undefined && !FORMATS.has(words.format)) {
      lost.format = words.format;
      delete words.format;
    }
    if (Array.isArray(words.required)) {
      const known = wordsOf(words.properties);
      words.required = words.required.filter((each) => typeof each === 'string' && Object.hasOwn(known, each));
    }
    return { words, lost };
  }

  /** Brings types and unions into the form that the vendor takes. */
  #settled(node: WrittenSchema, depth: number): WrittenSchema {
    const { type } = node;
    if (Array.isArray(type) && this.#refuses.has('type-list')) return this.#settled(withoutTypeList(node, type), depth);
    if (!Array.isArray(node.anyOf) || !this.#refuses.has('typed-union')) return node;
    const { anyOf, type: outer, description, nullable, ...rest } = node;
    const branches = (anyOf as unknown[]).map(wordsOf);
    const some = branches.filter((branch) => branch.type !== 'null' || !this.#refuses.has('type-list'));
    const mayBeNull = nullable === true || some.length < branches.length;
    const common = {
      ...(outer !== undefined && outer !== 'null' && { type: outer }),
      ...(this.#refuses.has('type-list') && description !== undefined && { description }),
      ...(mayBeNull && { nullable: true }),
    };
    const [only] = some;
    if (some.length === 1 && only !== undefined) return { ...rest, ...common, ...only };
    const written = { anyOf: some.map((branch) => ({ ...common, ...branch })) };
    return this.#refuses.has('type-list')
      ? written
      : { ...rest, ...(description !== undefined && { description }), ...written };
  }
}

/** A list of types as a union, or as one type that may be null. */
function withoutTypeList(node: WrittenSchema, types: readonly unknown[]): WrittenSchema {
  const { type: _, ...rest } = node;
  const some = types.filter((each) => each !== 'null');
  const nullable = some.length < types.length && { nullable: true };
  if (some.length === 1) return { ...rest, type: some[0], ...nullable };
  const { items, properties, required, description, ...common } = rest;
  return {
    ...(description !== undefined && { description }),
    ...nullable,
    anyOf: some.map((type) => ({
      ...common,
      type,
      ...(type === 'array' && { items: items ?? {} }),
      ...(type === 'object' && properties !== undefined && { properties, ...(required !== undefined && { required }) }),
    })),
  };
}

/** The root with what its branches may hold. A property that differs between branches may be as in any of them. */
function withBranches(root: SchemaWords, branches: readonly SchemaWords[]): SchemaWords {
  const forms = new Map<string, Map<string, unknown>>();
  for (const { properties } of branches) {
    for (const [name, schema] of Object.entries(wordsOf(properties))) {
      const known = forms.get(name) ?? new Map<string, unknown>();
      forms.set(name, known.set(JSON.stringify(schema), schema));
    }
  }
  const all = [...forms].map(([name, some]): [string, unknown] => [name, joined([...some.values()])]);
  const [first, ...rest] = branches.map(({ required }) => list(required));
  const always = (first ?? []).filter((name) => rest.every((names) => names.includes(name)));
  const required = [...new Set([...list(root.required), ...always])];
  return {
    ...root,
    properties: { ...Object.fromEntries(all), ...wordsOf(root.properties) },
    ...(required.length > 0 && { required }),
  };
}

function joined(schemas: readonly unknown[]): unknown {
  if (schemas.length === 1) return schemas[0];
  const consts = schemas.map((schema) => wordsOf(schema).const);
  if (consts.every((value) => typeof value === 'string')) return { type: 'string', enum: consts };
  return { anyOf: schemas };
}

function isSchema(value: unknown): value is SchemaWords {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wordsOf(value: unknown): SchemaWords {
  return isSchema(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
