import { moneyText } from '../../core/money-text.ts';
import { REFUSED } from '../../core/refused-calls.ts';
import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { ApiRefusal, OperatorError } from '../failure.ts';
import { timeText } from '../phrases.ts';
import { nanoOf } from '../spend-text.ts';
import { align, type Column, table } from '../table.ts';
import type { ShownAttempt, ShownCandidate, ShownDecision, ShownDetail, ShownLineItem } from './answers.ts';

export const usageShow: Command = {
  name: 'usage show',
  about: 'Show one call completely: each attempt, and how its route decided.',
  argument: { value: 'ID', about: 'Id of its record, or of its request (x-request-id of the answer).', required: true },
  options: {},
  examples: ['headgate usage show req_019a1b2c3d4e5f60718293a4b5c6d7e8', 'headgate usage show usage_01M7YZR4 --json'],
  async run({ argument = '', api }) {
    const json = await api.get<ShownDetail>(at`/v1/usage/${argument}`).catch((error: unknown) => {
      throw error instanceof ApiRefusal && error.status === 404 ? noSuchRecord() : error;
    });
    // Reports of the API have paths that an id could lead to.
    if (json.object !== 'usage_record') throw noSuchRecord();
    return { text: json.status === REFUSED ? refusedText(json) : usageText(json), json };
  },
};

function noSuchRecord(): OperatorError {
  return new OperatorError('There is no usage record with this id.');
}

/** A call in words, for operators. */
export function usageText(call: ShownDetail): string {
  const { line_items, price_inferred_from: base, unpriced, attempt_details: attempts, decision } = call;
  const items = line_items ?? [];
  const price = base === null ? [] : [['Price', `that of ${base}, its base model`]];
  return [
    align([
      ...factsOf(call),
      ...price,
      ...(unpriced.length === 0 ? [] : [['No price', `${unpriced.join(', ')} (set a price: headgate prices set)`]]),
    ]),
    ...(items.length === 0 ? [] : [`Bill\n${table(ITEM_COLUMNS, items)}`]),
    `Attempts\n${attempts.length === 0 ? 'None.' : table(ATTEMPT_COLUMNS, attempts)}`,
    decision === null ? 'It named its model, so no route decided.' : decisionText(decision, attempts),
  ].join('\n\n');
}

/** A call that was sent to no provider. */
function refusedText(call: ShownDetail): string {
  const { error_param: param = null, refused_caller: caller, not_stored_before: missing = 0 } = call;
  return align([
    ['Record', call.id],
    ['Request', call.request_id],
    ['Time', `${timeText(call.created_at * 1000)} UTC`],
    ['Organization', call.organization_id ?? '-'],
    ['Key', call.api_key_id === '' ? '-' : `${call.api_key_id} (${call.api_key_name ?? 'deleted'})`],
    ...(caller === undefined
      ? []
      : [['Sent', `${caller.api_key ?? 'no key'}, from ${caller.ip_address ?? 'unknown'}`]]),
    ['Model', call.model || '-'],
    ['Status', `${call.status}, ${call.http_status}: ${call.error}`],
    ['Message', call.error_message ?? ''],
    ...(param === null ? [] : [['Parameter', param]]),
    ...(missing === 0 ? [] : [['Not stored', `${missing} refused calls of the same key before it`]]),
  ]);
}

function factsOf(call: ShownDetail): string[][] {
  const { error, product, tool, dropped, reported_usage: reported } = call;
  const whose = [call.source, product, tool?.name, tool?.version].filter((word) => word != null).join(' ');
  const asked = call.requested_model === call.model ? '' : `, requested as ${call.requested_model}`;
  const wait = call.time_to_first_token_ms;
  const first = wait === null ? '' : `, the first token after ${wait} ms`;
  return [
    ['Record', call.id],
    ['Request', call.request_id],
    ['Time', `${timeText(call.created_at * 1000)} UTC`],
    ['Organization', call.organization_id ?? '-'],
    ['Key', `${call.api_key_id} (${whose})`],
    ['Model', `${call.model}${asked}`],
    ['Served by', `${call.upstream_model} of ${call.provider}`],
    ['Status', `${call.status}, ${call.http_status}${error === null ? '' : `: ${error}`}`],
    ...(call.service_tier === null ? [] : [['Tier', call.service_tier]]),
    ...(call.region === null ? [] : [['Region', call.region]]),
    ['Tokens', `${call.input_tokens} in, ${call.output_tokens} out (${call.usage_source})`],
    ['Charged', chargedText(call)],
    ...(reported === null
      ? []
      : [['Reported', `${reported.input_tokens} in, ${reported.output_tokens} out, which is not credible`]]),
    ['Took', `${call.latency_ms} ms${first}`],
    ...(dropped.length === 0 ? [] : [['Left out', dropped.join(', ')]]),
  ];
}

