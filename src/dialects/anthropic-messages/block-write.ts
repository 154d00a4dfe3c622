import type { PartDelta, PartHead } from '../../core/answer.ts';
import type { Losses } from '../../core/losses.ts';
import type { Seal } from '../../core/seal.ts';
import type { Unchecked } from '../unchecked-json.ts';
import { frame } from './frame.ts';
import { callerSignature, callerThinking, writeCitation } from './seals.ts';
import { ID } from './wire.ts';

type BlockPlace = { provider: string; losses: Losses; natives: readonly Unchecked[] };

/**
 * Writes one block of a stream. A text or thinking block starts only when its first content arrives: Anthropic refuses
 * an empty text when it comes back, and only the seal tells whether reasoning is redacted.
 */
export class BlockWriter {
  /** The number of blocks that have begun: none for an empty part, several for a search. */
  blocks = 0;
  /** A tool call's id is the caller's. */
  readonly #head: PartHead;
  #index: number;
  readonly #provider: string;
  readonly #losses: Losses;
  readonly #natives: readonly Unchecked[];
  #seal: Seal | null = null;

  /** @param natives the blocks of a native part, complete */
  constructor(head: PartHead, index: number, { provider, losses, natives }: BlockPlace) {
    this.#head = head;
    this.#natives = natives;
    this.#index = index;
    this.#provider = provider;
    this.#losses = losses;
  }

  begin(out: string[]): void {
    const head = this.#head;
    if (head.kind === 'tool-call') {
      this.#start({ type: 'tool_use', id: head.id, name: head.name, input: {} }, out);
      // A custom tool takes text, but tools here take an object: the text becomes its only member.
      if (head.form === 'custom') this.#input('{"input":"', out);
    }
    for (const [place, block] of this.#natives.entries()) {
      if (place > 0) this.#stop(out);
      this.#native(block, out);
    }
  }

  extend(delta: PartDelta, out: string[]): void {
    switch (delta.kind) {
      case 'text':
        if (delta.logprobs !== undefined) this.#losses.add('logprobs');
        if (delta.text !== '') this.#text(delta.text, out);
        return;
      case 'seal':
        this.#seal = delta.seal;
        return;
      case 'citation': {
        const citation = writeCitation(delta.citation, this.#provider);
        if (citation === null) return this.#losses.add('citations');
        this.#start({ type: 'text', text: '' }, out);
        return this.#delta({ type: 'citations_delta', citation }, out);
      }
      default:
        delta satisfies never;
    }
  }

  end(out: string[]): void {
    const head = this.#head;
    if (head.kind === 'tool-call' && head.form === 'custom') this.#input('"}', out);
    if (head.kind === 'reasoning') this.#endReasoning(out);
    if (this.blocks > 0) this.#stop(out);
  }

  #text(text: string, out: string[]): void {
    const head = this.#head;
    switch (head.kind) {
      case 'text':
      case 'refusal':
        this.#start({ type: 'text', text: '' }, out);
        return this.#delta({ type: 'text_delta', text }, out);
      case 'reasoning':
        this.#start({ type: 'thinking', thinking: '', signature: '' }, out);
        return this.#delta({ type: 'thinking_delta', thinking: text }, out);
      case 'tool-call':
        return this.#input(head.form === 'custom' ? JSON.stringify(text).slice(1, -1) : text, out);
      case 'native':
        return;
      default:
        return head satisfies never;
    }
  }

  #endReasoning(out: string[]): void {
    const seal = this.#seal;
    if (seal === null && this.blocks === 0) return;
    if (seal?.dialect === ID && seal.form === 'redacted') {
      return this.#start(callerThinking({ kind: 'reasoning', form: 'full', text: '', seal }, this.#provider), out);
    }
    this.#start({ type: 'thinking', thinking: '', signature: '' }, out);
    this.#delta({ type: 'signature_delta', signature: callerSignature(seal, this.#provider) }, out);
  }

  /** A block that the vendor ran itself. The input of a call is sent in its own delta, as Anthropic does. */
  #native(block: Unchecked, out: string[]): void {
    const { input } = block;
    if (typeof input !== 'object' || input === null) return this.#start(block, out);
    this.#start({ ...block, input: {} }, out);
    this.#input(JSON.stringify(input), out);
  }

  #start(block: Unchecked, out: string[]): void {
    if (this.blocks > 0 && this.#head.kind !== 'native') return;
    this.blocks += 1;
    out.push(frame({ type: 'content_block_start', index: this.#index, content_block: block }));
  }

  #stop(out: string[]): void {
    out.push(frame({ type: 'content_block_stop', index: this.#index }));
    this.#index += 1;
  }

  #input(json: string, out: string[]): void {
    this.#delta({ type: 'input_json_delta', partial_json: json }, out);
  }

  #delta(delta: object, out: string[]): void {
    out.push(frame({ type: 'content_block_delta', index: this.#index, delta }));
  }
}
