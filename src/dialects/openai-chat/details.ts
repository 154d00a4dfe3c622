import type { ReasoningPart } from '../../core/call.ts';
import { markSeal, packSeal, type Seal, unpackSeal } from '../../core/seal.ts';
import { parseJson } from '../../json/parse.ts';
import type { FoundSeal } from '../seal-marks.ts';
import { isObject, listOf, objectOf, textOf } from '../unchecked-json.ts';
import type { WireChoice, WireDetail } from './wire.ts';

/**
 * `reasoning_details`: reasoning with its proof in OpenRouter's format, which clients know to send back.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 *
 * A seal of this dialect is the JSON of its entries without their text, or of the vendor's own data beside a message or
 * a tool call (`vendorDataOf`).
 */

/** One entry. `rest` is the entry without its text. */
export type Detail = {
  text: string;
  form: ReasoningPart['form'] | null;
  index: number | null;
  rest: WireDetail;
};

/** Entries of one part: those of one index, up to the one with a seal. Grows in place. */
export type DetailGroup = {
  form: ReasoningPart['form'] | null;
  readonly index: number | null;
  /** The members of each entry. */
  readonly entries: Map<string, unknown>[];
};

/** Reads an entry; `null` if it has no content. */
export function readDetail(value: unknown): Detail | null {
  const { text: full, summary, ...rest } = objectOf(value);
  const said = textOf(full) || textOf(summary);
  if (typeof rest.type !== 'string' || (said === '' && opaqueIn(rest) === null)) return null;
  const form = rest.type === 'reasoning.summary' ? 'summary' : rest.type === 'reasoning.text' ? 'full' : null;
  return { text: said, form, index: typeof rest.index === 'number' ? rest.index : null, rest };
}

/** Adds an entry to a group. @returns false if it belongs to another group; then nothing is added */
export function joinDetail(group: DetailGroup, detail: Detail): boolean {
  if (detail.index === null || group.index !== detail.index || isSealed(group)) return false;
  if (group.form !== null && detail.form !== null && group.form !== detail.form) return false;
  const last = group.entries.at(-1);
  if (last?.get('type') === detail.rest.type) {
    for (const [name, value] of Object.entries(detail.rest)) if (value !== null && value !== '') last?.set(name, value);
  } else group.entries.push(new Map(Object.entries(detail.rest)));
  group.form ??= detail.form;
  return true;
}

export function beginGroup({ form, index, rest }: Detail): DetailGroup {
  return { form, index, entries: [new Map(Object.entries(rest))] };
}

export function isSealed(group: DetailGroup | null): boolean {
  const last = group?.entries.at(-1);
  return last !== undefined && opaqueIn({ signature: last.get('signature'), data: last.get('data') }) !== null;
}

/** The seal of a group: the unpacked one if the gateway packed it, else the entries themselves. */
export function sealOf(group: DetailGroup): Seal | null {
  const entries = group.entries.map((members): WireDetail => Object.fromEntries(members));
  const last = entries.pop() ?? {};
  const opaque = opaqueIn(last);
  if (opaque === null) return null;
  const { name, form, value } = opaque;
  const packed = unpackSeal(value);
  if (packed !== null && packed.inPlace !== true) return packed;
  return {
    dialect: 'openai-chat',
    provider: packed?.provider ?? null,
    form,
    id: textOf(last.id) || null,
    value: JSON.stringify([...entries, packed === null ? last : { ...last, [name]: packed.value }]),
  };
}

/** Whether the text of a group is full or a summary; if no entry says so, what is usual for its kind of seal. */
export function formOf(group: DetailGroup, seal: Seal | null): ReasoningPart['form'] {
  return group.form ?? (seal?.form === 'encrypted' ? 'summary' : 'full');
}

export function readDetails(value: unknown): ReasoningPart[] {
  const parts: { text: string; group: DetailGroup }[] = [];
  for (const each of listOf(value)) {
    const detail = readDetail(each);
    if (detail === null) continue;
    const last = parts.at(-1);
    if (last !== undefined && joinDetail(last.group, detail)) last.text += detail.text;
    else parts.push({ text: detail.text, group: beginGroup(detail) });
  }
  return parts.map(({ text, group }) => {
    const seal = sealOf(group);
    return { kind: 'reasoning', text, form: formOf(group, seal), seal };
  });
}

