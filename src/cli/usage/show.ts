import type { LineItem, NanoDollars } from '../../core/money.ts';
import { moneyText } from '../../core/money-text.ts';
import type { AttemptRecord, UsageDetail, UsageRecord } from '../../core/records.ts';
import type { Decision, DecisionCandidate } from '../../core/route.ts';
import { showUsageTask } from '../../tasks/usage.ts';
import type { Command } from '../command.ts';
import { OperatorError } from '../failure.ts';
import { perform } from '../perform.ts';
import { timeText } from '../phrases.ts';
import { align, type Column, table } from '../table.ts';

export const usageShow: Command = {
  name: 'usage show',
  about: 'Show one call completely: each attempt, and how its route decided.',
  argument: { value: 'ID', about: 'Id of its record, or of its request (x-request-id of the answer).', required: true },
  options: {},
  examples: ['headgate usage show req_019a1b2c3d4e5f60718293a4b5c6d7e8', 'headgate usage show usage_01M7YZR4 --json'],
  async run({ argument = '', where, tools }) {
    const { answer, notes } = await perform(tools, tools.readSetup(where), showUsageTask, { id: argument });
    if (answer === null) throw new OperatorError('There is no usage record with this id.');
    const { usageDetailJson } = await tools.usageShapes();
    return {
      text: usageText(answer),
      json: { ...usageDetailJson(answer, true), organization_id: answer.record.organizationId },
      notes,
    };
  },
};

/** A call in words, for operators. */
export function usageText({ record, lineItems, priceInferredFrom, unpriced, attempts, decision }: UsageDetail): string {
  const price = priceInferredFrom === null ? [] : [['Price', `that of ${priceInferredFrom}, its base model`]];
  return [
    align([
      ...factsOf(record),
      ...price,
      ...(unpriced.length === 0 ? [] : [['No price', `${unpriced.join(', ')} (set a price: headgate prices set)`]]),
    ]),
    ...(lineItems.length === 0 ? [] : [`Bill\n${table(ITEM_COLUMNS, lineItems)}`]),
    `Attempts\n${attempts.length === 0 ? 'None.' : table(ATTEMPT_COLUMNS, [...attempts.entries()])}`,
    decision === null ? 'It named its model, so no route decided.' : decisionText(decision, attempts),
  ].join('\n\n');
}

function factsOf(record: UsageRecord): string[][] {
  const { usage, errorKind, product, tool, dropped, reported } = record;
  const whose = [record.source, product, tool?.name, tool?.version].filter((word) => word != null).join(' ');
  const asked = record.requestedModel === record.model ? '' : `, requested as ${record.requestedModel}`;
  const first = record.timeToFirstTokenMs === null ? '' : `, the first token after ${record.timeToFirstTokenMs} ms`;
  return [
    ['Record', record.id],
    ['Request', record.requestId],
    ['Time', `${timeText(record.createdAt)} UTC`],
    ['Organization', record.organizationId],
    ['Key', `${record.keyId} (${whose})`],
    ['Model', `${record.model}${asked}`],
    ['Served by', `${record.upstreamModel} of ${record.provider}`],
    ['Status', `${record.status}, ${record.httpStatus}${errorKind === null ? '' : `: ${errorKind}`}`],
    ...(usage.serviceTier === undefined ? [] : [['Tier', usage.serviceTier]]),
    ...(usage.region === undefined ? [] : [['Region', usage.region]]),
    ['Tokens', `${usage.inputTokens} in, ${usage.outputTokens} out (${record.usageSource})`],
    ['Charged', chargedText(record)],
    ...(reported === null
      ? []
      : [['Reported', `${reported.inputTokens} in, ${reported.outputTokens} out, which is not credible`]]),
    ['Took', `${record.latencyMs} ms${first}`],
    ...(dropped.length === 0 ? [] : [['Left out', dropped.join(', ')]]),
  ];
}

function chargedText({ cost, vendorCost, counted }: UsageRecord): string {
  const limits = counted === (cost ?? 0n) ? '' : `; counted against limits: ${moneyText(counted)}`;
  return `${costText(cost)}; by the vendors: ${costText(vendorCost)}${limits}`;
}

