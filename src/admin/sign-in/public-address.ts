import type { PublicAddress } from '../../core/people.ts';
import { isLoopbackHost } from '../../core/special-networks.ts';

/** Why people cannot sign in to a gateway that has no `publicAddressOf`. */
export const NO_PUBLIC_ADDRESS =
  'People cannot sign in here yet: `server.public_url` must say the https address at which browsers find this gateway.';

/**
 * Where browsers find a gateway; `null` where nobody has said so, and they may be on another machine.
 *
 * @param port - the one that was taken
 */
export function publicAddressOf(
  { publicUrl, host }: { publicUrl: string | null; host: string },
  port: number,
): PublicAddress | null {
  if (publicUrl !== null) return { origin: publicUrl, host: new URL(publicUrl).hostname };
  if (!isLoopbackHost(host)) return null;
  // A passkey binds to no address of numbers, and browsers keep a secure cookie for this name. An origin names no usual port.
  return { origin: new URL(`http://localhost:${port}`).origin, host: 'localhost' };
}
