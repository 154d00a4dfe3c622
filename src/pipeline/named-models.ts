import { type Holder, isBanned, isNamed } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { Directory, Model, Target } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { invalidJson, rootOf } from '../dialects/request.ts';
import type { JsonNode } from '../json/node.ts';
import { JsonError } from '../json/scan.ts';
import { allTargets, type FailoverPlan } from '../routing/failover.ts';
import { furtherModels } from './model-places.ts';

/** The most models that one call may name besides its own: each is compared with the lists, at each provider. */
const MAX_NAMES = 256;
/** The most characters of a name. Vendors' names are shorter. */
const MAX_NAME_LENGTH = 256;

/**
 * Refuses a call that names further models for its vendor (`furtherModels`) of which the key may not use one:
 * `model_not_allowed` with the field. Too many of them are `invalid_request`, names that cannot be read `invalid_json`.
 *
 * /!\ Hot path: looks at nothing where no list of models holds for the key.
 */
export function demandNamedModels(
  { key, envelope, find }: { key: ApiKey; envelope: Envelope; find: Directory['find'] },
  plan: FailoverPlan,
): void {
  const models = key.inForce?.models ?? null;
  if (models === null && key.allowedModels === null) return;
  // One for each provider: what may be asked there does not depend on the model that is asked first.
  const all = [...new Map(allTargets(plan).map((target) => [target.provider, target])).values()];
  try {
    demandEach(rootOf(envelope), (name) => all.every((target) => mayAsk(key, name, target, find)));
  } catch (error) {
    throw error instanceof JsonError ? invalidJson(error) : error;
  }
}

/** Asks once for each name. */
function demandEach(body: JsonNode, isAllowed: (name: string) => boolean): void {
  const seen = new Set<string>();
  for (const { name, param } of furtherModels(body)) {
    if (seen.has(name)) continue;
    if (seen.size === MAX_NAMES) {
      const message = `\`${param}\`: a call may name at most ${MAX_NAMES} further models.`;
      throw new GatewayError('invalid_request', message, { param });
    }
    seen.add(name);
    if (name.length <= MAX_NAME_LENGTH && isAllowed(name)) continue;
    const message = `\`${param}\`: this API key may not use the model \`${name.slice(0, MAX_NAME_LENGTH)}\`.`;
    throw new GatewayError('model_not_allowed', message, { param });
  }
}

/** Whether a key may use a model that the vendor of a target is to ask, by this name of the vendor's. */
function mayAsk(
  { allowedModels, inForce }: Holder,
  name: string,
  { provider, model }: Target,
  find: Directory['find'],
) {
  const asked: Model = { ...model, id: name, upstreamId: name };
  const models = inForce?.models ?? null;
  const entry = { origin: 'vendor', id: name, provider, model: asked, accesses: [], aliases: [] } as const;
  const isIn = (names: readonly string[]) => isNamed(entry, name, names);
  if (models?.mode === 'deny_list' && (isIn(models.ids) || isBanned(models, entry, find))) return false;
  if (models?.mode === 'allow_list' && !isIn(models.ids)) return false;
  return allowedModels === null || isIn(allowedModels);
}
