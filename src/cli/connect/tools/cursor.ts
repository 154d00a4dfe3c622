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
        `1. Add the model ${model} and turn it on.`,
        `2. Under API Keys, enter this as OpenAI API Key: ${key}`,
        `3. Turn on Override OpenAI Base URL and enter: ${isLocal(address) ? 'https://YOUR-ADDRESS' : address}/v1`,
      ].join('\n'),
    },
  ],
  advice: ['Cursor calls from its own servers, so the gateway needs a public https address: --url.'],
  files: 'Only Cursor can write these settings. Without --write they are shown, to be entered by hand.',
};
