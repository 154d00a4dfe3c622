import { portOf } from '../../core/operator.ts';
import { ownerLinkTask } from '../../tasks/owner-link.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { perform } from '../perform.ts';

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
  async run({ values, where, tools }) {
    const setup = tools.readSetup(where);
    const email = values.email?.trim().toLowerCase() ?? null;
    if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError('--email must be an email address.');
    const running = await tools.live(setup);
    const port = running === null ? setup.config.server.port : portOf(running.facts.address);
    const input = { organizationId: values.organization ?? null, email, port };
    const { url, expiresAt, organization } = (await perform(tools, setup, ownerLinkTask, input)).answer;
    const until = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
    const whom = email ?? 'whoever opens it';
    return {
      text: [`Makes ${whom} an owner of ${organization.name}, once, until ${until} UTC:`, '', url].join('\n'),
      json: { url, organization: organization.id, email, expires_at: Math.floor(expiresAt / 1000) },
    };
  },
};
