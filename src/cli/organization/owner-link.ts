import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';

export const ownerLink: Command = {
  name: 'owner-link',
  about: 'Create a one-time link that makes a person an owner.',
  details: [
    'For the first owner of an organization, or for one who cannot sign in any more: with --email the link is',
    'for that person only and replaces their sign-in. Earlier links of the organization become invalid.',
  ].join('\n'),
  options: {
    organization: { value: 'ID', about: 'The organization (default: the first).' },
    email: { value: 'EMAIL', about: 'The person (default: whoever opens it).' },
  },
  examples: ['headgate owner-link', 'headgate owner-link --organization acme --email ada@example.com'],
  async run({ values, api }) {
    const email = values.email?.trim().toLowerCase() ?? null;
    if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('--email must be an email address.');
    const json = await api.post<ShownOwnerLink>('/v1/operator/owner_links', { email });
    const until = new Date(json.expires_at * 1000).toISOString().slice(0, 16).replace('T', ' ');
    const whom = email ?? 'whoever opens it';
    const told = `Makes ${whom} an owner of ${json.organization_name}, once, until ${until} UTC:`;
    return { text: [told, '', json.url].join('\n'), json };
  },
};

type ShownOwnerLink = { url: string; organization_name: string; expires_at: number };