/** Writes a part as entries of one index. A seal of this dialect is written as it was, any other packed. */
export function writeDetails(part: ReasoningPart, index: number): WireDetail[] {
  const { seal } = part;
  if (seal === null) return [textEntry(part, index)];
  const own = seal.dialect === 'openai-chat' ? entriesOf(seal) : null;
  if (own !== null) {
    const holds = own.findIndex(({ type }) => type === 'reasoning.text' || type === 'reasoning.summary');
    const entries = own.map((entry, at) =>
      at === holds ? { ...entry, ...textEntry(part, index, entry.type) } : { ...entry, index },
    );
    return holds < 0 && part.text !== '' ? [textEntry(part, index), ...entries] : entries;
  }
  const packed = packSeal(seal);
  if (seal.form === 'signature') return [{ ...textEntry(part, index), signature: packed }];
  const entry: WireDetail = {
    type: 'reasoning.encrypted',
    data: packed,
    ...(seal.id !== null && { id: seal.id }),
    index,
  };
  return part.text === '' ? [entry] : [textEntry(part, index), entry];
}

/** The text of a thinking part in Mistral's format. https://docs.mistral.ai/capabilities/reasoning/ */
export function thinkingText(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return listOf(thinking)
    .map((piece) => textOf(objectOf(piece).text))
    .join('');
}

/** The member of a message or a call of a tool that holds a vendor's own data. */
const EXTRA = 'extra_content';
/** Where LiteLLM puts signatures: https://docs.litellm.ai/blog/gemini_3 (read on 2026-11-27) */
const SPECIFIC = 'provider_specific_fields';
const SIGNATURES = ['thought_signature', 'thought_signatures'];
/** The members that may hold signatures, in a message, a call, its function, or a choice. */
export const VENDOR_DATA_MEMBERS = [EXTRA, SPECIFIC, ...SIGNATURES];

/**
 * The vendor's own data beside a message or a tool call, and signatures in any of the known members; `undefined` if
 * there is none. Data of `inner`, the call's function, is in `function`.
 */
export function vendorDataOf(holder: unknown, inner?: unknown): Record<string, unknown> | undefined {
  const members = objectOf(holder);
  const within = inner === undefined ? undefined : vendorDataOf(inner);
  // Most pieces of a stream have none.
  if (within === undefined && VENDOR_DATA_MEMBERS.every((name) => members[name] === undefined)) return undefined;
  const signed = signatureMembers(objectOf(members[SPECIFIC]));
  const beside = {
    ...(members[EXTRA] !== undefined && { [EXTRA]: members[EXTRA] }),
    ...(signed !== undefined && { [SPECIFIC]: signed }),
    ...signatureMembers(members),
    ...(within !== undefined && { function: within }),
  };
  return Object.keys(beside).length === 0 ? undefined : beside;
}

function signatureMembers(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const found = SIGNATURES.filter((name) => holdsAnything(members[name]));
  return found.length === 0 ? undefined : Object.fromEntries(found.map((name) => [name, members[name]]));
}

/**
 * The seal of a tool call or, if `callId` is `null`, of the message: vendors that serve Gemini models put the signature
 * beside it. https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function sealOfVendorData(extra: unknown, callId: string | null): Seal | null {
  if (!holdsAnything(extra)) return null;
  const { value: unmarked, makers } = withoutMarks(extra);
  const value = JSON.stringify(unmarked);
  return { dialect: 'openai-chat', provider: makers[0] ?? null, form: 'signature', id: callId, value };
}

/** Whether a vendor's own data holds more than empty texts and objects. */
function holdsAnything(extra: unknown): boolean {
  if (typeof extra === 'object' && extra !== null) return Object.values(extra).some(holdsAnything);
  return extra !== undefined && extra !== null && extra !== '';
}

/** Merges a vendor's own data that comes in several pieces. Later values replace earlier ones. */
export function mergeVendorData(before: unknown, added: unknown): unknown {
  if (!holdsAnything(added)) return before;
  if (!isObject(before) || !isObject(added)) return added;
  const joined = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(added)) joined.set(name, mergeVendorData(joined.get(name), value));
  return Object.fromEntries(joined);
}

