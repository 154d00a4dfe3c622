import type { Citation, NativePart, ToolForm } from '../../core/call.ts';
import { markSeal, packSeal, type Seal } from '../../core/seal.ts';
import { isObject, type Unchecked } from '../unchecked-json.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The items of an answer, with every field of OpenAI's schema and of Open Responses. */
export function messageItem(id: string, status: ItemStatus, content: readonly Unchecked[]): Unchecked {
  return { id, type: 'message', status, content, role: 'assistant' };
}

export function textContent(text: string, annotations: readonly unknown[], logprobs: readonly unknown[]): Unchecked {
  return { type: 'output_text', annotations, logprobs, text };
}

export function refusalContent(refusal: string): Unchecked {
  return { type: 'refusal', refusal };
}

export function reasoningItem(id: string, text: string, encrypted: string | null): Unchecked {
  const summary = text === '' ? [] : [summaryText(text)];
  return { id, type: 'reasoning', summary, ...(encrypted !== null && { encrypted_content: encrypted }) };
}

export function summaryText(text: string): Unchecked {
  return { type: 'summary_text', text };
}

/**
 * A seal as `encrypted_content`, marked with its maker. It is packed if it belongs to another dialect, or to another
 * item, whose id it must keep. Reasoning without a seal gets an empty packed one, so that it is recognized when it
 * comes back: OpenAI would look up its id.
 */
export function encryptedContent(seal: Seal | null, itemId: string, provider: string): string {
  if (seal === null) return packSeal({ dialect: 'openai-responses', provider, form: 'encrypted', id: null, value: '' });
  const made = { ...seal, provider: seal.provider ?? provider };
  const isInPlace = seal.dialect === 'openai-responses' && seal.form === 'encrypted';
  return isInPlace && (seal.id === null || seal.id === itemId) ? markSeal(made) : packSeal(made);
}

export type CallNames = { callId: string; name: string; form: ToolForm; namespace?: string };

export function callItem(id: string, status: ItemStatus, names: CallNames, input: string): Unchecked {
  const { callId, name, form, namespace } = names;
  const own = namespace === undefined ? {} : { namespace };
  if (form === 'custom') return { id, type: 'custom_tool_call', status, call_id: callId, input, name, ...own };
  return { id, type: 'function_call', status, arguments: input, call_id: callId, name, ...own };
}

/** Writes a citation; `null` if this dialect cannot express it. */
export function writeCitation(citation: Citation): unknown {
  if (citation.kind === 'native') return citation.dialect === 'openai-responses' ? citation.value : null;
  const { url, title, start, end, own } = citation;
  if (own?.dialect === 'openai-responses') return own.value;
  return { type: 'url_citation', start_index: start, end_index: end, title, url };
}

/** The item of a native part; `null` if it is of another dialect, or part of a message. */
export function nativeItem({ dialect, type, value }: NativePart): Unchecked | null {
  return dialect === 'openai-responses' && isObject(value) && !isContentType(type) ? value : null;
}

/** Whether the type is of a message's content. Items never have these types. */
function isContentType(type: string): boolean {
  return /^(input|output)_|^(text|refusal|computer_screenshot)$/.test(type);
}
