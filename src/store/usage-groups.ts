import type { CallStatus, Intent } from '../core/records.ts';
import { OTHER_NAMES } from '../core/usage-summary.ts';
import type { DaySums } from './sum-columns.ts';

/** How many combinations of model, tool, route and provider are told apart of one key on one day; the names beyond are `other`. */
export const MAX_KEY_DAY_GROUPS = 500;

/** Which of a call's names a group has: all, or those of who called, of who served, or of its tool. */
export const SHAPES = { all: 0, caller: 1, server: 2, tool: 3 } as const;

/** What a settled call is added up by. */
export type SummedCall = Omit<GroupedCall, 'status'> & {
  id: string;
  createdAt: number;
  route: string | null;
  /** Who served it last. */
  provider: string;
};

/** What a call is grouped by: an absent product or tool is `null`, and `tool` is its name. */
export type GroupedCall = Pick<
  Intent,
  'organizationId' | 'keyId' | 'source' | 'product' | 'model' | 'requestedModel'
> & { tool: string | null; status: CallStatus };

/** Names of a group, in the order of its columns. */
export type GroupNames = [
  organizationId: string,
  shape: number,
  keyId: string,
  source: string,
  product: string,
  tool: string,
  model: string,
  route: string,
  provider: string,
  isRest: 0 | 1,
];

/** Their columns. */
export const GROUP_NAMES =
  'organization_id, shape, key_id, source, product, tool_name, model, route, provider, is_rest';
/** One group on one day, with what the present transaction adds to it (`null`: nothing yet). */
export type DayPlace = {
  organizationId: string;
  shape: number;
  day: number;
  number: number;
  parents: readonly DayPlace[];
  sums: DaySums | null;
};

/** What a call is put into: the group by which lists find it, and the day of the one by which it is added up. */
export type CallPlace = { group: number; day: DayPlace };

/** Whether two calls of one day and status have one name. */
export function isAlike(one: SummedCall, other: SummedCall): boolean {
  return (
    one.organizationId === other.organizationId &&
    one.keyId === other.keyId &&
    one.source === other.source &&
    one.product === other.product &&
    one.tool === other.tool &&
    one.model === other.model &&
    one.requestedModel === other.requestedModel &&
    one.route === other.route &&
    one.provider === other.provider
  );
}

/** One name for all that a call is told apart by: of each part its length, so that no two calls of other parts share one. */
export function nameOf(call: SummedCall, day: number, status: CallStatus): string {
  const { organizationId, keyId, source, product, tool, model, requestedModel, route, provider } = call;
  const caller = `${day} ${status} ${organizationId}\n${keyId}\n${source}\n${product ?? ''}\n${route ?? ''}\n${provider}\n`;
  return `${caller}${tool?.length ?? -1} ${model.length} ${tool ?? ''}${model}${requestedModel}`;
}

export function namesOf({
  organizationId,
  keyId,
  source,
  product,
  tool,
  model,
  route,
  provider,
}: SummedCall): GroupNames {
  return [organizationId, SHAPES.all, keyId, source, product ?? '', tool ?? '', model, route ?? '', provider, 0];
}

/** The names of the smaller groups that a whole one is in: of who called, of who served, of its tool. */
export function parentNamesOf(names: GroupNames): [caller: GroupNames, server: GroupNames, tool: GroupNames] {
  const [organizationId, , keyId, source, product, tool, model, route, provider, isRest] = names;
  return [
    [organizationId, SHAPES.caller, keyId, source, product, '', '', '', '', 0],
    [organizationId, SHAPES.server, '', '', '', '', model, route, provider, isRest],
    [organizationId, SHAPES.tool, '', '', '', tool, '', '', '', isRest],
  ];
}

/** A call whose names are not told apart any more, and the names of the group that it is added up in. */
export function restOf<Call extends SummedCall & GroupedCall>(call: Call): { rest: Call; names: GroupNames } {
  const tool = call.tool === null ? null : OTHER_NAMES;
  const rest = { ...call, tool, model: OTHER_NAMES, requestedModel: OTHER_NAMES };
  return { rest, names: [...namesOf(rest).slice(0, -1), 1] as GroupNames };
}
