import { type CatalogCost, type CatalogRow, objectAt, readRow } from '../catalog-file.ts';
import { type Import, inOrder, type Stamp } from './format.ts';

const VENDOR = 'openrouter';

/** OpenRouter's names of rates, which are dollars per token as text. */
const RATES: Readonly<Record<string, string>> = {
  prompt: 'input',
  completion: 'output',
  input_cache_read: 'cache_read',
  input_cache_write: 'cache_write',
  internal_reasoning: 'reasoning',
  audio: 'input_audio',
};

/** Charges beside tokens. If one is not free, the model cannot be billed by tokens alone. */
const BESIDE_TOKENS = ['request', 'image'];

const DIGITS = 12;

/** True if this is OpenRouter's `GET /models`: a list of entries with `pricing`. */
export function isOpenRouter({ data }: Record<string, unknown>): boolean {
  return Array.isArray(data) && data.some((entry) => objectAt(objectAt(entry)?.pricing) !== null);
}

/** Reads OpenRouter's list. All rows belong to OpenRouter, since its prices may differ from those of other vendors. */
export function readOpenRouter(top: Record<string, unknown>, stamp: Stamp): Import {
  const rows = new Map<string, CatalogRow>();
  const unpriced: string[] = [];
  for (const entry of top.data as readonly unknown[]) {
    const raw = objectAt(entry);
    if (raw === null || typeof raw.id !== 'string') continue;
    const cost = costOf(objectAt(raw.pricing));
    if (cost === null) unpriced.push(`${VENDOR}/${raw.id}`);
    const { input_modalities: input, output_modalities: output } = objectAt(raw.architecture) ?? {};
    const parameters = Array.isArray(raw.supported_parameters) ? raw.supported_parameters : [];
    const row = readRow(raw.id, {
      name: raw.name,
      limit: { context: raw.context_length, output: objectAt(raw.top_provider)?.max_completion_tokens },
      modalities: { input, output },
      reasoning: parameters.includes('reasoning'),
      tool_call: parameters.includes('tools'),
      structured_output: parameters.includes('structured_outputs'),
      temperature: parameters.includes('temperature'),
      cost,
      ...stamp,
    });
    if (row !== null) rows.set(raw.id, row);
  }
  return { file: inOrder(new Map([[VENDOR, rows]])), unknownVendors: [], unknownModels: 0, unpriced };
}

/** Dollars per million tokens; `null` if a part of the price is not by tokens, or is not a number. */
function costOf(pricing: Record<string, unknown> | null): CatalogCost | null {
  if (pricing === null) return null;
  if (BESIDE_TOKENS.some((part) => pricing[part] !== undefined && Number(pricing[part]) !== 0)) return null;
  const cost: Record<string, number> = {};
  for (const [theirs, ours] of Object.entries(RATES)) {
    if (pricing[theirs] === undefined) continue;
    const perToken = Number(pricing[theirs]);
    // A price of -1 means that it depends on the model that OpenRouter chooses.
    if (!(perToken >= 0)) return null;
    if (perToken > 0 || theirs === 'prompt' || theirs === 'completion') {
      cost[ours] = Number((perToken * 1e6).toPrecision(DIGITS));
    }
  }
  if (cost.input === undefined || cost.output === undefined) return null;
  const search = Number(pricing.web_search);
  return search > 0 ? { ...cost, per_call: { web_search: search } } : cost;
}
