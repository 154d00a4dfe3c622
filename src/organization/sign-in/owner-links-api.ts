import { z } from 'zod';
import { inSeconds } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { seconds, text } from '../../api/schema.ts';
import { GatewayError } from '../../core/errors.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { createOwnerLink } from './links.ts';
import { NO_PUBLIC_ADDRESS } from './public-address.ts';

const CREATE_OWNER_LINK = operation('createOwnerLink', 'POST /v1/operator/owner_links', {
  tag: 'Organization',
  summary: 'Create a link that makes a person an owner, once. Earlier links of the organization end.',
  access: 'operator',
  body: { schema: z.strictObject({ email: text.nullable().describe('`null`: anybody may open it.') }) },
  answer: {
    description: 'The link, shown only here.',
    schema: z.object({
      url: text,
      organization: text,
      organization_name: text,
      email: text.nullable(),
      expires_at: seconds,
    }),
  },
});

/** For the operator alone. */
export const OWNER_LINKS = resource([
  CREATE_OWNER_LINK.handledBy(async ({ administrator, caller: { organization }, body: { email } }, parts) => {
    if (parts.site.linkTo('') === null) throw new GatewayError('forbidden', NO_PUBLIC_ADDRESS);
    const wanted = { email, lifeMs: parts.signIn.rules().ownerLinkLife };
    const { secret, link } = await createOwnerLink(atWork(parts, administrator), wanted);
    const { id, name } = organization;
    const url = parts.site.linkTo(secret)!;
    return { url, organization: id, organization_name: name, email, expires_at: inSeconds(link.expiresAt) };
  }),
]);
