import { objectAt, parseCatalogJson } from '../catalog-file.ts';
import type { Import, Stamp } from './format.ts';
import { isLiteLlm, readLiteLlm } from './litellm.ts';
import { readModelsDev } from './models-dev.ts';
import { isOpenRouter, readOpenRouter } from './openrouter.ts';

/**
 * Reads models and prices in one of the published formats: models.dev's `api.json`, LiteLLM's
 * `model_prices_and_context_window.json`, or OpenRouter's `GET /models`. Throws an `Error` if it is none of them.
 * @param stamp - the file's source and ISO date
 */
export function readImport(text: string, stamp: Stamp): Import {
  const top = objectAt(parseCatalogJson(text, 'The file')) ?? {};
  if (isOpenRouter(top)) return readOpenRouter(top, stamp);
  if (isLiteLlm(top)) return readLiteLlm(top, stamp);
  return readModelsDev(top, stamp);
}
