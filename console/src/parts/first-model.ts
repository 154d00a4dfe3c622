import type { Answer } from '../api/call.ts';

type Model = Answer<'listCatalog'>['data'][number];

/** What a new caller may begin with: what is called `default`, else a route, else the newest model that writes text. */
export function firstModel(models: readonly Model[]): string | null {
  const present = models.filter(({ shut_down_at, unlisted_since }) => shut_down_at === null && unlisted_since === null);
  const byDefault = present.find(({ id, aliases }) => id === 'default' || aliases.includes('default'));
  const route = present.find(({ origin }) => origin === 'smart_route');
  const writing = present.filter(({ dialects, modalities }) => {
    return !dialects.includes('openai-embeddings') && (modalities === null || modalities.output.includes('text'));
  });
  const newest = writing.reduce<Model | undefined>(
    (best, each) => (best === undefined || (each.released_at ?? '') > (best.released_at ?? '') ? each : best),
    undefined,
  );
  return (byDefault ?? route ?? newest ?? models[0])?.id ?? null;
}
