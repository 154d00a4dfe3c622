import type { ToolForm } from '../core/call.ts';
import { isJson, parseJson } from '../json/parse.ts';
import { ArgumentsText } from './arguments-text.ts';

/** The longest text, with spaces around it, that can mean “no input”. */
const MAX_NONE = 64;
/**
 * What vendors and their serializers write for a function without input; the last three come from PHP, Python and
 * JavaScript.
 */
const NONE = ['null', '{}', '[]', 'None', 'undefined'];

/**
 * The input of a tool call that arrives in pieces. A function's input is one JSON object: nothing can follow once it is
 * complete, so a repetition is ignored. Of a piece that repeats everything so far and adds more, only the new text
 * counts. An empty input (`null`, `{}`) is held back, because some vendors begin with one; so is an object inside a
 * JSON string.
 *
 * The received text is joined only at the end: joining it for each piece would take quadratic time.
 */
export class StreamedArguments {
  readonly #form: ToolForm;
  #input = new ArgumentsText();
  /** Text that was received and not passed on yet. */
  #untold = '';
  #isTold = false;
  /** Whether a piece has repeated everything before it. */
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
   * Whether a function's input ends inside its object. Some servers report such a call as complete:
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

  /**
   * Whether a piece repeats everything so far. An object may contain another that begins like it, so this holds only
   * where no object can begin.
   */
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

  /** What remains at the end: `{}` if a function had no input. */
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

/** Whether a function's whole input is cut. */
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
