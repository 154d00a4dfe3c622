import type { ToolForm } from '../core/call.ts';
import { ArgumentsText } from './arguments-text.ts';

/** The longest text that may still be no input: `null` or `{}`, with spaces around. */
const MAX_NONE = 64;

/**
 * The input of a tool call that arrives in pieces. Of a function it is one JSON object: once that is complete nothing can
 * follow, so a piece that says it again is ignored. `null` and `{}` are kept back, because some vendors begin with them.
 *
 * What was received is joined only at its end: joining it for each piece would take quadratic time.
 */
export class StreamedArguments {
  readonly #form: ToolForm;
  #input = new ArgumentsText();
  /** What was received and has not been passed on. */
  #untold = '';
  #isTold = false;

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
    if (this.#form === 'function') {
      if (this.#isNone() && begins(piece)) this.#restart();
      else if (this.#input.isObject && this.#input.complete) return;
    }
    this.#take(piece);
  }

  /** Takes the whole input. It is ignored unless it continues what was received. */
  whole(input: string): void {
    const received = this.#input.text;
    // The length is compared first, because it saves joining the received pieces.
    if (input.length >= received.length && input.startsWith(received)) this.#take(input.slice(received.length));
    else if (this.#isNone()) {
      this.#restart();
      this.#take(input);
    }
  }

  /** What can be passed on and has not been. */
  next(): string {
    const more = this.#untold;
    if (more === '' || (!this.#isTold && this.#form === 'function' && mayBeNone(more))) return '';
    this.#untold = '';
    this.#isTold = true;
    return more;
  }

  /** The same at the end: `{}` if there was no input of a function. */
  rest(): string {
    const more = this.next();
    return more === '' && !this.#isTold && this.#form === 'function' ? functionInput(this.#input.text) : more;
  }

  #take(piece: string): void {
    this.#input.add(piece);
    this.#untold += piece;
  }

  #restart(): void {
    this.#input = new ArgumentsText();
    this.#untold = '';
  }

  #isNone(): boolean {
    return !this.#isTold && this.#form === 'function' && isNone(this.#untold);
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
