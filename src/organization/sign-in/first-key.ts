import type { KeyStore } from '../../core/ports.ts';
import type { SettingChange } from '../../core/settings.ts';

/** The name of the operator's key from the first start. */
export const FIRST_KEY_NAME = 'first key';

/**
 * Removes the admin right of the first key, which is only for the time before a person can sign in. It can still call
 * models. A renamed key, or one created by a command, was chosen deliberately and keeps it.
 */
export async function firstKeyEnds(keys: KeyStore): Promise<SettingChange[]> {
  const oldest = await keys.oldest();
  if (oldest === null || !oldest.admin || oldest.name !== FIRST_KEY_NAME) return [];
  return [{ changeKey: { id: oldest.id, changes: { admin: false } } }];
}
