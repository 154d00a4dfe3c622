import type { KnownRoute, RouteMember } from '../../core/known-route.ts';
import { dollarsPerMillion } from '../../core/money.ts';
import { showRouteTask } from '../../tasks/routes.ts';
import type { Command } from '../command.ts';
import { perform } from '../perform.ts';
import { rateText, timeText } from '../phrases.ts';
import { align, type Column, table } from '../table.ts';
import { routeJson } from './route-json.ts';

const COLUMNS: readonly Column<RouteMember>[] = [
  { title: 'TARGET', of: ({ model }) => model },
  { title: 'ROLE', of: ({ role }) => role.replace('_', ' ') },
  { title: 'PROVIDER', of: ({ provider }) => provider || '-' },
  { title: 'CREDENTIAL', of: ({ credential }) => credential || '-' },
  { title: 'IN/1M', of: ({ price }) => rateText(price?.rates.input), align: 'right' },
  { title: 'OUT/1M', of: ({ price }) => rateText(price?.rates.output), align: 'right' },
  { title: 'CAN SERVE', of: ({ missing }) => (missing === null ? 'yes' : `no: ${missing.detail}`) },
];

export const routesShow: Command = {
  name: 'routes show',
  about: 'Show a route completely: its definition, and each target with its price.',
  details: [
    'Providers with model lists of their own are asked for them. This does not show the current health of targets:',
    'headgate status.',
  ].join('\n'),
  argument: { value: 'ID', about: 'The id of the route.', required: true },
  options: {},
  examples: ['headgate routes show acme/fast', 'headgate routes show system --json'],
  async run({ argument = '', where, tools }) {
    const { answer, notes } = await perform(tools, tools.readSetup(where), showRouteTask, { id: argument });
    const { known, members, unasked } = answer;
    return {
      text: [
        align(factsOf(known)),
        `Definition\n${definitionText(known)}`,
        members.length === 0 ? 'It has no known targets.' : `Targets\n${table(COLUMNS, members)}`,
      ].join('\n\n'),
      json: { ...routeJson(known), places: members.map(placeJson) },
      notes: [...notes, ...unasked.map((provider) => `${provider} did not list its models.`)],
    };
  },
};

function factsOf({ id, from, route, problem, updatedAt }: KnownRoute): string[][] {
  return [
    ['Route', id],
    ['From', updatedAt === null ? `the ${from}` : `the ${from}, since ${timeText(updatedAt)} UTC`],
    ['Name', route?.name ?? '-'],
    ['Version', route?.version ?? '-'],
    ['State', problem === null ? 'serves' : `left out: ${problem}`],
  ];
}

function definitionText({ definition }: KnownRoute): string {
  try {
    return JSON.stringify(JSON.parse(definition), null, 2);
  } catch {
    return definition;
  }
}

function placeJson({
  model,
  role,
  provider,
  upstreamModel,
  credential,
  price,
  missing,
}: RouteMember): Record<string, unknown> {
  const dollarsOf = (rate: bigint | undefined) => (rate === undefined ? null : dollarsPerMillion(rate));
  return {
    model,
    role,
    provider: provider || null,
    upstream_model: upstreamModel || null,
    credential: credential || null,
    input_per_1m: dollarsOf(price?.rates.input),
    output_per_1m: dollarsOf(price?.rates.output),
    left_out: missing,
  };
}
