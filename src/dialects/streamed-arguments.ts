import type { ToolForm } from '../core/call.ts';
import { isJson, parseJson } from '../json/parse.ts';
import { ArgumentsText } from './arguments-text.ts';

/** The longest text that may still be no input, with spaces around. */
const MAX_NONE = 64;
/** What vendors and their serializers write where a function has no input: the last three as PHP, Python and JavaScript do. */
const NONE = ['null', '{}', '[]', 'None', 'undefined'];

/**
 * The input of a tool call that arrives in pieces. Of a function it is one JSON object: once that is complete nothing can
 * follow, so a piece that says it again is ignored. Of a piece that says all so far again, and more, only what is new counts. No
 * input (`null`, `{}`) is kept back, because some vendors begin with it, and so is an object within a JSON text.
 *
 * What was received is joined only at its end: joining it for each piece would take quadratic time.
 */
export class StreamedArguments {
  readonly #form: ToolForm;
  #input = new ArgumentsText();
  /** What was received and has not been passed on. */
  #untold = '';
  #isTold = false;
  /** Whether a piece has said again all that came before it. */
  #saysAgain = false;

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

  /**
   * Whether the input of a function ends within its object. Some servers say of such a call that it is whole:
   * https://github.com/vllm-project/vllm/issues/53269
   */
  get cut(): boolean {
    return this.#form === 'function' && this.#input.isObject && this.#input.isOpen;
  }

  /** Takes a piece. */
  add(piece: string): void {
    if (this.#form === 'function') {
      if (this.#isNone() && begins(piece)) this.#restart();
      else if (this.#input.isObject && this.#input.complete) return;
      else if (this.#isSaidAgain(piece)) return this.#take(piece.slice(this.#input.text.length));
    }
    this.#take(piece);
  }

  /** An object may hold another that begins like it: a piece says all again where no object can begin. */
  #isSaidAgain(piece: string): boolean {
    if (!begins(piece) || piece.length < this.#input.text.length) return false;
    if (!this.#saysAgain && this.#input.admits(piece)) return false;
    if (!piece.startsWith(this.#input.text)) return false;
    this.#saysAgain = true;
    return true;
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
    if (more === '' || (!this.#isTold && this.#form === 'function' && (this.#input.isText || mayBeNone(more))))
      return '';
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

/** Whether the whole input of a function, as text, is cut. */
export function isCutInput(text: string): boolean {
  const input = new StreamedArguments('function');
  input.add(text);
  return input.cut;
}

/** The input of a function as JSON: `{}` for none. Some vendors put the object into a JSON text. */
export function functionInput(text: string): string {
  if (isNone(text)) return '{}';
  return text.trimStart().startsWith('"') ? objectWithin(text) : text;
}

function objectWithin(text: string): string {
  try {
    const inner: unknown = parseJson(text);
    if (typeof inner !== 'string') return text;
    if (isNone(inner)) return '{}';
    return begins(inner) && isJson(inner) ? inner : text;
  } catch {
    return text; // It is no JSON, and stays what the model wrote.
  }
}

function isNone(text: string): boolean {
  if (text.length > MAX_NONE) return false;
  const plain = text.trim();
  return plain === '' || NONE.includes(plain);
}

function mayBeNone(text: string): boolean {
  return text.length <= MAX_NONE && NONE.some((none) => none.startsWith(text.trim()));
}

/** Whether an object begins. */
function begins(text: string): boolean {
  return /^\s*\{/.test(text);
}
