import { utcDay } from '../../core/utc-day.ts';
import type { Command } from '../command.ts';
import { type Column, table } from '../table.ts';
import { listAllKeys, type ShownUsedKey } from './api-keys.ts';
import { limitsText, makerText, sourceText, spentText, stateText } from './show.ts';

export const keysList: Command = {
  name: 'keys list',
  about: 'List the API keys, oldest first, including revoked ones. Secrets are not shown.',
  details:
    'SPENT is what counts against the spend limit in its period, or everything if there is no limit.\n' +
    'LAST USED is the day of its last call.',
  options: { organization: { value: 'ID', about: 'Only keys of this organization.' } },
  examples: ['headgate keys list', 'headgate keys list --json'],
  async run({ tools, api }) {
    const keys = await listAllKeys(api);
    return {
      text: keys.length === 0 ? 'No keys yet.' : table(columnsFor(keys, tools.clock.now()), keys),
      json: { object: 'list', data: keys },
    };
  },
};

/** Shows the organization if there are several, and the creator if people created keys. */
function columnsFor(keys: readonly ShownUsedKey[], now: number): Column<ShownUsedKey>[] {
  const owners = new Set(keys.map((key) => key.organization_id));
  const owner: Column<ShownUsedKey> = { title: 'ORGANIZATION', of: (key) => key.organization_id };
  const maker: Column<ShownUsedKey> = { title: 'MADE BY', of: makerText };
  const isMadeByPeople = keys.some((key) => makerText(key) !== '-');
  return [
    { title: 'ID', of: ({ id }) => id },
    { title: 'NAME', of: ({ name }) => name },
    { title: 'KEY', of: ({ hint }) => hint },
    ...(owners.size > 1 ? [owner] : []),
    { title: 'SOURCE', of: sourceText },
    { title: 'CREATED', of: ({ created_at: time }) => utcDay(time * 1000) },
    ...(isMadeByPeople ? [maker] : []),
    { title: 'LAST USED', of: ({ last_used_at: time }) => (time === null ? '-' : utcDay(time * 1000)) },
    { title: 'STATE', of: (key) => stateText(key, now) },
    { title: 'SPENT', of: spentText },
    { title: 'LIMITS', of: limitsText },
  ];
}
