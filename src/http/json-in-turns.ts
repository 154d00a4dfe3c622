import { setImmediate as turn } from 'node:timers/promises';

/** The items of lists that are written in one turn of the event loop. */
const ITEMS_A_TURN = 500;

/** JSON as `JSON.stringify` writes it; long lists take several turns of the event loop, so that calls are served in between. */
export async function jsonInTurns(value: unknown): Promise<string> {
  const items = itemsIn(value);
  if (items <= ITEMS_A_TURN) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${await itemsInTurns(value)}]`;
  const members: string[] = [];
  for (const [name, member] of Object.entries(value as object)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${await jsonInTurns(member)}`);
  }
  return `{${members.join(',')}}`;
}

async function itemsInTurns(list: readonly unknown[]): Promise<string> {
  const pieces: string[] = [];
  let group: unknown[] = [];
  let size = 0;
  const write = async () => {
    if (group.length > 0) pieces.push(JSON.stringify(group).slice(1, -1));
    [group, size] = [[], 0];
    await turn();
  };
  for (const item of list) {
    const items = 1 + itemsIn(item);
    if (size + items > ITEMS_A_TURN) await write();
    if (items > ITEMS_A_TURN) pieces.push(await jsonInTurns(item));
    else {
      group.push(item);
      size += items;
    }
  }
  await write();
  return pieces.join(',');
}

/** How many items all lists in it have, as far as that matters. */
function itemsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!Array.isArray(value)) return Object.values(value).reduce<number>((sum, member) => sum + itemsIn(member), 0);
  let items = value.length;
  for (const item of value) {
    if (items > ITEMS_A_TURN) return items;
    items += itemsIn(item);
  }
  return items;
}
