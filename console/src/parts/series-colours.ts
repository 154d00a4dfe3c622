/** How many things a chart tells apart; all others are one. */
export const MAX_SERIES = 8;
export const REST_COLOUR = '--series-other';

const KEPT_AS = 'headgate.colours';
/** So many names are remembered of each kind of thing. */
const MAX_KEPT = 200;

type Kept = Record<string, Record<string, number>>;

/**
 * The colours of some things, of different colours in one chart. What a thing had before it has again, on every page, while
 * that is free.
 *
 * @param kind - of what they are: `model`
 * @param names - what comes to most first
 */
export function coloursOf(kind: string, names: readonly string[]): Map<string, string> {
  const kept = read();
  const before = new Map(Object.entries(kept[kind] ?? {}));
  const slots = new Map<string, number>();
  const isFree = (slot: number) => ![...slots.values()].includes(slot);
  const shown = names.slice(0, MAX_SERIES);
  for (const name of shown) {
    const slot = before.get(name);
    if (slot !== undefined && isFree(slot)) slots.set(name, slot);
  }
  for (const name of shown) {
    if (slots.has(name)) continue;
    const free = Array.from({ length: MAX_SERIES }, (_, index) => index + 1).filter(isFree);
    const unused = free.find((slot) => ![...before.values()].includes(slot));
    slots.set(name, unused ?? free[0] ?? 1);
  }
  for (const [name, slot] of slots) {
    before.delete(name);
    before.set(name, slot);
  }
  write({ ...kept, [kind]: Object.fromEntries([...before].slice(-MAX_KEPT)) });
  return new Map([...slots].map(([name, slot]) => [name, `--series-${slot}`]));
}

function read(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') as Kept | null) ?? {};
  } catch {
    return {};
  }
}

function write(kept: Kept): void {
  const text = JSON.stringify(kept);
  if (localStorage.getItem(KEPT_AS) !== text) localStorage.setItem(KEPT_AS, text);
}
