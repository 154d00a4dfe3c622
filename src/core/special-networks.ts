import { type IpNetwork, isInNetwork, readIpAddress, readIpNetwork } from './ip-address.ts';

/**
 * Networks that are not public: IANA's registries of special-purpose addresses for IPv4 (RFC 6890) and IPv6, multicast,
 * and metadata addresses of clouds that look public. IPv6 ranges that embed an IPv4 address are included, whatever that
 * address is: no model server is reached through one, and a router may translate it to a private address. Compared with
 * copies of the registries in public repositories on 2026-11-27; the registries themselves were not read.
 */
export const SPECIAL_NETWORKS: readonly (readonly [network: string, what: string])[] = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared by the customers of a carrier'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'metadata of a cloud'],
  ['169.254.0.0/16', 'link-local, with the metadata of clouds'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'assignments of protocols'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'AS112'],
  ['192.52.193.0/24', 'AMT relays'],
  ['192.88.99.0/24', '6to4 relays, deprecated'],
  ['192.168.0.0/16', 'private use'],
  ['192.175.48.0/24', 'AS112'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved, with the limited broadcast'],
  ['::/96', 'compatible with IPv4, deprecated, with the unspecified address and loopback'],
  ['::ffff:0:0/96', 'mapped to IPv4'],
  ['::ffff:0:0:0/96', 'translated to IPv4'],
  ['64:ff9b::/96', 'translated to IPv4 (NAT64)'],
  ['64:ff9b:1::/48', 'translated to IPv4, for local use'],
  ['100::/64', 'discarded'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/23', 'assignments of protocols: Teredo, benchmarks, ORCHID, AMT, AS112'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'addresses of IPv4 (6to4)'],
  ['2620:4f:8000::/48', 'AS112'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segments of routes (SRv6)'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local, deprecated'],
  ['ff00::/8', 'multicast'],
];

const NETWORKS: readonly IpNetwork[] = SPECIAL_NETWORKS.map(([network]) => readIpNetwork(network));
/** The only public range of IPv6. */
const GLOBAL_UNICAST = readIpNetwork('2000::/3');
const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(readIpNetwork);

/** True if the address is public. `text` is in the format of `readIpAddress`; other text is not public. */
export function isPublicAddress(text: string): boolean {
  const address = readIpAddress(text);
  if (address === null) return false;
  if (address.version === 6 && !isInNetwork(address, GLOBAL_UNICAST)) return false;
  return !NETWORKS.some((network) => isInNetwork(address, network));
}

/** True if a host is this machine: `localhost`, or a loopback address. IPv6 may be in brackets. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const address = readIpAddress(bare);
  if (address === null) return bare.toLowerCase() === 'localhost';
  return LOOPBACK.some((network) => isInNetwork(address, network));
}
