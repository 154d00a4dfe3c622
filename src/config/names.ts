import * as z from 'zod';
import { MODEL_NAME, OWNER_NAME, QUALIFIED_NAME } from '../core/model-name.ts';
import { DIALECT_IDS } from '../core/provider.ts';
import { name, text } from './fields.ts';

export const modelName = text(MODEL_NAME, 'must be a name of 1 to 256 characters of ASCII, without spaces and *');
export const qualifiedName = text(
  QUALIFIED_NAME,
  'must be a provider and a model in ASCII without spaces, such as openai/gpt-4o-mini',
);
export const providerName = text(
  /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  'must be a name of letters, digits, “.”, “_” and “-” (at most 64, one of them a letter)',
);
/** The id of an organization or product. */
export const ownerName = text(OWNER_NAME, 'must be a name of letters, digits, “_” and “-” (at most 64)');
export const credentialName = text(
  /^[A-Za-z0-9._-]{1,64}$/,
  'must be a name of letters, digits, “.”, “_” and “-” (at most 64)',
);
/** Lower case only, so that each region has one name. */
export const regionName = text(
  /^[a-z0-9-]{1,64}$/,
  'must be a name of lower-case letters, digits and “-” (at most 64)',
);
export const label = name(/^\S(.{0,126}\S)?$/u, 'must be a name of 1 to 128 characters');
export const dialects = z.array(z.enum(DIALECT_IDS)).min(1, { error: 'must name at least one dialect' });