function costText(cost: NanoDollars | null): string {
  return cost === null ? 'not known' : moneyText(cost);
}

const ITEM_COLUMNS: readonly Column<LineItem>[] = [
  { title: 'WHAT', of: ({ component }) => component },
  { title: 'HOW MANY', of: ({ quantity }) => `${quantity}`, align: 'right' },
  { title: 'COST', of: ({ amount }) => moneyText(amount), align: 'right' },
];

const ATTEMPT_COLUMNS: readonly Column<[index: number, attempt: AttemptRecord]>[] = [
  { title: '#', of: ([index]) => `${index + 1}`, align: 'right' },
  { title: 'PROVIDER', of: ([, { provider }]) => provider },
  { title: 'MODEL', of: ([, { upstreamModel }]) => upstreamModel },
  { title: 'CREDENTIAL', of: ([, { credential }]) => credential },
  { title: 'TOOK', of: ([, { startedAt, endedAt }]) => `${endedAt - startedAt} ms`, align: 'right' },
  { title: 'HTTP', of: ([, { httpStatus }]) => `${httpStatus ?? '-'}`, align: 'right' },
  { title: 'STATUS', of: ([, attempt]) => statusText(attempt) },
];

function statusText({ status, errorKind, errorCode, possiblyBilled }: AttemptRecord): string {
  const why = errorCode === null ? errorKind : `${errorKind} (${errorCode})`;
  const kind = errorKind === null ? status : `${status}: ${why}`;
  return possiblyBilled ? `${kind}, possibly billed` : kind;
}

function decisionText(decision: Decision, attempts: readonly AttemptRecord[]): string {
  const { route, routeVersion, modelVersion, because, explored, kept } = decision;
  const by = modelVersion === null ? '' : `, by the model ${modelVersion}`;
  const rows = decision.candidates.map((candidate, index) => ({ candidate, index }));
  return [
    `Decision of the route ${route}, version ${routeVersion}${by}`,
    ...because,
    ...(explored ? [`The target was drawn with probability ${decision.propensity}.`] : []),
    ...(kept ? ['The conversation stayed at its target.'] : []),
    '',
    table(candidateColumns(decision, attempts), rows),
  ].join('\n');
}

type CandidateRow = { candidate: DecisionCandidate; index: number };

function candidateColumns({ order }: Decision, attempts: readonly AttemptRecord[]): Column<CandidateRow>[] {
  return [
    { title: 'CANDIDATE', of: ({ candidate: { model } }) => model },
    { title: 'PROVIDER', of: ({ candidate: { provider } }) => provider },
    { title: 'CREDENTIAL', of: ({ candidate: { credential } }) => credential },
    { title: 'ROLE', of: ({ candidate: { role } }) => role.replace('_', ' ') },
    { title: 'EXPECTED', of: ({ candidate: { expectedCost } }) => expectedText(expectedCost), align: 'right' },
    { title: 'CHANCE', of: ({ candidate: { chance } }) => chance?.toFixed(2) ?? '-', align: 'right' },
    { title: 'CIRCUIT', of: ({ candidate: { health } }) => health.circuit.replace('_', ' ') },
    { title: 'WHAT BECAME OF IT', of: ({ candidate, index }) => fateOf(candidate, order.indexOf(index), attempts) },
  ];
}

/** Expected costs have fractions of a nano-dollar. */
function expectedText(cost: number | null): string {
  return moneyText(cost === null ? null : BigInt(Math.round(cost)));
}

function fateOf(candidate: DecisionCandidate, place: number, attempts: readonly AttemptRecord[]): string {
  const { leftOut } = candidate;
  const tried = attempts.findLast((attempt) => isAt(attempt, candidate));
  if (tried !== undefined) return `tried: ${statusText(tried)}`;
  if (leftOut !== null) return `skipped (${leftOut.reason.replaceAll('_', ' ')}): ${leftOut.detail}`;
  return place < 0 ? 'not in the order' : `number ${place + 1} in the order, not needed`;
}

function isAt(attempt: AttemptRecord, { provider, upstreamModel, credential }: DecisionCandidate): boolean {
  return attempt.provider === provider && attempt.upstreamModel === upstreamModel && attempt.credential === credential;
}
