import type { Command } from '../command.ts';
import { readData } from '../stored.ts';
import { type Column, table } from '../table.ts';
import { type KnownRoute, knownRoutes, routeJson } from './known.ts';

const COLUMNS: readonly Column<KnownRoute>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'FROM', of: ({ from }) => from },
  { title: 'STRATEGY', of: ({ route }) => route?.strategy.map(({ kind }) => kind).join(', ') ?? '-' },
  { title: 'TARGETS', of: ({ route }) => route?.targets.map(({ model }) => model).join(', ') ?? '-' },
  { title: 'VERSION', of: ({ route }) => route?.version ?? '-' },
  { title: 'STATE', of: ({ problem }) => (problem === null ? 'serves' : `left out: ${problem}`) },
];

export const routesList: Command = {
  name: 'routes list',
  about: 'Show the routes, those of the configuration and those of the store.',
  details:
    'Those of the configuration are changed in its file alone; those of the store by “routes put” and the console.',
  options: {},
  examples: ['headgate routes list', 'headgate routes list --json'],
  async run({ where, tools }) {
    const setup = tools.readSetup(where);
    const { kept = [], notes } = await readData(tools, setup, ({ routes }) => routes.list());
    const known = knownRoutes(setup.config, kept);
    return {
      text: known.length === 0 ? 'No routes yet.' : table(COLUMNS, known),
      json: { object: 'list', data: known.map(routeJson) },
      notes,
    };
  },
};
