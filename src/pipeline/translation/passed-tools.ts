import { Losses } from '../../core/losses.ts';
import type { Quirks } from '../../core/quirks.ts';
import type { Dialect, Envelope } from '../../dialects/dialect.ts';
import { readRequestBody, rootOf } from '../../dialects/request.ts';
import { knownForms } from '../../dialects/tool-forms.ts';
import { writeToolSchema } from '../../dialects/tool-schema.ts';
import { type Edit, splice } from '../../json/edits.ts';
import type { JsonNode } from '../../json/node.ts';
import { mayRefuseTools, namesTools } from './refused-tools.ts';
import { legalNamesOf, NONE_SHORTENED, type SentNames, toolNameRules } from './tool-names.ts';

/** A call whose tools were rewritten: its envelope with the new body, the names sent, and what could not be said. */
export type FittedTools = { envelope: Envelope; sent: SentNames; dropped: readonly string[] };

/** How deep a rewritten body may be nested: as deep as the caller's, and a schema that is written out. */
const MAX_DEPTH = 4096;

/**
 * A call that passes, with the names and schemas of its tools as the vendor takes them; `null` if it takes them as they
 * are. A vendor of which nothing is known gets names that all take, and `properties` where there are none. Names are rewritten wherever they stand, and must be given back in the answer.
 */
export function fitTools(envelope: Envelope, { translation }: Dialect, quirks: Quirks): FittedTools | null {
  if (translation === undefined || !namesTools(envelope)) return null;
  const names = toolNameRules(translation, quirks);
  if (!mayRefuseTools(envelope, names, knownForms(quirks.tools))) return null;
  const root = rootOf(envelope);
  const declared = declaredTools(root);
  const mentions = mentionsOf(root);
  const known = [...declared.map((tool) => nameIn(innerOf(tool))), ...mentions.map(({ text }) => text)];
  const written = legalNamesOf(new Set(known.filter((name) => name !== null)), names);
  const losses = new Losses();
  const edits = declared.flatMap((tool) => toolEdit(tool, written, quirks, losses));
  for (const { start, end, text } of mentions) {
    const short = written.get(text ?? '');
    if (short !== undefined) edits.push({ start, end, text: JSON.stringify(short) });
  }
  if (edits.length === 0) return null;
  edits.sort((one, other) => one.start - other.start);
  const { body, index } = readRequestBody(splice(envelope.body, edits), MAX_DEPTH);
  const sent = written.size === 0 ? NONE_SHORTENED : new Map([...written].map(([own, short]) => [short, own]));
  return { envelope: { ...envelope, body, index }, sent, dropped: losses.names };
}

/** The tools of a call, those within namespaces, and those that items of the conversation bring. */
function declaredTools(root: JsonNode): JsonNode[] {
  const lists = [
    root.get('tools'),
    root.get('functions'),
    ...(root.get('input')?.items() ?? []).map((item) => item.get('tools')),
  ];
  const tools = lists.flatMap((list) => list?.items() ?? []);
  return tools.flatMap((tool) => {
    const within = tool.get('tools');
    return within?.isList === true ? within.items() : [tool];
  });
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
function schemaOf(inner: JsonNode, place: string, { tools }: Quirks, losses: Losses): FittedSchema | null {
  const given = inner.get(place)!.parsed() as Record<string, unknown>;
  const tool = { description: inner.get('description')?.text ?? undefined, parameters: given };
  const { parameters, isWhole, ...words } = writeToolSchema(tool, knownForms(tools), losses);
  if (JSON.stringify(parameters) === JSON.stringify(given)) return null;
  return { members: { ...words, [place]: parameters }, isWhole };
}

const CALLERS = new Set(['function', 'custom', 'function_call']);
const CALL_TYPES = new Set(['function', 'custom', 'function_call', 'custom_tool_call', 'tool_use', 'tool']);
const RESULT_ROLES = new Set(['tool', 'function']);

/** The names of tools in the conversation and in the choice of a tool. */
function mentionsOf(root: JsonNode): JsonNode[] {
  const found: JsonNode[] = [];
  for (const place of ['messages', 'input', 'tool_choice', 'function_call']) {
    const outermost = root.get(place);
    outermost?.walk((inner, outer) => {
      // What a model said as input of a tool is its own; tools that an item brings are declared.
      if (inner.name === 'input' && !inner.isText) return false;
      if (inner.name === 'tools' && place === 'input') return false;
      const isReference = inner.name === 'tool_name';
      if ((inner.name === 'name' || isReference) && inner.isText && namesTool(outer, isReference)) found.push(inner);
      return true;
    });
  }
  return found;
}

function namesTool(outer: JsonNode, isReference: boolean): boolean {
  const type = outer.get('type')?.text ?? '';
  if (isReference) return type === 'tool_reference';
  if (CALLERS.has(outer.name ?? '') || CALL_TYPES.has(type)) return true;
  return RESULT_ROLES.has(outer.get('role')?.text ?? '');
}
