import { Losses } from '../../core/losses.ts';
import type { Quirks, ToolRules } from '../../core/provider.ts';
import type { Envelope } from '../../dialects/dialect.ts';
import { readRequestBody, rootOf } from '../../dialects/request.ts';
import { refusedForms, writeToolSchema } from '../../dialects/tool-schema.ts';
import { type Edit, splice } from '../../json/edits.ts';
import type { JsonNode } from '../../json/node.ts';
import { isWord } from '../../json/scan.ts';
import { hasMember, memberAt, TAPE_STEP, type Tape } from '../../json/tape.ts';
import { legalNamesOf, NONE_SHORTENED, type SentNames, type ToolNameRules } from './tool-names.ts';

/** A call whose tools were rewritten: its envelope with the new body, the names sent, and what could not be said. */
export type FittedTools = { envelope: Envelope; sent: SentNames; dropped: readonly string[] };

/** How deep a rewritten body may be nested: as deep as the caller's, and a schema that is written out. */
const MAX_DEPTH = 4096;

/**
 * A call that passes, with the names and schemas of its tools as the vendor takes them; `null` if it takes them as they
 * are. Names are rewritten wherever they stand, and must be given back in the answer.
 */
export function fitTools(envelope: Envelope, names: ToolNameRules, quirks: Quirks): FittedTools | null {
  if (!mayBeRefused(envelope, names, quirks.tools)) return null;
  const root = rootOf(envelope);
  const declared = ['tools', 'functions'].flatMap((list) => root.get(list)?.items() ?? []);
  const written = legalNamesOf(new Set(declared.flatMap((tool) => nameIn(innerOf(tool)) ?? [])), names);
  const losses = new Losses();
  const edits = declared.flatMap((tool) => toolEdit(tool, written, quirks, losses));
  if (written.size > 0) edits.push(...renames(root, written));
  if (edits.length === 0) return null;
  edits.sort((one, other) => one.start - other.start);
  const { body, index } = readRequestBody(splice(envelope.body, edits), MAX_DEPTH);
  const sent = written.size === 0 ? NONE_SHORTENED : new Map([...written].map(([own, short]) => [short, own]));
  return { envelope: { ...envelope, body, index }, sent, dropped: losses.names };
}

/** The object of a tool that holds its name: chat nests it. */
function innerOf(tool: JsonNode): JsonNode {
  return [tool.get('function'), tool.get('custom')].find((inner) => inner?.isObject) ?? tool;
}

function nameIn(inner: JsonNode): string | null {
  return inner.get('name')?.text ?? null;
}

function toolEdit(tool: JsonNode, written: ReadonlyMap<string, string>, quirks: Quirks, losses: Losses): Edit[] {
  const inner = innerOf(tool);
  const name = written.get(nameIn(inner) ?? '');
  const place = ['parameters', 'input_schema'].find((each) => inner.get(each)?.isObject);
  const schema = place === undefined ? null : schemaOf(inner, place, quirks, losses);
  if (name === undefined && schema === null) return [];
  const { strict, ...own } = inner.parsed() as Record<string, unknown>;
  // The vendor cannot be held to a schema that does not say everything.
  const isLoose = strict === true && schema?.isWhole === false;
  if (isLoose) losses.add('strict');
  const keptStrict = strict === undefined || isLoose ? {} : { strict };
  const value = { ...own, ...keptStrict, ...(name !== undefined && { name }), ...schema?.members };
  return [{ start: inner.start, end: inner.end, text: JSON.stringify(value) }];
}

type FittedSchema = { members: Record<string, unknown>; isWhole: boolean };

/** The members of a tool whose schema the vendor refuses, as it takes them; `null` if it takes the schema. */
function schemaOf(inner: JsonNode, place: string, quirks: Quirks, losses: Losses): FittedSchema | null {
  const given = inner.get(place)!.parsed() as Record<string, unknown>;
  const own = new Losses();
  const description = inner.get('description')?.text ?? undefined;
  const { parameters, ...words } = writeToolSchema({ description, parameters: given }, quirks, own);
  if (JSON.stringify(parameters) === JSON.stringify(given)) return null;
  const isWhole = !own.names.includes('tool_schema');
  if (!isWhole) losses.add('tool_schema');
  return { members: { ...words, [place]: parameters }, isWhole };
}

const CALLERS = new Set(['function', 'custom', 'function_call']);
const CALL_TYPES = new Set(['function', 'custom', 'function_call', 'custom_tool_call', 'tool_use', 'tool']);
const RESULT_ROLES = new Set(['tool', 'function']);