function chargedText({ cost_usd: cost, vendor_cost_usd: vendors = null, counted_usd: counted }: ShownDetail): string {
  const limits = counted === (cost ?? 0) ? '' : `; counted against limits: ${moneyText(nanoOf(counted))}`;
  return `${costText(cost)}; by the vendors: ${costText(vendors)}${limits}`;
}

function costText(cost: number | null): string {
  return cost === null ? 'not known' : moneyText(nanoOf(cost));
}

const ITEM_COLUMNS: readonly Column<ShownLineItem>[] = [
  { title: 'WHAT', of: ({ component }) => component },
  { title: 'HOW MANY', of: ({ quantity }) => `${quantity}`, align: 'right' },
  { title: 'COST', of: ({ amount_usd: amount }) => moneyText(nanoOf(amount)), align: 'right' },
];

const ATTEMPT_COLUMNS: readonly Column<ShownAttempt>[] = [
  { title: '#', of: ({ number }) => `${number}`, align: 'right' },
  { title: 'PROVIDER', of: ({ provider }) => provider ?? '-' },
  { title: 'MODEL', of: ({ upstream_model: model }) => model ?? '-' },
  { title: 'CREDENTIAL', of: ({ credential }) => credential ?? '-' },
  { title: 'TOOK', of: ({ started_at_ms: start, ended_at_ms: end }) => `${end - start} ms`, align: 'right' },
  { title: 'HTTP', of: ({ http_status: status }) => `${status ?? '-'}`, align: 'right' },
  { title: 'STATUS', of: (attempt) => statusText(attempt) },
];

function statusText({ status, error, error_code: code, possibly_billed: possiblyBilled }: ShownAttempt): string {
  const why = code === null ? error : `${error} (${code})`;
  const kind = error === null ? status : `${status}: ${why}`;
  return possiblyBilled ? `${kind}, possibly billed` : kind;
}

function decisionText(decision: ShownDecision, attempts: readonly ShownAttempt[]): string {
  const { route, route_version: routeVersion, model_version: modelVersion, because, explored, kept } = decision;
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

type CandidateRow = { candidate: ShownCandidate; index: number };

function candidateColumns({ order }: ShownDecision, attempts: readonly ShownAttempt[]): Column<CandidateRow>[] {
  return [
    { title: 'CANDIDATE', of: ({ candidate: { model } }) => model },
    { title: 'PROVIDER', of: ({ candidate: { provider } }) => provider },
    { title: 'CREDENTIAL', of: ({ candidate: { credential } }) => credential ?? '-' },
    { title: 'ROLE', of: ({ candidate: { role } }) => role.replace('_', ' ') },
    { title: 'EXPECTED', of: ({ candidate: { expected_cost_usd: cost } }) => expectedText(cost), align: 'right' },
    { title: 'CHANCE', of: ({ candidate: { chance } }) => chance?.toFixed(2) ?? '-', align: 'right' },
    { title: 'CIRCUIT', of: ({ candidate: { health } }) => health.circuit.replace('_', ' ') },
    { title: 'WHAT BECAME OF IT', of: ({ candidate, index }) => fateOf(candidate, order.indexOf(index), attempts) },
  ];
}

function expectedText(cost: number | null): string {
  return moneyText(cost === null ? null : nanoOf(cost));
}

function fateOf(candidate: ShownCandidate, place: number, attempts: readonly ShownAttempt[]): string {
  const { left_out: leftOut } = candidate;
  const tried = attempts.findLast((attempt) => isAt(attempt, candidate));
  if (tried !== undefined) return `tried: ${statusText(tried)}`;
  if (leftOut !== null) return `skipped (${leftOut.reason.replaceAll('_', ' ')}): ${leftOut.detail}`;
  return place < 0 ? 'not in the order' : `number ${place + 1} in the order, not needed`;
}

function isAt(attempt: ShownAttempt, { provider, upstream_model: model, credential }: ShownCandidate): boolean {
  return attempt.provider === provider && attempt.upstream_model === model && attempt.credential === credential;
}
