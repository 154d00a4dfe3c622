import { COMMON_WORDS } from './common-words.ts';

/** The required strength of a password: unpredictable characters count 1 each, guessable parts less (see below). */
const MIN_WORTH = 8;
/** Only the beginning of a longer one is rated. */
const LOOKED_AT = 64;
const MAX_REPEATED = 32;
const MIN_RUN = 3;
const MIN_OWN_WORD = 3;

const WORTH = { own: 1, repeat: 1, year: 1, word: 2, run: 2, day: 2 };
/** Separators that count; further ones are as predictable as the first. */
const MAX_BETWEEN = 3;

/** Neighbours on keyboards and in alphabets, forwards and backwards. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'aqswdefrgthyjukilo',
  '!@#$%^&*()_+',
  'a1b2c3d4e5f6g7h8i9j0',
  '1a2b3c4d5e6f7g8h9i0j',
  '111222333444555666777888999000',
  '147258369',
  '789456123',
  '753159',
  'йцукенгшщзхъфывапролджэячсмитьбю',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
].flatMap((row) => [row, [...row].reverse().join('')]);

const MIN_BACKWARDS = 5;
const WORDS = [
  ...COMMON_WORDS,
  ...COMMON_WORDS.filter((word) => word.length >= MIN_BACKWARDS).map((word) => [...word].reverse().join('')),
];

/** Substitutes for letters. */
const LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  // Letters of other alphabets that look like Latin ones.
  ...{ а: 'a', в: 'b', е: 'e', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x', і: 'i', ѕ: 's' },
  ...{ α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x' },
};

const YEAR = '(?:19|20)\\d\\d';
const UP_TO_31 = '(?:0?[1-9]|[12]\\d|3[01])';
/** Dates as people write them: both orders, with the year first or last. */
const DAY = new RegExp(`^(?:${UP_TO_31}[./-]?${UP_TO_31}[./-]?${YEAR}|${YEAR}[./-]?${UP_TO_31}[./-]?${UP_TO_31})`);

/**
 * Whether a password is easily guessed: made of common words, sequences, keyboard rows, repetitions, years, dates, and
 * facts about its owner. It is split into such pieces and single characters in the weakest way, with and without its
 * separators.
 *
 * @param known - what others know: the email address, names of the person and of their organizations
 */
export function isEasyPassword(password: string, known: readonly string[]): boolean {
  const text = plain(password);
  const own = new Set(known.flatMap(ownWords));
  if (worthOf(text, own) < MIN_WORTH) return true;
  const joined = text.replaceAll(/[^\p{Letter}\p{Number}]/gu, '');
  return worthOf(joined, own) + Math.min(MAX_BETWEEN, text.length - joined.length) < MIN_WORTH;
}

/** The strength of a text, split in the weakest way. */
function worthOf(whole: string, own: ReadonlySet<string>): number {
  const text = whole.slice(0, LOOKED_AT);
  const spelled = [...text].map((letter) => LETTERS[letter] ?? letter).join('');
  const best = [0, ...new Array<number>(text.length).fill(Number.POSITIVE_INFINITY)];
  for (let at = 0; at < text.length; at += 1) {
    const reach = (length: number, worth: number) => {
      best[at + length] = Math.min(best[at + length]!, best[at]! + worth);
    };
    reach(1, 1);
    for (const each of new Set([text, spelled])) {
      for (const word of WORDS) if (each.startsWith(word, at)) reach(word.length, WORTH.word);
      for (const word of own) if (each.startsWith(word, at)) reach(word.length, WORTH.own);
    }
    if (/^(?:19|20)\d\d/.test(text.slice(at, at + 4))) reach(4, WORTH.year);
    const day = DAY.exec(text.slice(at, at + 10));
    if (day !== null) reach(day[0].length, WORTH.day);
    for (let length = runAt(text, at); length >= MIN_RUN; length -= 1) reach(length, WORTH.run);
    for (const length of repeatsAt(text, at)) reach(length, WORTH.repeat);
  }
  return best[text.length]!;
}

/** Lower case, without accents and invisible characters, as attackers try them. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{Mark}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase();
}

/** An address or a name, its words, and all of them joined. */
function ownWords(known: string): string[] {
  const words = plain(known).split(/[^\p{Letter}\p{Number}]+/u);
  const forwards = [plain(known), ...words, words.join('')];
  const backwards = forwards.map((word) => [...word].reverse().join(''));
  return [...forwards, ...backwards].filter((word) => word.length >= MIN_OWN_WORD);
}

/** The length of a keyboard row or sequence from a position. */
function runAt(text: string, at: number): number {
  let length = MIN_RUN - 1;
  while (at + length < text.length && ROWS.some((row) => row.includes(text.slice(at, at + length + 1)))) length += 1;
  return length;
}

/** The length of a repetition at a position, for each length of the repeated part. */
function repeatsAt(text: string, at: number): number[] {
  const found: number[] = [];
  for (let length = 1; length <= Math.min(at, MAX_REPEATED); length += 1) {
    const piece = text.slice(at - length, at);
    let end = at;
    while (text.startsWith(piece, end)) {
      end += length;
      found.push(end - at);
    }
  }
  return found;
}
