import { portOf } from '../../core/operator.ts';
import { ownerLinkTask } from '../../tasks/owner-link.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { perform } from '../perform.ts';

export const ownerLink: Command = {
  name: 'owner-link',
  about: 'Make a link by which somebody becomes an owner, once.',
  details: [
    'For the first owner of an organization, and for one who has lost what they sign in with: with --email it is for',
    'that person alone, and takes the place of their sign-in. Links of the organization that were made before end.',
  ].join('\n'),
  options: {
    organization: { value: 'ID', about: 'Whose owner; left out, of the first organization.' },
    email: { value: 'EMAIL', about: 'Whom it is for; left out, for whoever opens it.' },
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
