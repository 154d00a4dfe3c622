import type { ApiKey } from '../../core/records.ts';
import { listKeys } from '../../keys/keys.ts';
import type { Command } from '../command.ts';
import { checkOrganization, readData } from '../stored.ts';
import { type Column, table } from '../table.ts';
import { dayText } from '../words.ts';
import { keyJson, limitsText, sourceText, stateText } from './show.ts';

export const keysList: Command = {
  name: 'keys list',
  about: 'Show the API keys, oldest first, revoked ones too. Never the secrets.',
  options: { organization: { value: 'ID', about: 'Only keys of this organization.' } },
  examples: ['headgate keys list', 'headgate keys list --json'],
  async run({ values: { organization = null }, where, tools }) {
    const { kept: keys = [], notes } = await readData(tools, tools.readSetup(where), async (storage) => {
      await checkOrganization(storage, organization);
      return listKeys({ store: storage.keys }, organization);
    });
    return {
      text: keys.length === 0 ? 'No keys yet.' : table(columnsFor(keys, tools.clock.now()), keys),
      json: { object: 'list', data: keys.map(keyJson) },
      notes,
    };
  },
};

/** The organization is a column where there is more than one. */
function columnsFor(keys: readonly ApiKey[], now: number): Column<ApiKey>[] {
  const owners = new Set(keys.map(({ organizationId }) => organizationId));
  const owner: Column<ApiKey> = { title: 'ORGANIZATION', of: ({ organizationId }) => organizationId };
  return [
    { title: 'ID', of: ({ id }) => id },
    { title: 'NAME', of: ({ name }) => name },
    { title: 'KEY', of: ({ hint }) => hint },
    ...(owners.size > 1 ? [owner] : []),
    { title: 'SOURCE', of: sourceText },
    { title: 'CREATED', of: ({ createdAt }) => dayText(createdAt) },
    { title: 'STATE', of: (key) => stateText(key, now) },
    { title: 'LIMITS', of: limitsText },
  ];
}
