import { caseless } from '../json/names.ts';
import type { JsonNode } from '../json/node.ts';
import { FURTHER_MODELS } from './upstream-request.ts';

/** A model that a call names besides its own, and the path of the member. */
export type FurtherModel = { name: string; param: string };

/*
 * The places where vendors and gateways read further models. Names are compared in one case and without `_` and `-`.
 * Nothing else in a body is searched: elsewhere, `model` may be a column, a product or a member of a schema.
 */

/** Names of a model, and of several, in vendors' words. */
const MODEL = ['model', 'models', 'modelid', 'modelids', 'modelname', 'modelnames', 'modeluri'];
/** What a gateway asks where the first model fails. */
const FALLBACKS = [
  ...['fallbackmodel', 'fallbackmodels', 'fallbacks', 'defaultfallbacks'],
  ...['contextwindowfallbacks', 'contentpolicyfallbacks'],
];
/** Members of a body, of `extra_body`, and of a gateway's settings. */
const OF_BODY: ReadonlySet<string> = new Set([
  ...MODEL,
  ...FALLBACKS,
  // Models that draft for the first one, or judge it.
  ...['draftmodel', 'judgemodel'],
  // What clouds call a model that they serve.
  ...['engine', 'engineid', 'deployment', 'deploymentid', 'deploymentname'],
]);
/** Members of a tool or plugin that a vendor runs. The `engine` of a search is no model. */
const OF_TOOL: ReadonlySet<string> = new Set([...MODEL, ...FALLBACKS, 'judgemodel', 'analysismodels']);
/** Members that a gateway merges into the body, one level deep. */
const MERGED = 'extrabody';
/** Settings of gateways, and settings by vendor, of which a gateway reads its own. */
const SETTINGS: ReadonlySet<string> = new Set(['options', 'orq', 'gateway']);
const SETTINGS_BY_VENDOR = 'provideroptions';
const TOOLS = 'tools';
const PLUGINS = 'plugins';
/** All members that `ofBody` reads. */
const READ: ReadonlySet<string> = new Set([...OF_BODY, ...SETTINGS, SETTINGS_BY_VENDOR, TOOLS, PLUGINS]);
const OF_OWN_TOOL = 'parameters';
/** Types of tools whose `parameters` are the caller's schema. */
const CALLERS_TOOLS: ReadonlySet<string | null> = new Set(['function', 'custom', null]);
/** Members of an object that stands for a model. */
const OF_MODEL: ReadonlySet<string> = new Set(['model', 'models', 'id', 'name', 'slug']);
/** Lists of an object that stands for a model which name none. Its other lists may: `{"small": ["large"]}`. */
const NO_MODELS: ReadonlySet<string> = new Set(['messages', 'stop', 'tools']);
/** How deep a name may be in a value: a list of maps of lists of objects. */
const MAX_LEVELS = 4;

/** The models that a body names besides its own. Members that limited keys' vendors are not sent are not searched. */
export function* furtherModels(body: JsonNode): Iterable<FurtherModel> {
  for (const member of body.children()) {
    const written = member.name!;
    if (written === 'model' || FURTHER_MODELS.includes(written)) continue;
    if (plain(written) !== MERGED) yield* ofBody(member, written);
    else for (const inner of membersOf(member)) yield* ofBody(inner, inner.name!, `${written}.`);
  }
}

/** @param outer the path of the object that has the member, with a dot behind it */
function* ofBody(value: JsonNode, written: string, outer = ''): Iterable<FurtherModel> {
  const name = plain(written);
  if (!READ.has(name)) return;
  const param = `${outer}${written}`;
  if (OF_BODY.has(name)) yield* named(value, param);
  else if (SETTINGS.has(name)) yield* ofObject(value, param, OF_BODY);
  else if (name === SETTINGS_BY_VENDOR) {
    for (const inner of membersOf(value))
      if (SETTINGS.has(plain(inner.name!))) yield* ofObject(inner, `${param}.${inner.name}`, OF_BODY);
  } else for (const [index, tool] of value.items().entries()) yield* ofTool(tool, `${param}[${index}]`, name);
}

function* ofTool(tool: JsonNode, param: string, list: string): Iterable<FurtherModel> {
  yield* ofObject(tool, param, OF_TOOL);
  if (list === TOOLS && CALLERS_TOOLS.has(tool.get('type')?.text ?? null)) return;
  for (const inner of membersOf(tool))
    if (plain(inner.name!) === OF_OWN_TOOL) yield* ofObject(inner, `${param}.${inner.name}`, OF_TOOL);
}

function* ofObject(object: JsonNode, param: string, names: ReadonlySet<string>): Iterable<FurtherModel> {
  for (const member of membersOf(object))
    if (names.has(plain(member.name!))) yield* named(member, `${param}.${member.name}`);
}

function* named(value: JsonNode, param: string): Iterable<FurtherModel> {
  yield* modelsIn(value, param, MAX_LEVELS);
  if (plain(value.name!) !== 'models') return;
  // `{"large": {…}}`: the names are those of the members.
  for (const { name } of membersOf(value)) if (!OF_MODEL.has(plain(name!))) yield { name: name!, param };
}

/**
 * A name, names between commas, the names in a list, and those in an object that stands for a model.
 *
 * @param place the path of the value itself; `param` is the path to report
 */
function* modelsIn(value: JsonNode, param: string, levels: number, place = param): Iterable<FurtherModel> {
  if (value.isText) {
    for (const part of value.text!.split(',')) if (part.trim() !== '') yield { name: part.trim(), param };
  } else if (levels > 0 && value.isList) {
    for (const [index, inner] of value.children().entries())
      yield* modelsIn(inner, param, levels - 1, inner.isObject ? `${place}[${index}]` : place);
  } else if (levels > 0) {
    for (const inner of membersOf(value).filter(mayName))
      yield* modelsIn(inner, plain(inner.name!) === 'model' ? `${place}.${inner.name}` : param, levels - 1);
  }
}

function mayName(member: JsonNode): boolean {
  const name = plain(member.name!);
  return OF_MODEL.has(name) || (member.isList && !NO_MODELS.has(name));
}

function membersOf(value: JsonNode): readonly JsonNode[] {
  return value.isObject ? value.children() : [];
}

function plain(name: string): string {
  return caseless(name).replace(/[_-]/g, '');
}
