import { type Holder, isBanned, isNamed } from '../core/access.ts';
import { GatewayError } from '../core/errors.ts';
import type { Directory, Model, Target } from '../core/provider.ts';
import type { ApiKey } from '../core/records.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { rootOf } from '../dialects/request.ts';
import { caseless } from '../json/names.ts';
import type { JsonNode } from '../json/node.ts';
import { hasMember } from '../json/tape.ts';
import { allTargets, type FailoverPlan } from '../routing/failover.ts';

/** Outermost lists in which a call names tools that a vendor runs by itself, some of them by another model. */
const LISTS = ['tools', 'plugins'];
/** The settings of a tool of a vendor's; of a caller's own function it is a schema. */
const SETTINGS = 'parameters';
const OWN_TOOLS: ReadonlySet<string | null> = new Set(['function', 'custom', null]);
/** How a tool names one model, and several. */
const NAMES: ReadonlySet<string> = new Set(['model', 'models']);

type ModelOfTool = { name: string; param: string };

/**
 * Refuses a call of which a tool would have a vendor ask a model that the key may not use: `model_not_allowed`, with the field.
 *
 * /!\ Hot path: looks at nothing where no list of models holds for the key.
 */
export function demandToolModels(
  { key, envelope, find }: { key: ApiKey; envelope: Envelope; find: Directory['find'] },
  plan: FailoverPlan,
): void {
  const models = key.inForce?.models ?? null;
  if (models === null && key.allowedModels === null) return;
  const all = allTargets(plan);
  for (const list of LISTS) {
    if (!hasMember(envelope.body, envelope.index, list)) continue;
    for (const { name, param } of namedIn(rootOf(envelope).get(list)!, list)) {
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

function namedIn(list: JsonNode, name: string): ModelOfTool[] {
  return list.items().flatMap((tool, index) => {
    const own = namedBy(tool, `${name}[${index}]`);
    const settings = OWN_TOOLS.has(tool.get('type')?.text ?? null) ? null : tool.get(SETTINGS);
    return settings === null ? own : [...own, ...namedBy(settings, `${name}[${index}].${SETTINGS}`)];
  });
}

/** Names in whatever case: some vendors take each for the name. */
function namedBy(tool: JsonNode, place: string): ModelOfTool[] {
  if (!tool.isObject) return [];
  return tool
    .children()
    .filter(({ name }) => NAMES.has(caseless(name!)))
    .flatMap((value) => {
      const names = value.isText ? [value.text!] : value.items().flatMap(({ text }) => text ?? []);
      return names.map((name) => ({ name, param: `${place}.${value.name}` }));
    });
}
