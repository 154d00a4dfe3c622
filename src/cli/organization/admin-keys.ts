import { utcDay } from '../../core/utc-day.ts';
import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { expiryBody } from '../keys/wanted.ts';
import { table } from '../table.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;
const OPTION_OF = { name: '--name', expires_at: '--expires' };
const ADMIN_KEYS = '/v1/organization/admin_api_keys';

type AdminKey = { id: string; name: string; redacted_value: string; created_at: number; expires_at: number | null };

export const adminKeysCreate: Command = {
  name: 'admin-keys create',
  about: 'Create an admin key and show it once. It changes settings and cannot call models.',
  options: {
    ...ORGANIZATION,
    name: { value: 'NAME', about: 'Name of the key.', required: true },
    expires: { value: 'WHEN', about: 'After a duration (90d, 12h) or at a date (2027-01-31).' },
  },
  examples: ['headgate admin-keys create --name terraform --expires 90d'],
  async run({ values: { name, expires }, tools, api }) {
    const wanted = { name, ...expiryBody(expires, tools.clock.now()) };
    const json = await inOptionsOf(OPTION_OF, api.post<AdminKey & { value: string }>(ADMIN_KEYS, wanted));
    return {
      text: [
        `Admin key ${json.id} (${json.name}), shown only once:`,
        '',
        json.value,
        '',
        'OpenAI’s clients use it as their admin key:',
        '',
        `export OPENAI_ADMIN_KEY=${json.value}`,
      ].join('\n'),
      json,
    };
  },
};

export const adminKeysList: Command = {
  name: 'admin-keys list',
  about: 'List the admin keys. Secrets are not shown.',
  options: ORGANIZATION,
  examples: ['headgate admin-keys list'],
  async run({ api }) {
    const { data } = await api.list<AdminKey>(ADMIN_KEYS, { order: 'asc' });
    const columns = [
      { title: 'ID', of: ({ id }: AdminKey) => id },
      { title: 'NAME', of: ({ name }: AdminKey) => name },
      { title: 'KEY', of: (each: AdminKey) => each.redacted_value },
      { title: 'CREATED', of: (each: AdminKey) => utcDay(each.created_at * 1000) },
      { title: 'EXPIRES', of: ({ expires_at: end }: AdminKey) => (end === null ? '-' : utcDay(end * 1000)) },
    ];
    return { text: data.length === 0 ? 'No admin keys yet.' : table(columns, data), json: { object: 'list', data } };
  },
};

export const adminKeysRevoke: Command = {
  name: 'admin-keys revoke',
  about: 'Revoke an admin key permanently.',
  argument: { value: 'ID', about: 'Its id.', required: true },
  options: ORGANIZATION,
  examples: ['headgate admin-keys revoke key_1'],
  async run({ argument = '', api }) {
    const json = await api.remove(at`/v1/organization/admin_api_keys/${argument}`);
    return { text: 'Revoked. It is refused everywhere within a second.', json };
  },
};
