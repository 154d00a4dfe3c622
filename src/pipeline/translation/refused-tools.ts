import type { Envelope } from '../../dialects/dialect.ts';
import { TOOL_NAMES } from '../../dialects/noticed-names.ts';
import type { KnownForms } from '../../dialects/tool-forms.ts';
import { isWord } from '../../json/scan.ts';
import { type JsonIndex, memberAt, TAPE_STEP, type Tape } from '../../json/tape.ts';
import type { ToolNameRules } from './tool-names.ts';

/** Members of tools and of messages that hold what is named. */
const HOLDERS = ['function"', 'custom"', 'function_call"'];
/** Members of messages that hold calls of tools. */
const LISTS = ['tool_calls"', 'content"'];
/** What no root of a schema may hold at most vendors. */
const NOT_AT_ROOT = ['anyOf"', 'oneOf"', 'allOf"', 'enum"', 'const"', 'not"', '$ref"'];
const BEGIN_NOT_AT_ROOT = bytesOf(/[aoecn$]/);
/** How a pattern looks around or refers back, and `\0`, as JSON writes them. */
const ODD_IN_PATTERNS = ['(?', '\\\\1', '\\\\0', '\\\\k'].map((text) => Buffer.from(text));
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const PLAIN_BYTES = bytesOf(/[A-Za-z0-9_-]/);
const PROPERTY_BYTES = bytesOf(/[A-Za-z0-9_.-]/);
const BEGINNINGS = bytesOf(/[A-Za-z_]/);
/** How members of messages begin that matter here: `name`, `role`, `content`, `custom`, `tool_calls`, `function`. */
const BEGIN_IN_MESSAGES = bytesOf(/[nrctf]/);
const LONGEST_PROPERTY = 64;

type Looked = { body: Buffer; tape: Tape; names: ToolNameRules; forms: KnownForms };

/** Whether anything in the body may be the name of a tool. /!\ Hot path: the scan has noticed it, and most calls have none. */
export function namesTools({ index }: Envelope): boolean {
  return (index.noticed & TOOL_NAMES) !== 0;
}

/**
 * Whether the vendor may refuse a tool of a call that passes, or a name of one in the conversation.
 *
 * /!\ Hot path: reads the tape of the scan: of each tool its name and the outermost names of its schema. Messages are read
 * only where something that may be a name of a tool is not as the vendor takes it. Only for patterns the bytes of the tools are
 * searched.
 */
export function mayRefuseTools({ body, index }: Envelope, names: ToolNameRules, forms: KnownForms): boolean {
  const looked = { body, tape: index.tape, names, forms };
  for (const list of ['tools', 'functions']) {
    const at = memberAt(body, index, list);
    if (at >= 0 && (isAnyRefused(looked, at) || hasOddPattern(looked, at))) return true;
  }
  if (bringsRefused(looked, memberAt(body, index, 'input'))) return true;
  if (!isAnyPlacedRefused(looked, index)) return false;
  for (const list of ['messages', 'input']) if (isAnyMentionRefused(looked, memberAt(body, index, list))) return true;
  return false;
}

/** Whether any text anywhere, under a member that may hold the name of a tool, is no name that the vendor takes. */
function isAnyPlacedRefused(looked: Looked, { placed, escapedNames }: JsonIndex): boolean {
  if (escapedNames) return true;
  const { body, tape } = looked;
  for (const at of placed) if (body[tape[at + 1]!] === QUOTE && !isLegalAt(looked, at)) return true;
  return false;
}

/** Whether an item of a conversation of responses brings tools that the vendor may refuse. */
function bringsRefused(looked: Looked, list: number): boolean {
  const { body, tape } = looked;
  if (list < 0 || body[tape[list + 1]!] !== OPEN_BRACKET) return false;
  for (let item = list + TAPE_STEP; item < tape[list + 3]!; item = tape[item + 3]!) {
    for (let at = item + TAPE_STEP; at < tape[item + 3]!; at = tape[at + 3]!) {
      if (body[tape[at + 1]!] !== OPEN_BRACKET || !isWord(body, tape[at]! + 1, 'tools"')) continue;
      if (isAnyRefused(looked, at) || hasOddPattern(looked, at)) return true;
    }
  }
  return false;
}

function hasOddPattern({ body, tape, forms }: Looked, list: number): boolean {
  if (!forms.pattern) return false;
  const tools = body.subarray(tape[list + 1]!, tape[list + 2]!);
  return ODD_IN_PATTERNS.some((odd) => tools.includes(odd));
}

function isAnyRefused(looked: Looked, list: number): boolean {
  const { tape } = looked;
  const end = tape[list + 3]!;
  for (let at = list + TAPE_STEP; at < end; at = tape[at + 3]!) if (isRefused(looked, at)) return true;
  return false;
}

