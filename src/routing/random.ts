/** The random streams of a decision. Each has its own numbers, so that adding a strategy changes no other stream. */
export const STREAMS = { weighted: 1, fastest: 2, explore: 3, explored: 4, credentials: 5 } as const;
export type Stream = (typeof STREAMS)[keyof typeof STREAMS];

const TWO_32 = 2 ** 32;

/**
 * A random number between 0 and 1, exclusive. The same seed, stream and place give the same number, so that a decision
 * can be replayed.
 * @param place a whole number that distinguishes several draws of a stream
 */
export function drawn(seed: number, stream: Stream, place = 0): number {
  return open(mixed(mixed(seed ^ Math.imul(stream, 0x9e3779b1)) + Math.imul(place + 1, 0x85ebca77)));
}

/** `drawn` from the hashes of a caller and a name, for rendezvous hashing. */
export function drawnFor(caller: number, name: number): number {
  return open(mixed(caller ^ mixed(name + 0x9e3779b1)));
}

/**
 * The position of a weight in a weighted random order, lowest first: each item comes first with its share of the
 * weights, and next with its share of the remaining ones.
 * @param chance between 0 and 1
 */
export function raced(chance: number, weight: number): number {
  return -Math.log(chance) / weight;
}

/** A hash of a text: 32 bits of FNV-1a, mixed. Must never change, because callers would change their targets. */
export function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

function open(bits: number): number {
  return (bits + 0.5) / TWO_32;
}

/** The finalizer of MurmurHash3: each input bit changes about half of the output bits. */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Items in a weighted random order, the same for the same seed. Items with weight 0 are left out, unless all have it:
 * then the order is unchanged.
 */
export function inShares<T>(items: readonly T[], weightOf: (item: T) => number, seed: number): readonly T[] {
  const shared = items
    .map((item, index) => ({ item, weight: weightOf(item), at: index }))
    .filter(({ weight }) => weight > 0)
    .map(({ item, weight, at }) => ({ item, at: raced(drawn(seed, STREAMS.credentials, at), weight) }))
    .sort((one, other) => one.at - other.at);
  return shared.length === 0 ? items : shared.map(({ item }) => item);
}
