import type { KnownRoute } from '../../core/known-route.ts';
import { listRoutesTask } from '../../tasks/routes.ts';
import type { Command } from '../command.ts';
import { perform } from '../perform.ts';
import { type Column, table } from '../table.ts';
import { routeJson } from './route-json.ts';

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
  about: 'List the routes of the configuration and of the store.',
  details:
    'Routes of the configuration can be changed only in its file; those of the store by “routes put” and in the console.',
  options: {},
  examples: ['headgate routes list', 'headgate routes list --json'],
  async run({ where, tools }) {
    const { answer: known, notes } = await perform(tools, tools.readSetup(where), listRoutesTask, null);
    return {
      text:
        known.length === 0
          ? 'No routes yet. Add one: headgate routes put acme/fast --file fast.yaml'
          : table(COLUMNS, known),
      json: { object: 'list', data: known.map(routeJson) },
      notes,
    };
  },
};
