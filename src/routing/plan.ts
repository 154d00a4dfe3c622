import { isAllowed } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { CatalogEntry, DialectId, Directory, Target } from '../core/provider.ts';

/** What a plan is made for. */
export type Wanted = {
  model: string;
  /** The dialects that can be spoken for this call, the best first. */
  dialects: readonly DialectId[];
  /** What the surface is called. */
  label: string;
  allowedModels: readonly string[] | null;
};

/** Where a call goes, and what it is called there. Targets stand in the order in which they are tried. */
export type Plan = { entry: CatalogEntry; targets: readonly [Target, ...Target[]] };

/** Finds who serves a call. Pure. Throws `GatewayError`: 404 with the nearest names, 403, or 400 for the wrong surface. */
export function plan(wanted: Wanted, directory: Directory): Plan {
  const entry = directory.find(wanted.model);
  if (entry === undefined) throw unknownModel(wanted, directory);
  if (!isAllowed(entry, wanted.model, wanted.allowedModels)) {
    throw new GatewayError('model_not_allowed', `This API key may not use the model \`${wanted.model}\`.`, {
      param: 'model',
    });
  }
  const target = targetOf(entry, wanted.dialects);
  if (target === undefined) {
    throw new GatewayError('invalid_request', `The model \`${wanted.model}\` does not serve ${wanted.label}.`, {
      param: 'model',
      code: 'unsupported_model',
    });
  }
  return { entry, targets: [target] };
}

/** The model at its provider, spoken to in the first of these dialects that both of them know. */
function targetOf({ provider, model }: CatalogEntry, dialects: readonly DialectId[]): Target | undefined {
  for (const dialect of dialects) {
    const path = provider.speaks.find((spoken) => spoken.dialect === dialect)?.path;
    if (path !== undefined && model.dialects.includes(dialect)) return { provider, model, dialect, path };
  }
  return undefined;
}

function unknownModel(wanted: Wanted, directory: Directory): GatewayError {
  const nearest = directory.nearest(wanted.model, wanted.allowedModels);
  const none = `No model${wanted.allowedModels === null ? '' : ' that this API key may use'} can be called now.`;
  const hint = nearest.length === 0 ? none : `Nearest: ${nearest.map((name) => `\`${name}\``).join(', ')}.`;
  return new GatewayError(
    'model_not_found',
    `The model \`${wanted.model.slice(0, 200)}\` does not exist here. ${hint}`,
    { param: 'model' },
  );
}
