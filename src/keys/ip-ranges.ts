import ipaddr from 'ipaddr.js';

type ParsedAddress = ReturnType<typeof ipaddr.parse>;
/** A range: its start, and how many of its bits count. */
type ParsedRange = { start: ParsedAddress; bits: number };

/** Parsed once for each key that is known, not for each call. */
const parsed = new WeakMap<readonly string[], readonly ParsedRange[]>();

/** Whether an address is within one of some ranges. An IPv4 address that comes as IPv6 (`::ffff:10.0.0.1`) is what it is. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const peer = ipaddr.process(address);
  let known = parsed.get(ranges);
  if (known === undefined) {
    known = ranges.map(parseRange);
    parsed.set(ranges, known);
  }
  return known.some(({ start, bits }) => start.kind() === peer.kind() && peer.match(start, bits));
}

function parseRange(range: string): ParsedRange {
  if (range.includes('/')) {
    const [start, bits] = ipaddr.parseCIDR(range);
    return isMapped(start) && bits >= 96 ? { start: start.toIPv4Address(), bits: bits - 96 } : { start, bits };
  }
  const start = ipaddr.process(range);
  return { start, bits: start.kind() === 'ipv4' ? 32 : 128 };
}

function isMapped(address: ParsedAddress): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}
