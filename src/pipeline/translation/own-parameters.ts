import type { Call } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import { Losses, NO_LOSSES } from '../../core/losses.ts';
import {
  inForce,
  isThinkingParameter,
  type OwnParameters,
  type ParameterName,
  type Parameters,
} from '../../core/parameters.ts';
import type { Dialect, Envelope, WriteOptions } from '../../dialects/dialect.ts';
import { isSaid, valueAt } from '../../dialects/parameter-places.ts';
import { callOf, member, parseBodyJson } from '../../dialects/request.ts';
import { type Edit, omissions, splice } from '../../json/edits.ts';
import { scanObject } from '../../json/scan.ts';
import { hasMember, memberRange } from '../../json/tape.ts';

/** Deeper than any accepted body with the operator's members. */
const MAX_DEPTH = 20_000;

/** The removed members of a version that has removed none. */
export const NONE_REMOVED: ReadonlySet<string> = new Set();

/** Changes to a body by outermost member; `undefined` removes the member. */
type PutMembers = Map<string, unknown>;

/**
 * A body with an operator's parameters, and the names of the caller's parameters that were replaced or could not be
 * written.
 */
export type WithParameters = { body: Buffer; told: readonly string[] };

/** The parameters in force for a call in this dialect. Empty for dialects of other than conversations. */
function valuesFor({ inbound }: Dialect, envelope: Envelope, own: OwnParameters): Parameters {
  const places = inbound.parameters;
  return places === undefined ? {} : inForce(own, (name) => isSaid(places, envelope, name));
}

/** The envelope with an operator's parameters. Reservations, plausibility checks and routing use it. */
export function envelopeWith(asked: Dialect, envelope: Envelope, own: OwnParameters | null): Envelope {
  if (own === null) return envelope;
  const values = valuesFor(asked, envelope, own);
  const { max_output_tokens: most, reasoning_effort: effort, thinking_budget: budget } = values;
  if (most === undefined && effort === undefined && budget === undefined) return envelope;
  return {
    ...envelope,
    ...(most !== undefined && { maxOutputTokens: most }),
    ...(effort !== undefined && { effort }),
    ...(budget !== undefined && { thinkingTokens: budget }),
  };
}

/** A translated call with an operator's parameters. */
export function callWith(
  asked: Dialect,
  envelope: Envelope,
  call: Call,
  own: OwnParameters,
): { call: Call; told: readonly string[] } {
  const changed = { ...call, ...membersOf(valuesFor(asked, envelope, own), call) };
  const losses = new Losses();
  for (const name of Object.keys(own.force)) {
    const field = FIELDS[name as ParameterName];
    if (field === undefined || call[field] === undefined) continue;
    if (JSON.stringify(call[field]) !== JSON.stringify(changed[field]))
      losses.addNames([lossOf(name as ParameterName)]);
  }
  return { call: changed, told: losses.names };
}

/** A translated body with the members that an operator adds for this vendor. */
export function bodyWith(body: Buffer, own: OwnParameters): Buffer {
  return put(body, new Map(), own, NONE_REMOVED).body;
}

/** An untranslated body with an operator's parameters in its vendor's form. Members in `removed` are not set. */
export function passedWith(
  dialect: Dialect,
  { envelope, body, removed }: { envelope: Envelope; body: Buffer; removed: ReadonlySet<string> },
  own: OwnParameters,
  options: WriteOptions,
): WithParameters {
  const values = valuesFor(dialect, envelope, own);
  const names = Object.keys(values) as ParameterName[];
  if (names.length === 0) return put(body, new Map(), own, removed);
  const { of, besideThinking } = dialect.inbound.parameters!;
  const isRemoved = (name: ParameterName) => of[name].some((place) => removed.has(place));
  const thinks = names.some(isThinkingParameter);
  const written = writtenWith(dialect, envelope, values, { ...options, reads: thinks && besideThinking.length > 0 });
  const members: PutMembers = new Map();
  const losses = new Losses();
  const replace = (name: ParameterName): boolean => replaced(of[name], envelope, written.body, members);
  for (const name of names) {
    if (isRemoved(name)) {
      losses.addNames([lossOf(name)]);
      continue;
    }
    const wasSaid = isSaid(dialect.inbound.parameters!, envelope, name);
    const isChanged = replace(name);
    if ((wasSaid && isChanged) || written.dropped.includes(lossOf(name))) losses.addNames([lossOf(name)]);
  }
  for (const name of thinks ? besideThinking : []) {
    if (names.includes(name) || isRemoved(name) || !isSaid(dialect.inbound.parameters!, envelope, name)) continue;
    // A limit that is raised to have room for thinking takes nothing away.
    if (replace(name) && name !== 'max_output_tokens') losses.addNames([lossOf(name)]);
  }
  const { body: done, told } = put(body, members, own, removed);
  losses.addNames(told);
  return { body: done, told: losses.names };
}

