import { httpProxy, netProxy } from './bare.ts';
import type { Starter } from './contestant.ts';
import { headgate, headgateNode } from './headgate.ts';
import { litellm } from './litellm.ts';
import { nginx } from './nginx.ts';
import { portkey } from './portkey.ts';

const OWN: readonly Starter[] = [headgate, headgateNode, netProxy, httpProxy];
const PEERS: readonly Starter[] = [nginx, portkey, litellm];

/** Headgate, the bare proxies, and the named peers. Throws for an unknown name. */
export function contestantsWith(peers: readonly string[]): Starter[] {
  const unknown = peers.find((name) => !PEERS.some((peer) => peer.name === name));
  if (unknown !== undefined)
    throw new Error(`--against knows ${PEERS.map(({ name }) => name).join(', ')}, and no ${unknown}.`);
  const asked = PEERS.filter(({ name }) => peers.includes(name));
  const floor = asked.filter((peer) => peer === nginx);
  return [...floor, ...OWN, ...asked.filter((peer) => peer !== nginx)];
}
