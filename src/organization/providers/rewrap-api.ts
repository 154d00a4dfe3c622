import { z } from 'zod';
import { operation } from '../../api/operation.ts';
import { count, flag } from '../../api/schema.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { rewrapCredentials } from './credentials.ts';

const REWRAP = operation('rewrapProviderKeys', 'POST /v1/operator/provider_keys/rewrap', {
  tag: 'Organization',
  summary: 'Encrypt all keys of providers under another wrapping key.',
  access: 'operator',
  body: { schema: z.strictObject({}) },
  answer: {
    description: 'The number of keys.',
    schema: z.object({
      credentials: count,
      is_given: flag.describe('Whether the environment has the wrapping keys, not the data folder.'),
    }),
  },
});

/** For the operator alone. */
export const PROVIDER_KEY_WRAPPING = resource([
  REWRAP.handledBy(async ({ administrator }, parts) => {
    const { rules } = parts.providers;
    const credentials = await rewrapCredentials(atWork(parts, administrator), rules);
    return { credentials, is_given: rules.wrapping.areFromEnvironment };
  }),
]);
