import { objectAt, parseCatalogJson } from '../catalog-file.ts';
import type { Import, Stamp } from './format.ts';
import { isLiteLlm, readLiteLlm } from './litellm.ts';
import { readModelsDev } from './models-dev.ts';
import { isOpenRouter, readOpenRouter } from './openrouter.ts';

/**
 * Reads models and prices in a shape that others publish them in: models.dev's `api.json`, LiteLLM's
 * `model_prices_and_context_window.json`, or OpenRouter's `GET /models`. `stamp` says where the file is from and of which
 * day. Throws an `Error` where it is none of them.
 */
export function readImport(text: string, stamp: Stamp): Import {
  const top = objectAt(parseCatalogJson(text, 'The file')) ?? {};
  if (isOpenRouter(top)) return readOpenRouter(top, stamp);
  if (isLiteLlm(top)) return readLiteLlm(top, stamp);
  return readModelsDev(top, stamp);
}
