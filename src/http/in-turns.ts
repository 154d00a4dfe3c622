import { setImmediate as turn } from 'node:timers/promises';

/** The items that are worked at in one turn of the event loop. */
const ITEMS_A_TURN = 500;

/** Counts items that were worked at, so that long work is done in several turns of the event loop and calls are served in between. */
export class WorkTurns {
  #left = ITEMS_A_TURN;

  /** Counts items. Returns whether the turn is over: then the caller awaits `next`. */
  isOver(items = 1): boolean {
    this.#left -= items;
    return this.#left <= 0;
  }

  async next(): Promise<void> {
    this.#left = ITEMS_A_TURN;
    await turn();
  }
}

/** As `items.map(write)`, in turns. */
export async function mapInTurns<Item, Written>(
  items: readonly Item[],
  write: (item: Item) => Written,
  turns = new WorkTurns(),
): Promise<Written[]> {
  const written: Written[] = [];
  for (const item of items) {
    written.push(write(item));
    if (turns.isOver()) await turns.next();
  }
  return written;
}

/** As `items.toSorted(order)`, in turns. */
export async function sortInTurns<Item>(
  items: readonly Item[],
  order: (one: Item, other: Item) => number,
  turns = new WorkTurns(),
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += ITEMS_A_TURN) {
    const run = items.slice(from, from + ITEMS_A_TURN).sort(order);
    runs.push(run);
    if (turns.isOver(run.length)) await turns.next();
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let each = 0; each < runs.length; each += 2)
      merged.push(await mergeInTurns(runs[each]!, runs[each + 1] ?? [], { order, turns }));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeInTurns<Item>(
  one: readonly Item[],
  other: readonly Item[],
  { order, turns }: { order: (one: Item, other: Item) => number; turns: WorkTurns },
): Promise<Item[]> {
  const merged: Item[] = [];
  for (let [mine, theirs] = [0, 0]; mine < one.length || theirs < other.length; ) {
    const isMine = theirs === other.length || (mine < one.length && order(one[mine]!, other[theirs]!) <= 0);
    merged.push(isMine ? one[mine++]! : other[theirs++]!);
    if (turns.isOver()) await turns.next();
  }
  return merged;
}

/** As `JSON.stringify(value)`, in turns. */
export async function jsonInTurns(value: unknown): Promise<string> {
  const turns = new WorkTurns();
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (turns.isOver()) await turns.next();
  }
  return text;
}

/** The JSON of a value in pieces, none of which has a list inside. No list is looked at before its turn. */
function* piecesOf(value: unknown, before = ''): Generator<string, void> {
  if (!hasList(value)) return yield before + (JSON.stringify(value) ?? 'null');
  let separator = '';
  if (Array.isArray(value)) {
    yield `${before}[`;
    for (const item of value) {
      yield* piecesOf(item, separator);
      separator = ',';
    }
    return yield ']';
  }
  yield `${before}{`;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield* piecesOf(member, `${separator}${JSON.stringify(name)}:`);
    separator = ',';
  }
  yield '}';
}

/** Whether a value is a list with items, or has one inside. */
function hasList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some(hasList);
}
