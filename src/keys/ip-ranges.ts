import ipaddr from 'ipaddr.js';

type ParsedAddress = ReturnType<typeof ipaddr.parse>;
/** A range: its first address, and the number of leading bits that count. */
type ParsedRange = { start: ParsedAddress; bits: number };

/** Parsed once per cached key, not per call. */
const parsed = new WeakMap<readonly string[], readonly ParsedRange[]>();

/** True if an address is in one of the ranges. A mapped IPv4 address (`::ffff:10.0.0.1`) counts as IPv4. */
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
