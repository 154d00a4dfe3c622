import type { Citation, ReasoningPart } from '../../core/call.ts';
import { isMarked, markSeal, opens, packSeal, type Seal, unpackSeal } from '../../core/seal.ts';
import type { FoundSeal } from '../seal-marks.ts';
import { objectOf, textOf, type Unchecked } from '../unchecked-json.ts';
import { sealsOfStep, withMarkedStep } from './sealed-steps.ts';
import { ID, type WireCitation, type WireThinking } from './wire.ts';

/** The seal in a `signature` or in the `data` of redacted thinking; `null` if there is none. */
export function readSeal(value: unknown, form: 'signature' | 'redacted'): Seal | null {
  if (typeof value !== 'string' || value === '') return null;
  if (!isMarked(value)) return { dialect: ID, provider: null, form, id: null, value };
  const seal = unpackSeal(value);
  if (seal === null || seal.value === '') return null;
  const { inPlace: _, ...plain } = seal;
  return plain;
}

/** A thinking block for a vendor; `null` if this provider did not make the reasoning's seal. */
export function vendorThinking({ text, seal }: ReasoningPart, provider: string): WireThinking | null {
  if (seal === null || !opens(seal, ID, provider)) return null;
  return thinkingOf(text, seal);
}

/** A thinking block for a caller, who sends it back unchanged. A seal of another format is packed into the signature. */
export function callerThinking({ text, seal }: ReasoningPart, provider: string): WireThinking {
  if (seal?.dialect === ID) return thinkingOf(text, { ...seal, value: ownMarked(seal, provider) });
  return { type: 'thinking', thinking: text, signature: callerSignature(seal, provider) };
}

/**
 * The signature for a caller's thinking block, which must have one. Reasoning without a seal gets an empty packed seal,
 * so that it can be recognized and removed when it comes back: Anthropic would refuse it.
 */
export function callerSignature(seal: Seal | null, provider: string): string {
  if (seal?.dialect === ID) return ownMarked(seal, provider);
  if (seal !== null) return packSeal({ ...seal, provider: seal.provider ?? provider });
  return packSeal({ dialect: ID, provider, form: 'signature', id: null, value: '' });
}

/** A seal of this format, marked with its maker as in answers that pass. */
function ownMarked(seal: Seal, provider: string): string {
  return markSeal({ ...seal, provider: seal.provider ?? provider });
}

function thinkingOf(text: string, seal: Seal): WireThinking {
  if (seal.form === 'redacted') return { type: 'redacted_thinking', data: seal.value };
  return { type: 'thinking', thinking: text, signature: seal.value };
}

/** Reads a citation of a text. Anthropic's citations cover the whole block; ours keep their range in `encrypted_index`. */
export function readCitation(wire: Unchecked, length: number): Citation {
  const url = urlOf(wire);
  if (url === null) return { kind: 'native', dialect: ID, value: wire };
  const cited = textOf(wire.cited_text);
  const [start, end] = citedRange(wire.encrypted_index, length);
  return {
    kind: 'url',
    url,
    title: textOf(wire.title),
    start,
    end,
    ...(cited !== '' && { citedText: cited }),
    ...(isOwn(wire.encrypted_index) && { own: { dialect: ID, value: wire } }),
  };
}

/** The address of a cited page: a found page, or a result of the caller's own search. */
function urlOf({ type, url, source }: Unchecked): string | null {
  if (type === 'web_search_result_location') return textOf(url);
  return type === 'search_result_location' && /^https?:\/\//i.test(textOf(source)) ? textOf(source) : null;
}

/** The seals in a message's blocks. */
export function sealsOfBlocks(blocks: readonly unknown[]): FoundSeal[] {
  return blocks.flatMap((block): FoundSeal[] => {
    const { type, signature, data } = objectOf(block);
    if (type === 'thinking' && textOf(signature) !== '') {
      return [{ name: 'signature', value: textOf(signature), form: 'signature' }];
    }
    if (type === 'redacted_thinking' && textOf(data) !== '') {
      return [{ name: 'data', value: textOf(data), form: 'redacted' }];
    }
    return type === 'compaction' ? sealsOfCompaction(objectOf(block)) : sealsOfStep(objectOf(block));
  });
}

/** The seals of a compacted conversation, in a block or a piece of one. */
export function sealsOfCompaction({ encrypted_content: encrypted, signature }: Unchecked): FoundSeal[] {
  const found: FoundSeal[] = [
    { name: 'encrypted_content', value: textOf(encrypted), form: 'encrypted' },
    { name: 'signature', value: textOf(signature), form: 'signature' },
  ];
  return found.filter(({ value }) => value !== '');
}

/** A citation for a caller; `null` if this format cannot express it. */
export function writeCitation(citation: Citation, provider: string): WireCitation | Unchecked | null {
  const own = citation.kind === 'native' ? citation : citation.own;
  if (own?.dialect === ID) return citationsOf(withMarkedStep({ type: 'text', citations: [own.value] }, provider))[0]!;
  if (citation.kind === 'native') return null;
  const { url, title, citedText, start, end } = citation;
  return {
    type: 'web_search_result_location',
    url,
    title,
    cited_text: citedText ?? '',
    // Only Anthropic can make a real index. This one holds the range, and is recognized when it comes back.
    encrypted_index: packSeal({ dialect: ID, provider: null, form: 'encrypted', id: null, value: `${start}-${end}` }),
  };
}

function citationsOf({ citations }: Unchecked): readonly Unchecked[] {
  return citations as readonly Unchecked[];
}

/** The range of the text that a citation is for: the one in the gateway’s own index, or all of it. */
function citedRange(index: unknown, length: number): [start: number, end: number] {
  const place = /^(\d{1,9})-(\d{1,9})$/.exec(unpackSeal(textOf(index))?.value ?? '');
  return place === null ? [0, length] : [Number(place[1]), Number(place[2])];
}

/** Whether Anthropic made the field, and not the gateway for a citation of another format. */
function isOwn(index: unknown): boolean {
  return !isMarked(index) || unpackSeal(index)?.inPlace === true;
}
