import type { Command } from '../command.ts';
import { type Column, table } from '../table.ts';
import { listRoutes, type ShownRoute } from './route-of.ts';

const COLUMNS: readonly Column<ShownRoute>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'FROM', of: ({ from }) => from },
  { title: 'STRATEGY', of: ({ strategy }) => strategy.join(', ') || '-' },
  { title: 'TARGETS', of: ({ targets }) => targets.join(', ') || '-' },
  { title: 'VERSION', of: ({ definition_version: version }) => version ?? '-' },
  { title: 'STATE', of: stateText },
];

export const routesList: Command = {
  name: 'routes list',
  about: 'List the routes of the configuration and of the store.',
  details:
    'Routes of the configuration can be changed only in its file; those of the store by “routes put” and in the console.',
  options: {},
  examples: ['headgate routes list', 'headgate routes list --json'],
  async run({ api }) {
    const data = await listRoutes(api);
    const none = 'No routes yet. Add one: headgate routes put acme/fast --file fast.yaml';
    return { text: data.length === 0 ? none : table(COLUMNS, data), json: { object: 'list', data } };
  },
};

/** `serves`, else why not. */
export function stateText({ problem, hides_stored: hidesStored }: ShownRoute): string {
  if (problem !== null) return `left out: ${problem}`;
  return hidesStored ? 'serves; a stored route with this id is left out' : 'serves';
}
