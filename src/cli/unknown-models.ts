import { suggestion } from '../config/suggestion.ts';
import type { Api } from './api.ts';
import { offeredModels } from './process.ts';

/**
 * A sentence for each unknown name of a model or route: a vendor may have it all the same.
 *
 * @param outcome - what happens once there is one
 */
export async function unknownModels(
  api: Api,
  { names, outcome }: { names: readonly string[]; outcome: string },
): Promise<string[]> {
  if (names.length === 0) return [];
  const { data: models } = await offeredModels(api);
  const known = new Set(models.flatMap(({ id, provider, aliases }) => [id, `${provider}/${id}`, ...aliases]));
  return names
    .filter((name) => !known.has(name))
    .map((name) => `No model or route is known as “${name}”${suggestion(name, known)}: ${outcome} once there is one.`);
}
