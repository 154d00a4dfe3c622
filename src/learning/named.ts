import type { SmartText } from './features.ts';
import { LANGUAGES, SUBJECTS } from './subjects.ts';
import { scanWords, stemHash, type Word } from './words.ts';

/**
 * Features with a name: kinds of task, subjects, languages, length and shape. Each has a value from 0 to 1, and a place
 * that may never change (`STORED_VERSION`).
 */

/** Kinds of task, by patterns in the places of instructions: the beginning and the end. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'multiple choice': /(?:^|\n)[ \t]{0,8}\(?A[.):][ \t]/,
  question: /\?[ \t]{0,8}(?:\n|$)|\b(?:what|which|who|whom|when|where|why|how)\b[^.?!\n]{0,200}\?/i,
  statements: /\b(?:statement|scenario|sentence) ?(?:1|i|one)\b/i,
  completion: /_{2,}|\b(?:fill in|complete the)\b/i,
  translation: /\btranslat(?:e|ion|ing)\b|\b(?:to|into) (?:english|french|german|spanish|italian|chinese|japanese)\b/i,
  summary: /\b(?:summari[sz]e|summary|tl;?dr|key points|in short)\b/i,
  code: /```|\b(?:function|def|class|import|const|return|public|void)\b[^\n]{0,80}[({;:]|\b(?:python|javascript|typescript|sql|java|rust|bash|regex)\b/i,
  mathematics:
    /\b(?:solve|calculate|compute|evaluate|integral|derivative|equation|probability|how many|how much)\b|\d ?[-+*/^=×÷] ?\d|\\(?:frac|sqrt|sum|int)\b/i,
  proof: /\b(?:prove|proof|show that|derive|theorem|lemma)\b/i,
  extraction: /\b(?:extract|find all|list all|identify (?:the|all)|parse|fields?:|entities)\b/i,
  classification: /\b(?:classify|categori[sz]e|label|sentiment|which category)\b/i,
  rewriting: /\b(?:rewrite|rephrase|paraphrase|proofread|correct the|fix the|improve (?:the|this)|make (?:it|this))\b/i,
  writing:
    /\b(?:write|draft|compose)\b[^.\n]{0,60}\b(?:email|letter|essay|story|poem|post|article|blog|speech|report)\b/i,
  explanation: /\b(?:explain|describe|why (?:is|are|do|does|did)|how (?:does|do|did))\b/i,
  planning: /\b(?:plan|design|architect|strategy|step[- ]by[- ]step|roadmap)\b/i,
  chat: /^\s{0,8}(?:hi|hello|hey|thanks|thank you|good (?:morning|evening)|how are you)\b/i,
  negation: /\b(?:NOT|EXCEPT|LEAST|except|incorrect|false)\b/,
  'best of several': /\b(?:most likely|best|primary|main|strongest|greatest|most accurate|according to)\b/i,
  'first person': /\b(?:I|my|me)\b/,
  hypothetical: /\b(?:suppose|assume|consider|imagine|if)\b/i,
  'quoted passage': /["“][^"”]{120}/,
  year: /\b(?:1\d|20)\d\d\b/,
  money: /[$€£]\s?\d/,
  percent: /\d\s?%/,
  'all or none': /\b(?:all|none|both|neither) (?:of )?(?:the above|these|[ABCD] (?:and|nor))\b/i,
};
/** Instructions are expected in this many characters from either end. */
const EDGE = 600;

