import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { dollarsText, timeText } from '../phrases.ts';
import { align, type Column, table } from '../table.ts';
import { stateText } from './list.ts';
import { ofRoute, type ShownRoute } from './route-of.ts';

/** A route with its targets. */
type WholeRoute = ShownRoute & {
  definition: object | null;
  definition_text: string;
  places: readonly ShownPlace[];
  unasked: readonly string[];
};
type ShownPlace = {
  model: string;
  role: string;
  provider: string | null;
  credential: string | null;
  input_per_1m: number | null;
  output_per_1m: number | null;
  left_out: { detail: string } | null;
};

const COLUMNS: readonly Column<ShownPlace>[] = [
  { title: 'TARGET', of: ({ model }) => model },
  { title: 'ROLE', of: ({ role }) => role.replace('_', ' ') },
  { title: 'PROVIDER', of: ({ provider }) => provider ?? '-' },
  { title: 'CREDENTIAL', of: ({ credential }) => credential ?? '-' },
  { title: 'IN/1M', of: (place) => dollarsText(place.input_per_1m), align: 'right' },
  { title: 'OUT/1M', of: (place) => dollarsText(place.output_per_1m), align: 'right' },
  { title: 'CAN SERVE', of: ({ left_out: why }) => (why === null ? 'yes' : `no: ${why.detail}`) },
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
  async run({ argument: id = '', api }) {
    const json = await ofRoute(api, id, api.get<WholeRoute>(at`/v1/operator/routes/${id}`));
    const { definition, definition_text: text, places, unasked } = json;
    return {
      text: [
        align(factsOf(json)),
        `Definition\n${definition === null ? text : JSON.stringify(definition, null, 2)}`,
        places.length === 0 ? 'It has no known targets.' : `Targets\n${table(COLUMNS, places)}`,
      ].join('\n\n'),
      json,
      notes: unasked.map((provider) => `${provider} did not list its models.`),
    };
  },
};

function factsOf(route: WholeRoute): string[][] {
  const { id, from, name, definition_version: version, updated_at: updatedAt } = route;
  return [
    ['Route', id],
    ['From', updatedAt === null ? `the ${from}` : `the ${from}, since ${timeText(updatedAt * 1000)} UTC`],
    ['Name', name ?? '-'],
    ['Version', version ?? '-'],
    ['State', stateText(route)],
  ];
}
