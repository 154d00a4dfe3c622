import type { Losses } from '../core/losses.ts';
import type { Quirks, SchemaForm } from '../core/quirks.ts';
import { type KnownForms, unwrittenForms } from './tool-forms.ts';
import { isNumberFormat, ofThisDraft, type WrittenSchema, withBranches, withoutTypeList } from './tool-schema-parts.ts';
import { isObject, listOf, objectOf, type Unchecked } from './unchecked-json.ts';

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
/** Keywords that hold schemas, of which each may be `true` or `false`. */
const SCHEMAS = new Set(['properties', 'items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', '$defs', 'definitions']);
/** What Anthropic takes as a property's name. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
/** A pattern that looks around, refers back, or has `\\0`. */
const ODD_PATTERN = /\(\?(?:[=!]|<[=!]|P?[=>])|\\(?:[0-9]|k[<{])/;

/**
 * A tool's description and schema as its vendor accepts them. `parameters` is missing if the vendor refuses an empty
 * schema; `isWhole`: the schema says everything that the caller's did.
 */
export type ToolWords = { description?: string; parameters?: Unchecked; isWhole: boolean };
type ToolSchema = { description?: string | undefined; parameters: Unchecked | null };

/** The schema of a tool of a translated call; see `writeToolSchema`. */
export function translatedSchema(tool: ToolSchema, quirks: Quirks, losses: Losses): ToolWords {
  return written(tool, unwrittenForms(quirks), losses);
}

/**
 * The schema of a tool without the forms that this vendor refuses. What the schema cannot say is put into the
 * description and reported.
 */
export function writeToolSchema(tool: ToolSchema, { all }: KnownForms, losses: Losses): ToolWords {
  return written(tool, all, losses);
}

function written({ description, parameters }: ToolSchema, refuses: ReadonlySet<SchemaForm>, losses: Losses): ToolWords {
  const writer = new SchemaWriter(parameters ?? {}, refuses);
  const schema = writer.written();
  if (writer.lossy) losses.add('tool_schema');
  const words = [description ?? '', writer.rules].filter((each) => each !== '').join('\n\n');
  const isEmpty = refuses.has('empty') && Object.keys(objectOf(schema.properties)).length === 0;
  return {
    ...(words !== '' && { description: words }),
    ...(!isEmpty && { parameters: schema }),
    isWhole: !writer.lossy,
  };
}

class SchemaWriter {
  lossy = false;
  /** What the root schema cannot say, as text. */
  rules = '';
  readonly #root: Unchecked;
  readonly #refuses: ReadonlySet<SchemaForm>;
  /** References that are being written out. */
  readonly #open = new Set<string>();
  #nodes = 0;

  constructor(root: Unchecked, refuses: ReadonlySet<SchemaForm>) {
    this.#root = root;
    this.#refuses = refuses;
  }

  written(): WrittenSchema {
    const flat = this.#refuses.has('root-union') ? this.#flattened(this.#root) : this.#root;
    const { type: _, ...root } = this.#refuses.has('property-names') ? this.#named(flat) : flat;
    const type = this.#refuses.has('root-union') ? 'object' : (this.#root.type ?? 'object');
    const needsProperties = this.#refuses.has('no-properties') || Object.keys(this.#root).length === 0;
    const written = this.#node({ type, ...(needsProperties && { properties: {} }), ...root }, 0);
    if (!needsProperties) return { ...written, type };
    return { ...written, type, properties: isObject(written.properties) ? written.properties : {} };
  }

  /** The root without unions: the properties of all branches, of which only those are required that all require. */
  #flattened(root: Unchecked): Unchecked {
    const lost: WrittenSchema = {};
    let flat = this.#resolved(root);
    for (const each of listOf(flat.allOf)) flat = this.#merged(flat, this.#resolved(objectOf(each)));
    for (const union of UNIONS) {
      const branches = listOf(flat[union]).map((each) => this.#resolved(objectOf(each)));
      if (branches.length === 0) continue;
      lost[union] = branches.map(({ properties, required = [] }) =>
        isObject(properties) ? { properties: Object.keys(properties), required } : { required },
      );
      flat = withBranches(flat, branches);
    }
    for (const word of NEVER_AT_ROOT) if (flat[word] !== undefined) lost[word] = flat[word];
    const gone = new Set<string>(['allOf', ...UNIONS, ...NEVER_AT_ROOT]);
    if (Object.keys(lost).length > 0) this.#tell(`The input must also follow ${JSON.stringify(lost)}.`);
    return Object.fromEntries(Object.entries(flat).filter(([name]) => !gone.has(name)));
  }

  /** The root without properties whose names vendors refuse. The model may still write them. */
  #named(root: Unchecked): Unchecked {
    const all = Object.entries(objectOf(root.properties));
    const others = all.filter(([name]) => !PROPERTY_NAME.test(name));
    if (others.length === 0) return root;
    const names = new Set<unknown>(others.map(([name]) => name));
    const needed = listOf(root.required).filter((name) => names.has(name));
    const must = needed.length === 0 ? '' : ` It must have ${JSON.stringify(needed)}.`;
    this.#tell(`The input may also have the properties ${JSON.stringify(Object.fromEntries(others))}.${must}`);
    const { additionalProperties, required, ...rest } = root;
    return {
      ...rest,
      properties: Object.fromEntries(all.filter(([name]) => !names.has(name))),
      ...(required !== undefined && { required: listOf(required).filter((name) => !names.has(name)) }),
      ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    };
  }

  #tell(rule: string): void {
    this.lossy = true;
    this.rules = this.rules === '' ? rule : `${this.rules}\n\n${rule}`;
  }

  /** The target of a schema that is a reference, with the keywords beside the reference. */
  #resolved(node: Unchecked): Unchecked {
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
  #target(ref: string): Unchecked | null {
    if (ref !== '#' && !ref.startsWith('#/')) return null;
    let at: unknown = this.#root;
    for (const step of ref.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    return isObject(at) ? at : null;
  }

  #merged(one: Unchecked, other: Unchecked): Unchecked {
    const required = [...new Set([...listOf(one.required), ...listOf(other.required)])];
    return {
      ...other,
      ...one,
      ...((isObject(one.properties) || isObject(other.properties)) && {
        properties: { ...objectOf(other.properties), ...objectOf(one.properties) },
      }),
      ...(required.length > 0 && { required }),
    };
  }

  #node(given: Unchecked, depth: number): WrittenSchema {
    this.#nodes += 1;
    if (depth > MAX_DEPTH || this.#nodes > MAX_NODES) {
      this.lossy = true;
      return {};
    }
    const node = this.#refuses.has('old-draft') ? ofThisDraft(given) : given;
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
  #inlined({ $ref: _, ...beside }: Unchecked, ref: string, depth: number): WrittenSchema {
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
    const refusesBoolean = this.#refuses.has('boolean') && SCHEMAS.has(name);
    const inner = (each: unknown) => {
      if (isObject(each)) return this.#node(each, depth);
      return each === true && refusesBoolean ? {} : each;
    };
    if (NAMED.has(name) && isObject(value)) {
      // A property whose schema is `false` must not be there.
      const held = Object.entries(value).filter(([, schema]) => !(schema === false && refusesBoolean));
      return Object.fromEntries(held.map(([each, schema]) => [each, inner(schema)]));
    }
    return Array.isArray(value) ? value.map(inner) : inner(value);
  }

  /** The keywords that the vendor takes, and the others that say something. */
  #admitted(node: Unchecked): { words: Unchecked; lost: WrittenSchema } {
    const { words, lost } = this.#ofOpenapi(node);
    const { pattern, ...others } = words;
    if (!this.#refuses.has('pattern') || typeof pattern !== 'string' || !ODD_PATTERN.test(pattern))
      return { words, lost };
    return { words: others, lost: { ...lost, pattern } };
  }

  #ofOpenapi(node: Unchecked): { words: Unchecked; lost: WrittenSchema } {
    if (!this.#refuses.has('json-schema')) return { words: node, lost: {} };
    const lost: WrittenSchema = {};
    let words: WrittenSchema = {};
    for (const [name, value] of Object.entries(node)) {
      if (OPENAPI.has(name)) words[name] = value;
      else if (name === 'const' && typeof value === 'string') Object.assign(words, { type: 'string', enum: [value] });
      else if (name === 'oneOf') words.anyOf = [...listOf(words.anyOf), ...listOf(value)];
      else if (name === 'allOf')
        for (const each of listOf(value)) words = this.#merged(words, this.#resolved(objectOf(each)));
      else if (name === '$ref' || name === '$defs' || name === 'definitions') words[name] = value;
      else if (name === 'additionalProperties' && typeof value === 'boolean') continue;
      else if (!ANNOTATIONS.has(name)) lost[name] = value;
    }
    if (Array.isArray(words.enum) && !words.enum.every((each) => typeof each === 'string' && each !== '')) {
      lost.enum = words.enum;
      delete words.enum;
    }
    if (words.format !== undefined && !FORMATS.has(words.format) && !isNumberFormat(words)) {
      lost.format = words.format;
      delete words.format;
    }
    if (Array.isArray(words.required)) {
      const known = objectOf(words.properties);
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
    const branches = (anyOf as unknown[]).map(objectOf);
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
