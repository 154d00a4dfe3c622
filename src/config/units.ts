/** A unit of amounts. `parse` returns `null` for invalid text. */
export type Unit = {
  parse(text: string): number | null;
  format(amount: number): string;
  /** A description with an example, for error messages. */
  words: string;
  /** The allowed suffixes, for a pattern. */
  suffixes: readonly string[];
};

/** Milliseconds: `250ms`, `3s`, `15m`, `1h`, `400d`; a bare number is milliseconds. */
export const DURATION = unit('a duration such as 30s', {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
});

/** Bytes: `64KB`, `64MB`, `1GB`, in steps of 1,024; a bare number is bytes. */
export const SIZE = unit('a size such as 64MB', { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 });

/** A whole number: `600`. */
export const COUNT = unit('a whole number', {});

/** `factors` in rising order. */
function unit(words: string, factors: Readonly<Record<string, number>>): Unit {
  const steps = Object.entries(factors);
  return {
    words,
    suffixes: Object.keys(factors),
    parse(text) {
      const [, digits, suffix] = /^(\d+)([A-Za-z]*)$/.exec(text) ?? [];
      const factor = suffix === '' ? 1 : steps.find(([name]) => name === suffix)?.[1];
      return digits === undefined || factor === undefined ? null : Number(digits) * factor;
    },
    format(amount) {
      const [suffix, factor] = steps.findLast(([, each]) => amount % each === 0) ?? ['', 1];
      return amount === 0 ? '0' : `${amount / factor}${suffix}`;
    },
  };
}
