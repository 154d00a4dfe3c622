/** An IP address: four octets of IPv4, or eight groups of 16 bits of IPv6. */
export type IpAddress = Readonly<{ version: 4 | 6; parts: readonly number[] }>;

/** A network: its first address and its prefix length in bits. */
export type IpNetwork = Readonly<{ first: IpAddress; bits: number }>;

const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
const GROUPS = 8;

/**
 * Reads an address as people write it: four decimal numbers without leading zeros, or IPv6. Short forms (`10.1`), octal and
 * hexadecimal IPv4, ports and zones are refused (`null`). An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) stays IPv6.
 */
export function readIpAddress(text: string): IpAddress | null {
  return text.includes(':') ? readIpv6(text) : readIpv4(text);
}

function readIpv4(text: string): IpAddress | null {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255)) return null;
  return { version: 4, parts: octets.map(Number) };
}

function readIpv6(text: string): IpAddress | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const read = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  const [head, tail] = read;
  if (head === null || head === undefined || tail === null) return null;
  if (tail === undefined) return head.length === GROUPS ? { version: 6, parts: head } : null;
  const missing = GROUPS - head.length - tail.length;
  if (missing < 1) return null;
  return { version: 6, parts: [...head, ...new Array<number>(missing).fill(0), ...tail] };
}

/** `null` if a group is invalid. An IPv4 address may replace the last two groups. */
function groupsOf(half: string, isLast: boolean): number[] | null {
  if (half === '') return [];
  const names = half.split(':');
  const last = isLast && names.at(-1)!.includes('.') ? names.pop()! : null;
  const embedded = last === null ? null : readIpv4(last);
  if (last !== null && embedded === null) return null;
  if (!names.every((name) => GROUP.test(name))) return null;
  const groups = names.map((name) => Number.parseInt(name, 16));
  if (embedded === null) return groups;
  const [first = 0, second = 0, third = 0, fourth = 0] = embedded.parts;
  return [...groups, first * 256 + second, third * 256 + fourth];
}

/** The IPv4 address of a mapped IPv6 address (`::ffff:0:0/96`); other addresses are returned unchanged. */
export function unmapped(address: IpAddress): IpAddress {
  const { version, parts } = address;
  if (version === 4 || !parts.slice(0, 5).every((part) => part === 0) || parts[5] !== 0xffff) return address;
  return { version: 4, parts: parts.slice(6).flatMap((part) => [part >> 8, part & 255]) };
}

/** The canonical form: IPv6 in lower case, with its longest run of zeros omitted. */
export function formatIpAddress({ version, parts }: IpAddress): string {
  if (version === 4) return parts.join('.');
  const text = parts.map((part) => part.toString(16)).join(':');
  const runs = [...text.matchAll(/(?<![^:])0(?::0(?![^:]))+/g)].map(([run]) => run);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return text;
  const at = `:${text}:`.indexOf(`:${longest}:`);
  const [before, after] = [text.slice(0, Math.max(0, at - 1)), text.slice(at + longest.length + 1)];
  return `${before}::${after}`;
}

/**
 * The canonical form of a caller's address as given by a socket or proxy: without port, brackets, quotes and zone, and a
 * mapped IPv4 address as IPv4. `null` if it is not an address.
 */
export function callerIpAddress(told: string): string | null {
  const text = told.trim().replace(/^"(.*)"$/, '$1');
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const address = readIpAddress(bare.replace(/%.*$/, ''));
  return address === null ? null : formatIpAddress(unmapped(address));
}

/**
 * The networks under which an address is counted, narrowest first: for IPv4 the address itself; for IPv6 its /64, the
 * smallest network of a customer, and the /56 and /48 that a customer may have.
 *
 * @param address - as `callerIpAddress` writes it
 */
export function networksOf(address: string): readonly string[] {
  const read = readIpAddress(address);
  if (read === null || read.version === 4) return [address];
  const [first, second, third, fourth = 0] = read.parts.map((part) => part.toString(16));
  const inFourth = Number.parseInt(String(fourth), 16);
  return [
    `${first}:${second}:${third}:${fourth}::/64`,
    `${first}:${second}:${third}:${(inFourth & 0xff00).toString(16)}::/56`,
    `${first}:${second}:${third}::/48`,
  ];
}

/**
 * The fault of an IP address or CIDR range, as a predicate; `null` if it is valid. Refuses forms that other programs may read
 * as another address, and ranges that do not begin with their first address.
 */
export function ipRangeFault(text: string): string | null {
  const [start = '', bits, ...more] = text.split('/');
  const address = readIpAddress(start);
  const most = address?.version === 4 ? 32 : 128;
  const isCount = bits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most);
  if (address === null || !isCount || more.length > 0)
    return 'must be an IP address, written in full, or a range such as 10.0.0.0/8';
  if (start.includes('.') && unmapped(address).version === 6)
    return `must not be an IPv4 address written as IPv6: write ${formatIpAddress(address)}`;
  const first = firstOf(address, bits === undefined ? most : Number(bits));
  const wanted = `${formatIpAddress(first)}/${bits}`;
  return first.parts.every((part, index) => part === address.parts[index])
    ? null
    : `must begin with the first address of its range: ${wanted}`;
}

/** Parses a CIDR range that `ipRangeFault` accepts. Throws if the address is invalid. */
export function readIpNetwork(range: string): IpNetwork {
  const [start = '', bits] = range.split('/');
  const first = readIpAddress(start);
  if (first === null) throw new Error(`${range} is not a network.`);
  return { first, bits: bits === undefined ? first.parts.length * (first.version === 4 ? 8 : 16) : Number(bits) };
}

/** False if the IP versions differ. */
export function isInNetwork(address: IpAddress, { first, bits }: IpNetwork): boolean {
  if (address.version !== first.version) return false;
  const start = firstOf(address, bits);
  return start.parts.every((part, index) => part === first.parts[index]);
}

function firstOf({ version, parts }: IpAddress, bits: number): IpAddress {
  const size = version === 4 ? 8 : 16;
  const kept = (index: number) => Math.min(size, Math.max(0, bits - index * size));
  return { version, parts: parts.map((part, index) => part & (-1 << (size - kept(index)))) };
}
