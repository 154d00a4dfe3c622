import type {
  AnswerPart,
  CacheMark,
  Citation,
  Message,
  NativePart,
  ToolCallPart,
  ToolForm,
  ToolResultPart,
} from '../../core/call.ts';
import type { Seal } from '../../core/seal.ts';
import { type Fields, unknownWord } from '../fields.ts';
import { instructionsOf } from '../instructions.ts';
import { withStep } from '../search-steps.ts';
import { functionInput } from '../streamed-arguments.ts';
import { defined, listOf, textOf } from '../unchecked-json.ts';
import { readCitation } from './choice-read.ts';
import { readDetails, sealOfVendorData, thinkingText, VENDOR_DATA_MEMBERS, vendorDataOf } from './details.ts';
import { readSearchStep } from './executed-searches.ts';
import { readContent, readText } from './parts-read.ts';
import { Sources, sourcesOf } from './sources.ts';
import { readCacheMark } from './tools.ts';

const ROLES = ['developer', 'system', 'user', 'assistant', 'tool', 'function'];

/** Reads a conversation. Consecutive tool results become one turn. */
export function readMessages(messages: readonly Fields[]): Message[] {
  const forms = new Map<string, ToolForm>();
  const unanswered = new Unanswered();
  const turns: Message[] = [];
  /** The parts of the last turn if it is a turn of tool results. */
  let results: ToolResultPart[] | null = null;
  for (const [place, message] of messages.entries()) {
    const role = message.needed('role');
    if (role === 'system' || role === 'developer') {
      results = null;
      turns.push(...instructionsOf(role, withMark(readContent(message), readCacheMark(message))));
      continue;
    }
    const turn = readMessage(message, place, forms, unanswered);
    if (turn.role === 'tool') {
      if (results === null) {
        results = [];
        turns.push({ role: 'tool', parts: results });
      }
      for (const part of turn.parts) results.push(part);
      continue;
    }
    results = null;
    turns.push(turn);
    if (turn.role !== 'assistant') continue;
    const calls = turn.parts.filter((part) => part.kind === 'tool-call');
    for (const { id, form } of calls) forms.set(id, form);
    const last = calls.at(-1);
    if (message.raw('function_call') !== undefined && last !== undefined) unanswered.add(last);
  }
  return turns;
}

/** `function_call`s, which have no ids: a result belongs to the first call of its name that has no result yet. */
class Unanswered {
  readonly #byName = new Map<string, { ids: string[]; answered: number }>();

  add({ name, id }: ToolCallPart): void {
    const known = this.#byName.get(name);
    if (known === undefined) this.#byName.set(name, { ids: [id], answered: 0 });
    else known.ids.push(id);
  }

  /** The id of the call that the next result of this name belongs to. */
  take(name: string): string | undefined {
    const known = this.#byName.get(name);
    if (known === undefined) return undefined;
    const id = known.ids[known.answered];
    if (id !== undefined) known.answered += 1;
    return id;
  }
}

function readMessage(
  message: Fields,
  place: number,
  forms: ReadonlyMap<string, ToolForm>,
  unanswered: Unanswered,
): Message {
  const role = message.needed('role');
  const mark = readCacheMark(message);
  switch (role) {
    case 'user':
      return { role, parts: withMark(readContent(message), mark), ...defined({ name: message.text('name') }) };
    case 'assistant': {
      const parts = withMark(readAssistant(message, place), mark);
      return { role, parts, ...defined({ name: message.text('name') }) };
    }
    case 'tool': {
      const callId = message.needed('tool_call_id');
      return { role, parts: [readResult(message, callId, forms.get(callId) ?? 'function')] };
    }
    case 'function': {
      const callId = unanswered.take(message.needed('name')) ?? legacyId(place);
      return { role: 'tool', parts: [readResult(message, callId, 'function')] };
    }
    default:
      throw unknownWord(message.at('role'), role, ROLES);
  }
}

const MARKED: ReadonlySet<string> = new Set(['text', 'image', 'file', 'tool-call']);

/** Moves a mark beside the content, as clients of LiteLLM write it, to the last part that can have one. */
function withMark<Part extends { kind: string }>(
  parts: readonly Part[],
  cache: CacheMark | undefined,
): readonly Part[] {
  const place = parts.findLastIndex(({ kind }) => MARKED.has(kind));
  const part = parts[place];
  return cache === undefined || part === undefined ? parts : parts.with(place, { cache, ...part });
}

function readResult(message: Fields, callId: string, form: ToolForm): ToolResultPart {
  const parts = message.raw('content') === undefined ? [] : readContent(message);
  return { kind: 'tool-result', callId, parts, isError: false, form, ...defined({ cache: readCacheMark(message) }) };
}

