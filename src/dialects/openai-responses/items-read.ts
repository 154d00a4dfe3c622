import type { AnswerPart, Citation, NativePart } from '../../core/call.ts';
import { type Seal, unpackSeal } from '../../core/seal.ts';
import { readLogprobs } from '../logprobs.ts';
import type { FoundSeal } from '../seal-marks.ts';
import { withStep } from '../search-steps.ts';
import { functionInput } from '../streamed-arguments.ts';
import { isObject, listOf, objectOf, textOf, type Unchecked, wordOf } from '../unchecked-json.ts';
import { type ClientTool, clientCallOf, plainName, readClientCall } from './client-tools.ts';
import { readSearchStep } from './search-items.ts';

/** Gives client tools their names as functions. By default they have their plain names. */
export type ToolNames = { nameOf(tool: ClientTool): string };
const PLAIN_NAMES: ToolNames = { nameOf: plainName };

/** Reads an item of an answer, or of an assistant turn that is sent back, as parts. */
export function readItem(item: Unchecked, names: ToolNames = PLAIN_NAMES): AnswerPart[] {
  switch (itemType(item)) {
    case 'message':
      return readContent(item.content);
    case 'reasoning': {
      const seal = readSeal(item);
      const reasoning = readReasoning(item);
      return reasoning.text === '' && seal === null ? [] : [{ kind: 'reasoning', ...reasoning, seal }];
    }
    case 'function_call': {
      const input = functionInput(readArguments(item.arguments));
      return [{ kind: 'tool-call', id: callIdOf(item), name: toolName(item, names), input, form: 'function' }];
    }
    case 'custom_tool_call': {
      const input = textOf(item.input);
      return [{ kind: 'tool-call', id: callIdOf(item), name: toolName(item, names), input, form: 'custom' }];
    }
    default: {
      const type = clientCallOf(item);
      return [
        type === null
          ? withStep(nativeOf(item), readSearchStep(item))
          : readClientCall(item, type, names.nameOf({ type })),
      ];
    }
  }
}

/** The name of the tool that an item calls, with its namespace. */
export function toolName(item: Unchecked, names: ToolNames = PLAIN_NAMES): string {
  const namespace = wordOf(item.namespace);
  const name = textOf(item.name);
  return namespace === null || name === '' ? name : names.nameOf({ type: 'namespace', namespace, name });
}

/** The type of an item. A message may leave it out. */
export function itemType({ type }: Unchecked): string {
  return wordOf(type) ?? 'message';
}

/** Reads the content of an assistant message. */
function readContent(content: unknown): AnswerPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return listOf(content).flatMap((part): AnswerPart[] => {
    if (!isObject(part)) return [];
    const kind = contentKind(part);
    if (kind === 'native') return [nativeOf(part)];
    const text = contentText(part);
    if (text === '') return [];
    if (kind === 'refusal') return [{ kind, text }];
    const citations = listOf(part.annotations).map(readCitation);
    const logprobs = readLogprobs(part.logprobs);
    return [{ kind, text, ...(citations.length > 0 && { citations }), ...(logprobs && { logprobs }) }];
  });
}

/** The kind of a content part. Assistant text may be sent back under the type of user text. */
export function contentKind({ type }: Unchecked): 'text' | 'refusal' | 'native' {
  if (type === 'refusal') return 'refusal';
  return type === 'output_text' || type === 'text' || type === 'input_text' ? 'text' : 'native';
}

export function contentText(part: Unchecked): string {
  return textOf(part.type === 'refusal' ? part.refusal : part.text);
}

/** The summary of reasoning or, without one, its full text. */
export function readReasoning(item: Unchecked): { text: string; form: 'summary' | 'full' } {
  const summary = joined(item.summary);
  if (summary !== '') return { text: summary, form: 'summary' };
  const text = joined(item.content);
  return { text, form: text === '' ? 'summary' : 'full' };
}

/** The separator between parts of a reasoning text. */
export const REASONING_BREAK = '\n\n';

function joined(parts: unknown): string {
  if (typeof parts === 'string') return parts;
  const texts = listOf(parts).map((part) => textOf(objectOf(part).text));
  return texts.filter((text) => text !== '').join(REASONING_BREAK);
}

/** The seal of reasoning; `null` if there is none, or the empty one of the gateway. */
export function readSeal(item: Unchecked): Seal | null {
  const value = wordOf(item.encrypted_content);
  if (value === null) return null;
  const own: Seal = { dialect: 'openai-responses', provider: null, form: 'encrypted', id: wordOf(item.id), value };
  const seal = unpackSeal(value) ?? own;
  if (seal.value === '') return null;
  return seal.inPlace === true ? { ...own, provider: seal.provider, value: seal.value } : seal;
}

/** The seals in an answer's items: of reasoning and of compacted conversations. */
export function sealsOfItems(items: unknown): FoundSeal[] {
  return listOf(items).flatMap((item): FoundSeal[] => {
    const value = isObject(item) ? wordOf(item.encrypted_content) : null;
    return value === null || value === '' ? [] : [{ name: 'encrypted_content', value, form: 'encrypted' }];
  });
}

/** The arguments of a function call as text; empty if there are none. */
export function readArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

export function callIdOf(item: Unchecked): string {
  return wordOf(item.call_id) ?? textOf(item.id);
}

export function nativeOf(value: Unchecked): NativePart {
  return { kind: 'native', dialect: 'openai-responses', type: textOf(value.type), value };
}

/** Reads a citation. Some vendors nest it as in chat completions, or send only its URL. */
export function readCitation(annotation: unknown): Citation {
  const outer = objectOf(annotation);
  const inner = isObject(outer.url_citation) ? outer.url_citation : outer;
  if (outer.type !== 'url_citation') return { kind: 'native', dialect: 'openai-responses', value: annotation };
  return {
    kind: 'url',
    url: textOf(inner.url),
    title: textOf(inner.title),
    start: offset(inner.start_index),
    end: offset(inner.end_index),
  };
}

function offset(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
