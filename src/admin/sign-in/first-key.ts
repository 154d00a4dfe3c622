import type { KeyStore } from '../../core/ports.ts';
import type { SettingChange } from '../../core/settings.ts';

/** The name of the key that the first start makes, for the operator. */
export const FIRST_KEY_NAME = 'first key';

/**
 * Takes from the first key that it may administer, which it may only until there is a person who can. It goes on to call.
 * A key that was renamed, or made by a command, is one that somebody has decided on, and stays as it is.
 */
export async function firstKeyEnds(keys: KeyStore): Promise<SettingChange[]> {
  const oldest = await keys.oldest();
  if (oldest === null || !oldest.admin || oldest.name !== FIRST_KEY_NAME) return [];
  return [{ changeKey: { id: oldest.id, changes: { admin: false } } }];
}
