import { isLocal } from '../address.ts';
import type { DeveloperTool } from '../tool.ts';

export const cursor: DeveloperTool = {
  id: 'cursor',
  label: 'Cursor',
  prefers: [/^claude-sonnet-/, /^gpt-\d+(\.\d+)?$/],
  snippets: ({ address, model, key }) => [
    {
      about: 'In Cursor, under Settings → Models',
      language: 'text',
      text: [
        `1. Add the model ${model}, and turn it on.`,
        `2. Under API Keys, put this into OpenAI API Key: ${key}`,
        `3. Turn Override OpenAI Base URL on, and put this there: ${isLocal(address) ? 'https://YOUR-ADDRESS' : address}/v1`,
      ].join('\n'),
    },
  ],
  advice: [
    'Cursor calls from its own servers, so the gateway needs an https address that the internet can reach: --url.',
  ],
  files: 'Cursor keeps these settings where only it writes them; without --write they are shown, to be put in by hand.',
};