/** An assistant's reasoning, text and calls, in the order in which they were produced. */
function readAssistant(message: Fields, place: number): AnswerPart[] {
  const refusal = message.text('refusal') ?? '';
  return [
    ...readThoughts(message),
    ...listOf(message.raw('executed_tools')).map(readExecuted),
    ...readCited(message, readSaid(message)),
    ...(refusal === '' ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...readAudio(message),
    ...message.objects('tool_calls').flatMap(readToolCall),
    ...readFunctionCall(message.object('function_call'), place),
    ...sealed(sealOfVendorData(vendorDataOf(message.plainMembers(VENDOR_DATA_MEMBERS)), null)),
  ];
}

function readThoughts(message: Fields): AnswerPart[] {
  const details = readDetails(message.raw('reasoning_details'));
  const plain = textOf(message.raw('reasoning_content')) || textOf(message.raw('reasoning'));
  if (plain === '' || details.some((part) => part.text !== '')) return details;
  return [{ kind: 'reasoning', text: plain, form: 'full', seal: null }, ...details];
}

function sealed(seal: Seal | null): AnswerPart[] {
  return seal === null ? [] : [{ kind: 'reasoning', text: '', form: 'full', seal }];
}

/** A tool that the vendor ran. */
function readExecuted(value: unknown): NativePart {
  return withStep({ kind: 'native', dialect: 'openai-chat', type: 'executed_tool', value }, readSearchStep(value));
}

/** The parts. The first text gets the citations that are beside the content: annotations and lists of sources. */
function readCited(message: Fields, parts: AnswerPart[]): AnswerPart[] {
  const sources = new Sources();
  sources.add(sourcesOf(Object.fromEntries(SOURCES.map((name) => [name, message.raw(name)]))));
  const annotations = listOf(message.raw('annotations')).map((annotation) => readCitation(annotation, 0));
  const first = parts.findIndex(({ kind }) => kind === 'text');
  const text = parts[first];
  if (text?.kind !== 'text') return parts;
  const cited = new Set(annotations.map((citation) => (citation.kind === 'url' ? citation.url : '')));
  const listed = sources.list.filter(({ url }) => !cited.has(url));
  const all = { start: 0, end: text.text.length };
  const listedCitations = listed.map((source): Citation => ({ kind: 'url', ...source, ...all }));
  const citations = [...annotations, ...listedCitations, ...sources.others];
  return citations.length === 0 ? parts : parts.with(first, { ...text, citations });
}

const SOURCES = [
  ...['citations', 'search_results', 'web_search', 'search_info', 'grounding_metadata'],
  ...['context', 'provider_specific_fields'],
];

function readSaid(message: Fields): AnswerPart[] {
  const content = message.raw('content');
  if (typeof content === 'string' || content === undefined) {
    return content === undefined || content === '' ? [] : [{ kind: 'text', text: content }];
  }
  return message.objects('content').flatMap((part): AnswerPart[] => {
    const type = part.needed('type');
    switch (type) {
      case 'text':
      case 'output_text':
        return [readText(part)];
      case 'refusal':
        return [{ kind: 'refusal', text: part.needed('refusal') }];
      case 'thinking':
        return [{ kind: 'reasoning', text: thinkingText(part.raw('thinking')), form: 'full', seal: null }];
      default:
        return [nativeOf(type, part)];
    }
  });
}

function readToolCall(call: Fields): AnswerPart[] {
  const form: ToolForm = call.text('type') === 'custom' ? 'custom' : 'function';
  const id = call.needed('id');
  const seal = sealOfVendorData(vendorDataOf(call.plainMembers(VENDOR_DATA_MEMBERS), call.raw('function')), id);
  const inner = call.object(form) ?? call;
  const name = inner.needed('name');
  const input = form === 'custom' ? (inner.text('input') ?? '') : argumentsOf(inner);
  return [...sealed(seal), { kind: 'tool-call', id, name, input, form }];
}

function readFunctionCall(call: Fields | undefined, place: number): AnswerPart[] {
  if (call === undefined) return [];
  const name = call.needed('name');
  return [{ kind: 'tool-call', id: legacyId(place), name, input: argumentsOf(call), form: 'function' }];
}

function argumentsOf(call: Fields): string {
  const value = call.raw('arguments');
  if (typeof value === 'object') return JSON.stringify(value);
  return functionInput(call.text('arguments') ?? '');
}

function legacyId(place: number): string {
  return `call_of_message_${place}`;
}

/** Audio of an earlier answer, by its id. */
function readAudio(message: Fields): NativePart[] {
  const audio = message.plain('audio');
  return audio === undefined ? [] : [{ kind: 'native', dialect: 'openai-chat', type: 'audio', value: audio }];
}

function nativeOf(type: string, part: Fields): NativePart {
  const value = Object.fromEntries(part.names.map((name) => [name, part.raw(name)]));
  return { kind: 'native', dialect: 'openai-chat', type, value };
}