/** A vendor's own data with its signatures marked, as `markSeals` marks those of untranslated answers. */
export function markVendorData(extra: unknown, provider: string): unknown {
  if (!isObject(extra)) return extra;
  const marked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(marked);
    if (typeof value !== 'string' || value === '') return markVendorData(value, provider);
    return markSeal({ dialect: 'openai-chat', provider, form: 'signature', value });
  };
  return Object.fromEntries(
    Object.entries(extra).map(([name, value]) => [
      name,
      SIGNATURES.includes(name) ? marked(value) : markVendorData(value, provider),
    ]),
  );
}

/** Entries of an answer with the seal in its own member marked. */
export function markDetails(entries: readonly WireDetail[], provider: string): WireDetail[] {
  return entries.map((entry) => {
    const opaque = opaqueIn(entry);
    if (opaque === null || unpackSeal(opaque.value) !== null) return entry;
    const { name, form, value } = opaque;
    return { ...entry, [name]: markSeal({ dialect: 'openai-chat', provider, form, value }) };
  });
}

/** A vendor's own data without the marks of its seals, and the makers of the seals. */
export function withoutMarks(extra: unknown): { value: unknown; makers: readonly (string | null)[] } {
  const makers: (string | null)[] = [];
  const unmarked = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const seal = unpackSeal(value);
      if (seal?.inPlace !== true) return value;
      makers.push(seal.provider);
      return seal.value;
    }
    if (Array.isArray(value)) return value.map(unmarked);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unmarked(inner)]));
  };
  return { value: unmarked(extra), makers };
}

/** The seals of a choice: of its reasoning, and in the vendor's own data beside its calls, its message and itself. */
export function sealsOfChoice(choice: WireChoice | null | undefined): FoundSeal[] {
  const words = objectOf(choice?.delta ?? choice?.message);
  const details = listOf(words.reasoning_details).flatMap((entry) => opaqueIn(objectOf(entry)) ?? []);
  const calls = listOf(words.tool_calls).map((call) => vendorDataOf(call, objectOf(call).function));
  return [...details, ...[vendorDataOf(words), ...calls, vendorDataOf(choice)].flatMap(sealsInVendorData)];
}

/** The signatures in a vendor's own data, at any depth, alone or in lists. */
function sealsInVendorData(extra: unknown): FoundSeal[] {
  if (!isObject(extra)) return [];
  return Object.entries(extra).flatMap(([name, value]): FoundSeal[] => {
    if (!SIGNATURES.includes(name)) return sealsInVendorData(value);
    return [value]
      .flat()
      .flatMap((each) => (textOf(each) === '' ? [] : [{ name, value: textOf(each), form: 'signature' }]));
  });
}

/** The vendor's own data that a seal holds, of a tool call or, if `callId` is `null`, of the message. */
export function vendorDataIn(seal: Seal | null): { callId: string | null; extra: unknown } | null {
  if (seal?.dialect !== 'openai-chat') return null;
  const extra = parse(seal.value);
  return isObject(extra) ? { callId: seal.id, extra } : null;
}

function textEntry({ text, form }: ReasoningPart, index: number, type?: unknown): WireDetail {
  const isSummary = type === undefined ? form === 'summary' : type === 'reasoning.summary';
  return isSummary ? { type: 'reasoning.summary', summary: text, index } : { type: 'reasoning.text', text, index };
}

/** The opaque member of an entry: a signature over its text, or reasoning that is encrypted in place of its text. */
export function opaqueIn({ signature, data }: WireDetail): FoundSeal | null {
  if (textOf(signature) !== '') return { name: 'signature', value: textOf(signature), form: 'signature' };
  return textOf(data) === '' ? null : { name: 'data', value: textOf(data), form: 'encrypted' };
}

function entriesOf(seal: Seal): WireDetail[] | null {
  const entries = listOf(parse(seal.value)).map(objectOf);
  return entries.length === 0 ? null : (entries as WireDetail[]);
}

function parse(value: string): unknown {
  try {
    return parseJson(value);
  } catch {
    return null; // Not made by the gateway, so not a seal.
  }
}
