import type { PublicAddress } from '../../core/people.ts';
import { isLoopbackHost } from '../../core/special-networks.ts';

/** Why people cannot sign in without `publicAddressOf`. */
export const NO_PUBLIC_ADDRESS =
  'People cannot sign in yet. Set `server.public_url` to the https address of this gateway for browsers.';

/**
 * The gateway's address for browsers; `null` if it is not set and they may be on another machine.
 *
 * @param port - the actual port
 */
export function publicAddressOf(
  { publicUrl, host }: { publicUrl: string | null; host: string },
  port: number,
): PublicAddress | null {
  if (publicUrl !== null) return { origin: publicUrl, host: new URL(publicUrl).hostname };
  if (!isLoopbackHost(host)) return null;
  // Passkeys do not work with numeric addresses, and browsers keep secure cookies for this name. An origin omits the
  // default port.
  return { origin: new URL(`http://localhost:${port}`).origin, host: 'localhost' };
}