/** These parameters as the dialect's own writer writes them for the vendor. */
function writtenWith(
  dialect: Dialect,
  envelope: Envelope,
  values: Parameters,
  { reads, ...options }: WriteOptions & { reads: boolean },
): { body: Readonly<Record<string, unknown>>; dropped: readonly string[] } {
  const call = reads ? readOrBare(dialect, envelope) : BARE;
  const { body, dropped } = dialect.translation!.writeCall({ ...call, ...membersOf(values, call) }, options);
  return { body: parseBodyJson(body.toString('utf8')) as Record<string, unknown>, dropped };
}

const BARE: Call = { messages: [], tools: [] };

/** The whole call, or an empty one: an untranslated body need not be readable. */
function readOrBare(dialect: Dialect, envelope: Envelope): Call {
  try {
    return callOf(dialect, envelope);
  } catch (error) {
    if (error instanceof GatewayError) return BARE;
    throw error;
  }
}

/**
 * Puts the written values of these places into the members, and removes the caller's. @returns whether anything changes
 */
function replaced(
  places: readonly string[],
  envelope: Envelope,
  written: Readonly<Record<string, unknown>>,
  members: PutMembers,
): boolean {
  const now = (name: string) => (members.has(name) ? members.get(name) : member(envelope, name));
  let isChanged = false;
  for (const place of places) {
    const [outer = '', inner] = place.split('.');
    const before = valueAt(place, now);
    const after = valueAt(place, (name) => written[name]);
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    isChanged = true;
    if (inner === undefined) members.set(outer, after);
    else {
      const { [inner]: _, ...rest } = (now(outer) ?? {}) as Record<string, unknown>;
      const grown = after === undefined ? rest : { ...rest, [inner]: after };
      members.set(outer, Object.keys(grown).length === 0 ? undefined : grown);
    }
  }
  return isChanged;
}

/** Writes members into a body, and the members that the operator adds under the vendor's names, except removed ones. */
function put(
  body: Buffer,
  members: PutMembers,
  { defaults, force }: OwnParameters,
  removed: ReadonlySet<string>,
): WithParameters {
  if (members.size === 0 && defaults.body === undefined && force.body === undefined) return { body, told: NO_LOSSES };
  const index = scanObject(body, MAX_DEPTH);
  const told: string[] = [];
  for (const [name, value] of Object.entries(defaults.body ?? {})) {
    if (hasMember(body, index, name) || Object.hasOwn(force.body ?? {}, name)) continue;
    if (removed.has(name)) told.push(name);
    else members.set(name, value);
  }
  for (const [name, value] of Object.entries(force.body ?? {})) {
    if (removed.has(name)) {
      told.push(name);
      continue;
    }
    const range = memberRange(body, index, name);
    const before = range && JSON.stringify(parseBodyJson(body.toString('utf8', range.start, range.end)));
    if (before === JSON.stringify(value)) continue;
    if (before !== undefined && before !== 'null') told.push(name);
    members.set(name, value);
  }
  if (members.size === 0) return { body, told };
  const gone = [...members].flatMap(([name, value]) => (value === undefined ? [name] : []));
  const edits: Edit[] = omissions(body, index, gone);
  const added: string[] = [];
  for (const [name, value] of members) {
    if (value === undefined) continue;
    const range = memberRange(body, index, name);
    if (range === undefined) added.push(`,${JSON.stringify(name)}:${JSON.stringify(value)}`);
    else edits.push({ ...range, text: JSON.stringify(value) });
  }
  edits.sort((one, other) => one.start - other.start);
  if (added.length > 0) edits.push({ start: index.closeAt, end: index.closeAt, text: added.join('') });
  return { body: splice(body, edits), told };
}

/** The member of a call that has each parameter. */
const FIELDS = {
  max_output_tokens: 'maxOutputTokens',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  seed: 'seed',
  stop: 'stop',
  reasoning_effort: 'reasoning',
  thinking_budget: 'reasoning',
  verbosity: 'verbosity',
  service_tier: 'serviceTier',
} as const satisfies Record<ParameterName, keyof Call>;

/** The name by which a parameter is reported to the caller. */
function lossOf(name: ParameterName): string {
  return name === 'thinking_budget' ? 'reasoning_effort' : name;
}

/** Parameters as members of a call. How the reasoning is shown remains the caller's choice. */
function membersOf(values: Parameters, { reasoning }: Call): Partial<Call> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (isThinkingParameter(name)) continue;
    members[FIELDS[name as ParameterName]] = value;
  }
  const { reasoning_effort: effort, thinking_budget: budgetTokens } = values;
  if (effort === undefined && budgetTokens === undefined) return members;
  const summary = reasoning?.summary;
  const wish = effort === undefined ? { budgetTokens } : { effort };
  return { ...members, reasoning: { ...(summary !== undefined && { summary }), ...wish } } as Partial<Call>;
}
