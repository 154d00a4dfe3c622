import { type Holder, mayUse } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { CatalogEntry, DialectId, Directory, Model, Provider, Target, VendorEntry } from '../core/provider.ts';

/** The model that a plan is made for. */
export type RequestedModel = {
  model: string;
  /** The name of the surface. */
  label: string;
  key: Holder;
};

/** The entry of the requested model, if the key may use it. Throws `GatewayError`: 404 with the nearest names, or 403. */
export function findEntry(wanted: RequestedModel, directory: Directory): CatalogEntry {
  const { model, key } = wanted;
  if (key.access === 'administration') {
    throw new GatewayError('forbidden', 'A key of administration calls no models: use a key of a project for that.');
  }
  const entry = directory.find(model);
  if (entry === undefined) throw unknownModel(wanted, directory);
  if (mayUse(key, entry, model, directory)) return entry;
  // A key that may not know of the model gets the same answer as if it did not exist.
  if (entry.origin === 'system_route' && !key.admin) throw unknownModel(wanted, directory);
  throw new GatewayError('model_not_allowed', `This API key may not use the model \`${model}\`.`, { param: 'model' });
}

/** A model at its provider, for each credential, in the first of these dialects that both support. */
export function targetsOf({ accesses, model }: VendorEntry, dialects: readonly DialectId[]): Target[] {
  return accesses.flatMap(({ provider }) => targetAt(provider, model, dialects) ?? []);
}

/** The target for one credential; `null` if they support none of these dialects, of which the first is the caller's. */
export function targetAt(provider: Provider, model: Model, dialects: readonly DialectId[]): Target | null {
  for (const dialect of inOrderOf(provider, dialects)) {
    const path = provider.speaks.find((spoken) => spoken.dialect === dialect)?.path;
    if (path !== undefined && model.dialects.includes(dialect)) return { provider, model, dialect, path };
  }
  return null;
}

/** The dialects in the order in which the provider is to be asked. */
function inOrderOf({ quirks: { writtenIn } }: Provider, dialects: readonly DialectId[]): readonly DialectId[] {
  if (writtenIn === undefined || !dialects.includes(writtenIn.dialect)) return dialects;
  return [...dialects.slice(0, 1), writtenIn.dialect, ...dialects.slice(1)];
}

/** The error for a model that does not serve this surface. */
export function wrongSurface({ model, label }: Pick<RequestedModel, 'model' | 'label'>): GatewayError {
  return new GatewayError('invalid_request', `The model \`${model}\` does not serve ${label}.`, {
    param: 'model',
    code: 'unsupported_model',
  });
}

function unknownModel({ model, key }: RequestedModel, directory: Directory): GatewayError {
  const nearest = directory.nearest(model, (entry, name) => mayUse(key, entry, name, directory));
  const isFree = key.allowedModels === null && key.product === null;
  // Only keys that may call any provider may learn which providers exist.
  const why = isFree ? directory.whyUnserved(model) : '';
  const none = isFree ? '' : 'No name that this API key may use is near it.';
  const hint = nearest.length === 0 ? none : `Nearest: ${nearest.map((name) => `\`${name}\``).join(', ')}.`;
  const said = [`The model \`${model.slice(0, 200)}\` does not exist here.`, why, hint].filter((words) => words !== '');
  return new GatewayError('model_not_found', said.join(' '), { param: 'model', near: nearest });
}
