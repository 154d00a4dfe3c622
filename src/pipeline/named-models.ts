import { type Holder, isBanned, isNamed } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { Directory, Model, Target } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { rootOf } from '../dialects/request.ts';
import { isOwnWords } from '../dialects/shared-ids.ts';
import { caseless } from '../json/names.ts';
import type { JsonNode } from '../json/node.ts';
import { allTargets, type FailoverPlan } from '../routing/failover.ts';
import { FURTHER_MODELS } from './upstream-request.ts';

const CONVERSATION = 'messages';
/** Outermost members that hold the conversation, or that the gateway reads or withholds itself where models are limited. */
const READ: ReadonlySet<string> = new Set([
  ...[CONVERSATION, 'input', 'system', 'instructions', 'metadata'],
  ...['model', ...FURTHER_MODELS],
]);
/** Members of an object that stands for a model. */
const OF_MODEL: ReadonlySet<string> = new Set(['id', 'name']);
/** Settings of a vendor's own tool; of a caller's own function they are a schema. */
const SETTINGS = 'parameters';
const OWN_TOOLS: ReadonlySet<string | null> = new Set(['function', 'custom', null]);
/**
 * Names of members, in one case, by which vendors that are gateways, or run tools by models, let a call name further
 * models: `model`, `models`, `fallback_models`, `draft_model`, `modelId`, `fallbacks`, `engine`.
 */
const NAMES_MODELS = /(?:models?|fallbacks?)(?:_?(?:ids?|names?|lists?))?$|^(?:engine|deployment)(?:_?id)?$/;

type FurtherModel = { name: string; param: string };

/**
 * Refuses a call that names further models for its vendor, anywhere but in the conversation, of which the key may not use
 * one: `model_not_allowed`, with the field.
 *
 * /!\ Hot path: looks at nothing where no list of models holds for the key.
 */
export function demandNamedModels(
  { key, envelope, find }: { key: ApiKey; envelope: Envelope; find: Directory['find'] },
  plan: FailoverPlan,
): void {
  const models = key.inForce?.models ?? null;
  if (models === null && key.allowedModels === null) return;
  const all = allTargets(plan);
  for (const member of rootOf(envelope).children()) {
    if (READ.has(member.name!)) continue;
    for (const { name, param } of namedBy(member, member.name!)) {
      if (all.every((target) => mayAsk(key, name, target, find))) continue;
      const message = `\`${param}\`: this API key may not use the model \`${name}\`.`;
      throw new GatewayError('model_not_allowed', message, { param });
    }
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

/** The models that a member names, by itself or within. */
function* namedBy(value: JsonNode, param: string): Iterable<FurtherModel> {
  if (value.name !== null && NAMES_MODELS.test(caseless(value.name))) {
    for (const name of textsIn(value)) yield { name, param };
  }
  for (const [index, inner] of value.children().entries()) {
    if (value.isList) yield* namedBy(inner, `${param}[${index}]`);
    else if (!isOwn(inner.name!, value)) yield* namedBy(inner, `${param}.${inner.name}`);
  }
}

/** Whether a member holds the caller's own words or JSON, in which names mean nothing to a vendor. */
function isOwn(name: string, outer: JsonNode): boolean {
  if (name === CONVERSATION) return true;
  if (name === SETTINGS) return OWN_TOOLS.has(outer.get('type')?.text ?? null);
  return isOwnWords(name, outer);
}

/** A name, the names in a list, those in a map of lists (`{"small": ["large"]}`), and that of an object. */
function textsIn(value: JsonNode): string[] {
  if (value.isText) return [value.text!];
  const isName = (inner: JsonNode) =>
    value.isList || OF_MODEL.has(inner.name!) || (inner.isList && inner.name !== CONVERSATION);
  return value.children().filter(isName).flatMap(textsIn);
}
