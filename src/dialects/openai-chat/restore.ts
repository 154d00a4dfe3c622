import type { Losses } from '../../core/losses.ts';
import { opens, SEAL_MARK, unpackSeal } from '../../core/seal.ts';
import { readDetails, writeDetails } from './details.ts';
import { list, record, text } from './json.ts';

/**
 * The messages of a call that passes, with the seals that we packed into them opened again for who made them, and left
 * out where the call goes to another. `null` where nothing changes: the mark may stand in anyone's words.
 */
export function restoreSeals(messages: unknown, provider: string, losses: Losses): readonly unknown[] | null {
  let changed = false;
  const restored = list(messages).map((message) => {
    const details = record(message).reasoning_details;
    if (!list(details).some(isPacked)) return message;
    changed = true;
    return restoreMessage(record(message), provider, losses);
  });
  return changed ? restored : null;
}

function restoreMessage(
  { reasoning_details: details, ...message }: Record<string, unknown>,
  provider: string,
  losses: Losses,
): Record<string, unknown> {
  const all = readDetails(details);
  const parts = all.filter(({ seal }) => seal === null || opens(seal, 'openai-chat', provider));
  if (parts.length < all.length) losses.add('seal');
  const sealed = parts.some(({ seal }) => seal !== null);
  // Without a seal, the plain text beside it says the same.
  if (!sealed) return message;
  return { ...message, reasoning_details: parts.flatMap((part, index) => writeDetails(part, index)) };
}

function isPacked(entry: unknown): boolean {
  const { signature, data } = record(entry);
  const opaque = text(signature) || text(data);
  return opaque.startsWith(SEAL_MARK) && unpackSeal(opaque) !== null;
}
