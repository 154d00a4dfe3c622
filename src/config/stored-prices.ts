import type { Price } from '../core/money.ts';
import { factsOf } from './facts.ts';
import { price } from './model-schema.ts';
import { explain, sentence } from './sentences.ts';
import type { DefinitionFault } from './stored-providers.ts';

/**
 * Reads a stored price, which has the format of the file.
 *
 * @param source the origin of the price
 * @param since the ISO date from which it holds
 */
export function readStoredPrice(
  definition: Readonly<Record<string, unknown>>,
  { source, since }: { source: string; since: string },
): Price | DefinitionFault {
  if (Object.hasOwn(definition, 'date')) return { param: 'date', fault: 'must be set beside the price, not in it' };
  const checked = price.safeParse({ ...definition, date: since }, { error: sentence });
  if (checked.success) return factsOf({ price: checked.data }, source).price!;
  const [{ path, message }] = explain(checked.error.issues) as [{ path: readonly PropertyKey[]; message: string }];
  return { param: path.join('.'), fault: message };
}
