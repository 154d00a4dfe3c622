import { utcDay } from '../../core/utc-day.ts';
import type { UsedKey } from '../../keys/keys.ts';
import { KEYS_AT_ONCE, listKeysTask } from '../../tasks/keys.ts';
import type { Command } from '../command.ts';
import { perform } from '../perform.ts';
import { type Column, table } from '../table.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';
import { limitsText, makerText, sourceText, spentText, stateText, usedKeyJson } from './show.ts';

export const keysList: Command = {
  name: 'keys list',
  about: 'List the API keys, oldest first, including revoked ones. Secrets are not shown.',
  details:
    'SPENT is what counts against the spend limit in its period, or everything if there is no limit.\n' +
    'LAST USED is the day of its last call.',
  options: { organization: { value: 'ID', about: 'Only keys of this organization.' } },
  examples: ['headgate keys list', 'headgate keys list --json'],
  async run({ values: { organization = null }, where, tools }) {
    const { keys, notes } = await listAllKeys(tools, tools.readSetup(where), organization);
    return {
      text: keys.length === 0 ? 'No keys yet.' : table(columnsFor(keys, tools.clock.now()), keys),
      json: { object: 'list', data: keys.map(usedKeyJson) },
      notes,
    };
  },
};

/** All keys, or those of one organization, read page by page. */
export async function listAllKeys(
  tools: Toolbox,
  setup: CommandSetup,
  organizationId: string | null,
): Promise<{ keys: UsedKey[]; notes: string[] }> {
  const keys: UsedKey[] = [];
  for (;;) {
    const last = keys.at(-1)?.key;
    const after = last === undefined ? null : { id: last.id, createdAt: last.createdAt };
    const { answer, notes } = await perform(tools, setup, listKeysTask, { organizationId, after });
    keys.push(...answer);
    if (answer.length < KEYS_AT_ONCE) return { keys, notes };
  }
}

/** Shows the organization if there are several, and the creator if people created keys. */
function columnsFor(keys: readonly UsedKey[], now: number): Column<UsedKey>[] {
  const owners = new Set(keys.map(({ key }) => key.organizationId));
  const owner: Column<UsedKey> = { title: 'ORGANIZATION', of: ({ key }) => key.organizationId };
  const maker: Column<UsedKey> = { title: 'MADE BY', of: ({ key }) => makerText(key) };
  const isMadeByPeople = keys.some(({ key }) => makerText(key) !== '-');
  return [
    { title: 'ID', of: ({ key }) => key.id },
    { title: 'NAME', of: ({ key }) => key.name },
    { title: 'KEY', of: ({ key }) => key.hint },
    ...(owners.size > 1 ? [owner] : []),
    { title: 'SOURCE', of: ({ key }) => sourceText(key) },
    { title: 'CREATED', of: ({ key }) => utcDay(key.createdAt) },
    ...(isMadeByPeople ? [maker] : []),
    { title: 'LAST USED', of: ({ lastUsedAt }) => (lastUsedAt === null ? '-' : utcDay(lastUsedAt)) },
    { title: 'STATE', of: ({ key }) => stateText(key, now) },
    { title: 'SPENT', of: (used: UsedKey) => spentText({ ...used, ...used.key }) },
    { title: 'LIMITS', of: ({ key }) => limitsText(key) },
  ];
}
