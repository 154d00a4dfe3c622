import { suggestion } from '../config/suggestion.ts';
import type { CommandSetup, Toolbox } from './toolbox.ts';

/**
 * A sentence for each unknown name of a model or route: a vendor may have it all the same.
 *
 * @param outcome - what happens once there is one
 */
export async function unknownModels(
  tools: Toolbox,
  setup: CommandSetup,
  { names, outcome }: { names: readonly string[]; outcome: string },
): Promise<string[]> {
  if (names.length === 0) return [];
  const { models } = await tools.offered(setup, {});
  const known = new Set(models.flatMap(({ id, provider, aliases }) => [id, `${provider}/${id}`, ...aliases]));
  return names
    .filter((name) => !known.has(name))
    .map((name) => `No model or route is known as “${name}”${suggestion(name, known)}: ${outcome} once there is one.`);
}