function isRefused(looked: Looked, tool: number): boolean {
  const { body, tape, forms } = looked;
  const end = tape[tool + 3]!;
  for (let at = tool + TAPE_STEP; at < end; at = tape[at + 3]!) {
    const quote = tape[at]!;
    if (quote < 0) return true;
    const first = body[tape[at + 1]!];
    if (first === OPEN_BRACE) {
      if (isOneOf(body, quote, HOLDERS)) {
        if (isRefused(looked, at)) return true;
      } else if (isWord(body, quote + 1, 'parameters"') || isWord(body, quote + 1, 'input_schema"')) {
        if (forms.deep || isRootRefused(looked, at)) return true;
      }
    } else if (first === OPEN_BRACKET) {
      if (isWord(body, quote + 1, 'tools"') && isAnyRefused(looked, at)) return true;
    } else if (first === QUOTE && isWord(body, quote + 1, 'name"') && !isLegalAt(looked, at)) return true;
  }
  return false;
}

function isRootRefused(looked: Looked, schema: number): boolean {
  const { body, tape, forms } = looked;
  if (!forms.root) return false;
  let hasProperties = false;
  let isEmpty = true;
  let isObject = false;
  const end = tape[schema + 3]!;
  for (let at = schema + TAPE_STEP; at < end; at = tape[at + 3]!) {
    const quote = tape[at]!;
    if (quote < 0) return true;
    if (isWord(body, quote + 1, 'properties"')) {
      hasProperties = true;
      isEmpty = tape[at + 3]! === at + TAPE_STEP;
      if (forms.propertyNames && isAnyNameRefused(looked, at)) return true;
    } else if (isWord(body, quote + 1, 'type"')) isObject = isWord(body, tape[at + 1]!, '"object"');
    else if (forms.rootUnion && BEGIN_NOT_AT_ROOT[body[quote + 1]!] === 1 && isOneOf(body, quote, NOT_AT_ROOT))
      return true;
  }
  return (forms.noProperties && !hasProperties) || (forms.rootUnion && !isObject) || (forms.empty && isEmpty);
}

function isAnyNameRefused({ body, tape }: Looked, properties: number): boolean {
  const end = tape[properties + 3]!;
  for (let at = properties + TAPE_STEP; at < end; at = tape[at + 3]!) {
    const quote = tape[at]!;
    if (quote < 0) return true;
    let last = quote + 1;
    while (PROPERTY_BYTES[body[last]!] === 1) last += 1;
    if (body[last] !== QUOTE || last === quote + 1 || last - quote - 1 > LONGEST_PROPERTY) return true;
  }
  return false;
}

/** Whether a message or item of this list names a tool as the vendor does not take it. */
function isAnyMentionRefused(looked: Looked, list: number): boolean {
  if (list < 0 || looked.body[looked.tape[list + 1]!] === QUOTE) return false;
  const { tape } = looked;
  const end = tape[list + 3]!;
  for (let at = list + TAPE_STEP; at < end; at = tape[at + 3]!) if (isMentionRefused(looked, at)) return true;
  return false;
}

function isMentionRefused(looked: Looked, item: number): boolean {
  const { body, tape } = looked;
  const end = tape[item + 3]!;
  for (let at = item + TAPE_STEP; at < end; at = tape[at + 3]!) {
    const quote = tape[at]!;
    if (quote < 0) return true;
    if (BEGIN_IN_MESSAGES[body[quote + 1]!] === 0) continue;
    const first = body[tape[at + 1]!];
    if (first === QUOTE) {
      if (isWord(body, quote + 1, 'name"') && !isLegalAt(looked, at)) return true;
      // What a user says names no tool.
      if (isWord(body, quote + 1, 'role"') && isWord(body, tape[at + 1]!, '"user"')) return false;
    } else if (first === OPEN_BRACKET) {
      if (isOneOf(body, quote, LISTS) && isAnyMentionRefused(looked, at)) return true;
    } else if (first === OPEN_BRACE && isOneOf(body, quote, HOLDERS) && isMentionRefused(looked, at)) return true;
  }
  return false;
}

/** Whether the name in quotes is legal as its bytes stand. One with escapes is read before it is judged. */
function isLegalAt({ body, tape, names }: Looked, at: number): boolean {
  const [start, end] = [tape[at + 1]! + 1, tape[at + 2]! - 1];
  if (start === end || end - start > names.longest) return false;
  for (let each = start; each < end; each += 1) if (PLAIN_BYTES[body[each]!] === 0) return false;
  return names.startsWithLetter !== true || BEGINNINGS[body[start]!] === 1;
}

function bytesOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/** Whether the member whose name begins at this quote has one of these names. */
function isOneOf(body: Buffer, quote: number, words: readonly string[]): boolean {
  for (const word of words) if (isWord(body, quote + 1, word)) return true;
  return false;
}