/** The edits of the names in the conversation and in the choice of a tool. */
function renames(root: JsonNode, written: ReadonlyMap<string, string>): Edit[] {
  const edits: Edit[] = [];
  for (const place of ['messages', 'input', 'tool_choice', 'function_call']) {
    root.get(place)?.walk((inner, outer) => {
      // What a model said as input of a tool is its own.
      if (inner.name === 'input' && !inner.isText) return false;
      const short = inner.name === 'name' || inner.name === 'tool_name' ? written.get(inner.text ?? '') : undefined;
      if (short !== undefined && namesTool(outer, inner.name === 'tool_name')) {
        edits.push({ start: inner.start, end: inner.end, text: JSON.stringify(short) });
      }
      return true;
    });
  }
  return edits;
}

function namesTool(outer: JsonNode, isReference: boolean): boolean {
  const type = outer.get('type')?.text ?? '';
  if (isReference) return type === 'tool_reference';
  if (CALLERS.has(outer.name ?? '') || CALL_TYPES.has(type)) return true;
  return RESULT_ROLES.has(outer.get('role')?.text ?? '');
}

/** Whether a call declares tools: without any, nothing else is looked at. */
export function declaresTools({ body, index }: Envelope): boolean {
  return hasMember(body, index, 'tools') || hasMember(body, index, 'functions');
}

/** What no root of a schema may hold at most vendors. */
const NOT_AT_ROOT = ['anyOf"', 'oneOf"', 'allOf"', 'enum"', 'const"', 'not"', '$ref"'];
const BEGIN_NOT_AT_ROOT = bytesOf(/[aoecn$]/);
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const PLAIN_BYTES = bytesOf(/[A-Za-z0-9_-]/);
const BEGINNINGS = bytesOf(/[A-Za-z_]/);

type Looked = { body: Buffer; tape: Tape; names: ToolNameRules; forms: ReturnType<typeof refusedForms> };

/**
 * Whether the vendor may refuse a tool of a call that passes.
 *
 * /!\ Hot path: reads the tape of the scan: of each tool its name, and the outermost names of its schema.
 */
function mayBeRefused({ body, index }: Envelope, names: ToolNameRules, rules: ToolRules | undefined): boolean {
  const looked = { body, tape: index.tape, names, forms: refusedForms(rules) };
  return (
    isAnyRefused(looked, memberAt(body, index, 'tools')) || isAnyRefused(looked, memberAt(body, index, 'functions'))
  );
}

function isAnyRefused(looked: Looked, list: number): boolean {
  if (list < 0) return false;
  const { tape } = looked;
  const end = tape[list + 3]!;
  for (let at = list + TAPE_STEP; at < end; at = tape[at + 3]!) if (isRefused(looked, at)) return true;
  return false;
}

function isRefused(looked: Looked, tool: number): boolean {
  const { body, tape, forms } = looked;
  const end = tape[tool + 3]!;
  for (let at = tool + TAPE_STEP; at < end; at = tape[at + 3]!) {
    const quote = tape[at]!;
    if (quote < 0) return true;
    const value = tape[at + 1]!;
    if (body[value] === OPEN_BRACE) {
      if (isWord(body, quote + 1, 'function"') || isWord(body, quote + 1, 'custom"')) {
        if (isRefused(looked, at)) return true;
      } else if (isWord(body, quote + 1, 'parameters"') || isWord(body, quote + 1, 'input_schema"')) {
        if (forms.deep || isRootRefused(looked, at)) return true;
      }
    } else if (isWord(body, quote + 1, 'name"') && body[value] === QUOTE && !isLegalAt(looked, value, tape[at + 2]!))
      return true;
  }
  return false;
}

function isRootRefused({ body, tape, forms }: Looked, schema: number): boolean {
  if (!forms.noProperties && !forms.rootUnion) return false;
  let hasProperties = false;
  let hasType = false;
  const end = tape[schema + 3]!;
  for (let at = schema + TAPE_STEP; at < end; at = tape[at + 3]!) {
    const quote = tape[at]!;
    if (quote < 0) return true;
    if (isWord(body, quote + 1, 'properties"')) hasProperties = true;
    else if (isWord(body, quote + 1, 'type"')) hasType = true;
    else if (forms.rootUnion && BEGIN_NOT_AT_ROOT[body[quote + 1]!] === 1 && isNotAtRoot(body, quote + 1)) return true;
  }
  return (forms.noProperties && !hasProperties) || (forms.rootUnion && !hasType);
}

/** Whether the name in quotes is legal as its bytes stand. One with escapes is read before it is judged. */
function isLegalAt({ body, names }: Looked, start: number, end: number): boolean {
  if (names.any === true) return true;
  const length = end - start - 2;
  if (length === 0 || length > names.longest) return false;
  for (let at = start + 1; at < end - 1; at += 1) if (PLAIN_BYTES[body[at]!] === 0) return false;
  return names.startsWithLetter !== true || BEGINNINGS[body[start + 1]!] === 1;
}

function bytesOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

function isNotAtRoot(body: Buffer, start: number): boolean {
  return NOT_AT_ROOT.some((word) => isWord(body, start, word));
}
