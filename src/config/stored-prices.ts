import type { Price } from '../core/money.ts';
import { factsOf } from './facts.ts';
import { price } from './model-schema.ts';
import { explain, sentence } from './sentences.ts';
import type { DefinitionFault } from './stored-providers.ts';

/**
 * Reads a price that is kept beside a configuration, in the file's words.
 *
 * @param source who says so
 * @param since the ISO date from which it holds
 */
export function readStoredPrice(
  definition: Readonly<Record<string, unknown>>,
  { source, since }: { source: string; since: string },
): Price | DefinitionFault {
  if (Object.hasOwn(definition, 'date')) return { param: 'date', fault: 'is said beside the price' };
  const checked = price.safeParse({ ...definition, date: since }, { error: sentence });
  if (checked.success) return factsOf({ price: checked.data }, source).price!;
  const [{ path, message }] = explain(checked.error.issues) as [{ path: readonly PropertyKey[]; message: string }];
  return { param: path.join('.'), fault: message };
}
