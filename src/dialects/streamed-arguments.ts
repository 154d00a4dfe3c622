import type { ToolForm } from '../core/call.ts';
import { ArgumentsText } from './arguments-text.ts';

/** The longest text that may still be no input: `null` or `{}`, with spaces around. */
const MAX_NONE = 64;

/**
 * The input of a tool call that arrives in pieces. Of a function it is one JSON object: once that is complete nothing can
 * follow, so a piece that says it again is ignored. `null` and `{}` are kept back, because some vendors begin with them.
 */
export class StreamedArguments {
  readonly #form: ToolForm;
  #input = new ArgumentsText();
  #told = 0;

  constructor(form: ToolForm) {
    this.#form = form;
  }

  /** Everything received, without what was ignored. */
  get text(): string {
    return this.#input.text;
  }

  get complete(): boolean {
    return this.#input.complete;
  }

  /** Takes a piece. */
  add(piece: string): void {
    if (this.#form === 'custom') return this.#input.add(piece);
    if (this.#isNone && begins(piece)) this.#input = new ArgumentsText();
    else if (begins(this.#input.text) && this.#input.complete) return;
    this.#input.add(piece);
  }

  /** Takes the whole input. It is ignored unless it continues what was received. */
  whole(input: string): void {
    const received = this.#input.text;
    // The length is compared first, because it saves joining the received pieces.
    if (input.length >= received.length && input.startsWith(received)) this.#input.add(input.slice(received.length));
    else if (this.#isNone) {
      this.#input = new ArgumentsText();
      this.#input.add(input);
    }
  }

  /** What can be passed on and has not been. */
  next(): string {
    const { text } = this.#input;
    if (text.length === this.#told || (this.#told === 0 && this.#form === 'function' && mayBeNone(text))) return '';
    const more = text.slice(this.#told);
    this.#told = text.length;
    return more;
  }

  /** The same at the end: `{}` if there was no input of a function. */
  rest(): string {
    const more = this.next();
    return more === '' && this.#told === 0 && this.#form === 'function' ? functionInput(this.#input.text) : more;
  }

  get #isNone(): boolean {
    return this.#told === 0 && this.#form === 'function' && isNone(this.#input.text);
  }
}

/** The input of a function as JSON: `{}` for no text and for `null`. */
export function functionInput(text: string): string {
  return isNone(text) ? '{}' : text;
}

function isNone(text: string): boolean {
  if (text.length > MAX_NONE) return false;
  const plain = text.trim();
  return plain === '' || plain === 'null' || plain === '{}';
}

function mayBeNone(text: string): boolean {
  return text.length <= MAX_NONE && ('null'.startsWith(text.trim()) || '{}'.startsWith(text.trim()));
}

/** Whether an object begins. */
function begins(text: string): boolean {
  return /^\s*\{/.test(text);
}