const SCRIPTS: readonly (readonly [name: string, from: number, to: number])[] = [
  ['latin', 0x61, 0x24f],
  ['greek', 0x370, 0x3ff],
  ['cyrillic', 0x400, 0x52f],
  ['hebrew', 0x590, 0x5ff],
  ['arabic', 0x600, 0x77f],
  ['indic', 0x900, 0xdff],
  ['thai', 0xe00, 0xe7f],
  ['kana', 0x3040, 0x30ff],
  ['han', 0x3400, 0x9fff],
  ['hangul', 0xac00, 0xd7af],
];
const LENGTH_STEPS = [6, 7, 8, 9, 10, 11, 12];
const OPTION_STEPS = [2, 3, 4, 5, 6, 7];
const TOKEN_STEPS = [8, 10, 12, 14, 16];
const CONSTRAINT =
  /\b(?:must|at most|at least|exactly|no more than|only|do not|don't|without|never|always)\b|^[ \t]{0,8}[-*•] /gim;
const OPTION = /(?:^|\n)[ \t]{0,8}\(?([A-H])[.)][ \t]+([^\n]*)/g;

const SHAPES = [
  'length',
  'digits',
  'symbols',
  'capitals',
  'word length',
  'long words',
  'numbers',
  'distinct words',
  'lines',
  'sentence length',
  'commas',
  'constraints',
  'turns',
  'tools',
  'images',
  'structured output',
  'system prompt',
  'options',
  'option length',
  'numeric options',
  'options with digits',
  'integer options',
  'long options',
  'uneven options',
  'length before options',
] as const;
type Shape = (typeof SHAPES)[number];

const SUBJECT_NAMES = Object.keys(SUBJECTS);
const LANGUAGE_NAMES = Object.keys(LANGUAGES);

/** The names of named features, by index. */
export const NAMES: readonly string[] = [
  ...SHAPES,
  ...LENGTH_STEPS.map((step) => `longer than ${2 ** step} characters`),
  ...OPTION_STEPS.map((step) => `options longer than ${2 ** step} characters`),
  ...TOKEN_STEPS.map((step) => `more than ${2 ** step} tokens`),
  ...SCRIPTS.map(([name]) => `script: ${name}`),
  ...LANGUAGE_NAMES.map((name) => `language: ${name}`),
  ...Object.keys(KINDS).map((name) => `kind: ${name}`),
  ...SUBJECT_NAMES.map((name) => `words of ${name}`),
  ...SUBJECT_NAMES.map((name) => `about ${name}`),
];
const INDEX = new Map(NAMES.map((name, index) => [name, index]));

/** The lists that contain a word: languages first, then subjects. */
const LISTS = listsByStem([...Object.values(LANGUAGES), ...Object.values(SUBJECTS)]);

/** The index of a named feature. Throws for an unknown name. */
export function indexOfName(name: string): number {
  const index = INDEX.get(name);
  if (index === undefined) throw new Error(`No feature is called ${name}.`);
  return index;
}

/** The named features of a call whose last user turn, cut to its bounds, is `text`; `lower` is `text` in lower case. */
export function namedFeatures(call: SmartText, text: string, lower: string): Float64Array {
  const values = new Float64Array(NAMES.length);
  const put = (name: string, value: number) => {
    values[indexOfName(name)] = Math.min(1, Math.max(0, value));
  };
  const shape = (name: Shape, value: number) => put(name, value);
  const counted = countWords(lower);
  const signs = countSigns(text);
  const letters = counted.letters + 1;
  const words = counted.words + 1;
  const characters = letters + signs.symbols + signs.digits;

  shape('length', Math.log2(call.lastUser.length + 1) / 16);
  shape('digits', (signs.digits / characters) * 3);
  shape('symbols', (signs.symbols / characters) * 3);
  shape('capitals', (signs.capitals / letters) * 3);
  shape('word length', (letters / words - 3) / 4);
  shape('long words', (counted.long / words) * 2);
  shape('numbers', Math.log2(1 + counted.numbers) / 6);
  shape('distinct words', counted.distinct / Math.min(words, DISTINCT_AMONG));
  shape('lines', Math.log2(1 + signs.lines) / 6);
  shape('sentence length', Math.log2(words / (signs.stops + 1)) / 6);
  shape('commas', (signs.commas / words) * 5);
  shape('constraints', Math.log2(1 + (text.match(CONSTRAINT)?.length ?? 0)) / 5);
  shape('turns', Math.log2(Math.max(1, call.turns)) / 6);
  shape('tools', Math.log2(1 + call.tools) / 6);
  shape('images', call.images ? 1 : 0);
  shape('structured output', call.structured ? 1 : 0);
  shape('system prompt', Math.log2(1 + call.system.length) / 16);
  putSteps(put, LENGTH_STEPS, Math.log2(call.lastUser.length + 1), (above) => `longer than ${above} characters`);
  putSteps(put, TOKEN_STEPS, Math.log2(call.promptTokens + 1), (above) => `more than ${above} tokens`);
  putOptions(put, text);

  SCRIPTS.forEach(([name], at) => {
    put(`script: ${name}`, counted.scripts[at]! / letters);
  });
  const edges = text.length <= 2 * EDGE ? text : `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}`;
  for (const [name, pattern] of Object.entries(KINDS)) put(`kind: ${name}`, pattern.test(edges) ? 1 : 0);
  putLists(put, counted.lists, words);
  return values;
}

type Put = (name: string, value: number) => void;

/** How far a number is above each step, so that the model can learn a different slope between steps. */
function putSteps(put: Put, steps: readonly number[], log: number, name: (above: number) => string): void {
  for (const step of steps) put(name(2 ** step), log - step);
}

/** The pattern of multiple-choice options. */
function putOptions(put: Put, text: string): void {
  const options = [...text.matchAll(OPTION)].map((match) => match[2]!.trim());
  if (options.length < 2) return;
  const share = (is: (option: string) => boolean) => options.filter(is).length / options.length;
  const lengths = options.map((option) => option.length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / options.length;
  put('options', options.length / 8);
  put('option length', Math.log2(1 + mean) / 8);
  putSteps(put, OPTION_STEPS, Math.log2(1 + mean), (above) => `options longer than ${above} characters`);
  put(
    'numeric options',
    share((option) => /^[^a-zA-Z]*\d[^a-zA-Z]*[a-z]{0,3}\W*$/.test(option)),
  );
  put(
    'options with digits',
    share((option) => /\d/.test(option)),
  );
  put('integer options', share((option) => /^-?\d+\.?$/.test(option)) === 1 ? 1 : 0);
  put(
    'long options',
    share((option) => option.length > 40),
  );
  put('uneven options', (Math.max(...lengths) - Math.min(...lengths)) / (mean + 5) / 3);
  put('length before options', Math.log2(1 + Math.max(0, text.search(OPTION))) / 12);
}

function putLists(put: Put, lists: Float64Array, words: number): void {
  LANGUAGE_NAMES.forEach((name, at) => {
    put(`language: ${name}`, (lists[at]! / words) * 3);
  });
  const counts = lists.subarray(LANGUAGE_NAMES.length);
  let most = 0;
  SUBJECT_NAMES.forEach((name, at) => {
    put(`words of ${name}`, counts[at]! / Math.sqrt(words + 5) / 2);
    if (counts[at]! > counts[most]!) most = at;
  });
  if (counts[most]! > 0) put(`about ${SUBJECT_NAMES[most]}`, 1);
}

type PromptWords = {
  words: number;
  numbers: number;
  letters: number;
  long: number;
  distinct: number;
  scripts: Float64Array;
  lists: Float64Array;
};

const LONG_WORD = 8;
/** The number of first words among which distinct words are counted. */
const DISTINCT_AMONG = 1000;

function countWords(lower: string): PromptWords {
  const counted: PromptWords = {
    words: 0,
    numbers: 0,
    letters: 0,
    long: 0,
    distinct: 0,
    scripts: new Float64Array(SCRIPTS.length),
    lists: new Float64Array(LANGUAGE_NAMES.length + SUBJECT_NAMES.length),
  };
  const seen = new Set<number>();
  scanWords(lower, (word: Word) => {
    counted.words += 1;
    if (counted.words <= DISTINCT_AMONG) seen.add(word.hash);
    if (word.number) {
      counted.numbers += 1;
      return;
    }
    counted.letters += word.length;
    if (word.length > LONG_WORD) counted.long += 1;
    const script = scriptOf(lower.charCodeAt(word.start));
    if (script !== -1) counted.scripts[script]! += word.length;
    const lists = LISTS.get(word.stem);
    if (lists !== undefined) for (const list of lists) counted.lists[list]! += 1;
  });
  counted.distinct = seen.size;
  return counted;
}

/** Place among the scripts; -1 for none of them. */
function scriptOf(code: number): number {
  for (let at = 0; at < SCRIPTS.length; at += 1) if (code >= SCRIPTS[at]![1] && code <= SCRIPTS[at]![2]) return at;
  return -1;
}

function countSigns(text: string) {
  const signs = { capitals: 0, digits: 0, symbols: 0, lines: 0, commas: 0, stops: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80 || (code >= 0x61 && code <= 0x7a) || code === 0x20) continue;
    if (code >= 0x41 && code <= 0x5a) signs.capitals += 1;
    else if (code >= 0x30 && code <= 0x39) signs.digits += 1;
    else if (code === 0x0a) signs.lines += 1;
    else if (code === 0x2c) signs.commas += 1;
    else if (code === 0x2e || code === 0x3f || code === 0x21) signs.stops += 1;
    else if (code > 0x20) signs.symbols += 1;
  }
  return signs;
}

function listsByStem(lists: readonly string[]): Map<number, number[]> {
  const byStem = new Map<number, number[]>();
  lists.forEach((words, list) => {
    for (const stem of new Set(words.trim().split(/\s+/).map(stemHash))) {
      byStem.set(stem, [...(byStem.get(stem) ?? []), list]);
    }
  });
  return byStem;
}
