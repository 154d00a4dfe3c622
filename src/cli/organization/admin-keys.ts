import type { ApiKey } from '../../core/records.ts';
import { utcDay } from '../../core/utc-day.ts';
import { createAdminKeyTask, listAdminKeysTask, revokeAdminKeyTask } from '../../tasks/settings.ts';
import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { expiryOf, KEY_OPTION_OF } from '../keys/wanted.ts';
import { perform } from '../perform.ts';
import { unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;

export const adminKeysCreate: Command = {
  name: 'admin-keys create',
  about: 'Create an admin key and show it once. It changes settings and cannot call models.',
  options: {
    ...ORGANIZATION,
    name: { value: 'NAME', about: 'Name of the key.', required: true },
    expires: { value: 'WHEN', about: 'After a duration (90d, 12h) or at a date (2027-01-31).' },
  },
  examples: ['headgate admin-keys create --name terraform --expires 90d'],
  async run({ values, where, tools }) {
    const { name = '', expires, organization = null } = values;
    const expiresAt = expires === undefined ? null : expiryOf(expires, tools.clock.now());
    const input = { organizationId: organization, keyName: name, expiresAt };
    const setup = tools.readSetup(where);
    const { key, secret } = (await inOptionsOf(KEY_OPTION_OF, perform(tools, setup, createAdminKeyTask, input))).answer;
    return {
      text: [
        `Admin key ${key.id} (${key.name}), shown only once:`,
        '',
        secret,
        '',
        'OpenAI’s clients use it as their admin key:',
        '',
        `export OPENAI_ADMIN_KEY=${secret}`,
      ].join('\n'),
      json: { ...adminKeyJson(key), key: secret },
    };
  },
};

export const adminKeysList: Command = {
  name: 'admin-keys list',
  about: 'List the admin keys. Secrets are not shown.',
  options: ORGANIZATION,
  examples: ['headgate admin-keys list'],
  async run({ values: { organization = null }, where, tools }) {
    const input = { organizationId: organization };
    const { answer: keys, notes } = await perform(tools, tools.readSetup(where), listAdminKeysTask, input);
    const columns = [
      { title: 'ID', of: ({ id }: ApiKey) => id },
      { title: 'NAME', of: ({ name }: ApiKey) => name },
      { title: 'KEY', of: ({ hint }: ApiKey) => hint },
      { title: 'CREATED', of: ({ createdAt }: ApiKey) => utcDay(createdAt) },
      { title: 'EXPIRES', of: ({ expiresAt }: ApiKey) => (expiresAt === null ? '-' : utcDay(expiresAt)) },
    ];
    return {
      text: keys.length === 0 ? 'No admin keys yet.' : table(columns, keys),
      json: { object: 'list', data: keys.map(adminKeyJson) },
      notes,
    };
  },
};

export const adminKeysRevoke: Command = {
  name: 'admin-keys revoke',
  about: 'Revoke an admin key permanently.',
  argument: { value: 'ID', about: 'Its id.', required: true },
  options: ORGANIZATION,
  examples: ['headgate admin-keys revoke key_1'],
  async run({ argument = '', values: { organization = null }, where, tools }) {
    await perform(tools, tools.readSetup(where), revokeAdminKeyTask, { organizationId: organization, id: argument });
    return { text: 'Revoked. It is refused everywhere within a second.', json: { id: argument, revoked: true } };
  },
};

function adminKeyJson({ id, name, hint, createdAt, expiresAt }: ApiKey) {
  return { id, name, hint, created_at: unixSeconds(createdAt), expires_at: unixSeconds(expiresAt) };
}
