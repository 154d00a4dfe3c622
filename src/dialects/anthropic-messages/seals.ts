import type { Citation, ReasoningPart } from '../../core/call.ts';
import { opens, packSeal, SEAL_MARK, type Seal, unpackSeal } from '../../core/seal.ts';
import type { Loose, WireCitation, WireThinking } from './wire.ts';
import { textOf } from './wire.ts';

export const ID = 'anthropic-messages';

/** The seal in a `signature` or in the `data` of redacted thinking; `null` where there is none. */
export function readSeal(value: unknown, form: 'signature' | 'redacted'): Seal | null {
  if (typeof value !== 'string' || value === '') return null;
  if (!value.startsWith(SEAL_MARK)) return { dialect: ID, provider: null, form, id: null, value };
  const seal = unpackSeal(value);
  return seal === null || seal.value === '' ? null : seal;
}

/** Reasoning for a vendor; `null` where it is none that this provider can have made. */
export function vendorThinking({ text, seal }: ReasoningPart, provider: string): WireThinking | null {
  if (seal === null || !opens(seal, ID, provider)) return null;
  return thinkingOf(text, seal);
}

/** Reasoning for a caller, who sends it back as it is. Another format's seal travels in the signature. */
export function callerThinking({ text, seal }: ReasoningPart, provider: string): WireThinking {
  if (seal?.dialect === ID) return thinkingOf(text, seal);
  return { type: 'thinking', thinking: text, signature: callerSignature(seal, provider) };
}

/**
 * A thinking block cannot stand without a signature. One that has no proof is given a mark of ours, which is how it is
 * known for none when it comes back: Anthropic would refuse it.
 */
export function callerSignature(seal: Seal | null, provider: string): string {
  if (seal?.dialect === ID) return seal.value;
  if (seal !== null) return packSeal({ ...seal, provider: seal.provider ?? provider });
  return packSeal({ dialect: ID, provider, form: 'signature', id: null, value: '' });
}

function thinkingOf(text: string, seal: Seal): WireThinking {
  if (seal.form === 'redacted') return { type: 'redacted_thinking', data: seal.value };
  return { type: 'thinking', thinking: text, signature: seal.value };
}

/** A citation as it is read of a text. Anthropic's are of the whole block; ours tell what they are of in `encrypted_index`. */
export function readCitation(wire: Loose, length: number): Citation {
  if (wire.type !== 'web_search_result_location') return { kind: 'native', dialect: ID, value: wire };
  const cited = textOf(wire.cited_text);
  const [start, end] = placeIn(wire.encrypted_index, length);
  return {
    kind: 'url',
    url: textOf(wire.url),
    title: textOf(wire.title),
    start,
    end,
    ...(cited !== '' && { citedText: cited }),
  };
}

/** A citation for a caller; `null` where this format has no word for it. */
export function writeCitation(citation: Citation): WireCitation | Loose | null {
  if (citation.kind === 'native') return citation.dialect === ID ? (citation.value as Loose) : null;
  const { url, title, citedText, start, end } = citation;
  return {
    type: 'web_search_result_location',
    url,
    title,
    cited_text: citedText ?? '',
    // Only Anthropic can make a real one. This one is known for ours when it comes back, and keeps the place.
    encrypted_index: packSeal({ dialect: ID, provider: null, form: 'encrypted', id: null, value: `${start}-${end}` }),
  };
}

function placeIn(index: unknown, length: number): [start: number, end: number] {
  const place = /^(\d{1,9})-(\d{1,9})$/.exec(unpackSeal(textOf(index))?.value ?? '');
  return place === null ? [0, length] : [Number(place[1]), Number(place[2])];
}

/** Whether a vendor must not see this block's field: it holds a mark of ours. */
export function isMarked(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SEAL_MARK);
}
