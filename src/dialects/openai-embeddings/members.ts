import { type DialectMembers, entries, members } from '../members.ts';

/** What OpenAI's clients know of embeddings, which are never translated. https://platform.openai.com/docs/api-reference/embeddings */
export const MEMBERS: DialectMembers = {
  request: members(
    { read: 'input model dimensions', passes: 'user' },
    { encoding_format: { words: entries({ read: 'base64 float' }) } },
  ),
  response: members(
    { passes: 'model object' },
    {
      data: members({ read: 'embedding', passes: 'index object' }),
      usage: members({ read: 'prompt_tokens total_tokens' }),
    },
  ),
};
