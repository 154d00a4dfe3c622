/** Where a client finds the gateway, with which key and model. */
export type Connection = { address: string; key: string; model: string };
export type Snippet = { about: string; text: string };
export type Client = { id: string; label: string; snippets: (connection: Connection) => Snippet[]; advice?: string };

const text = JSON.stringify;
const KEY = 'HEADGATE_API_KEY';
const environment = ({ key }: Connection): Snippet => ({
  about: 'In the environment',
  text: `export ${KEY}=${key}`,
});

/** What people call a gateway with: the same words that `headgate connect` writes. */
export const CLIENTS: readonly Client[] = [
  {
    id: 'curl',
    label: 'curl',
    snippets: ({ address, key, model }) => [
      {
        about: 'In a terminal',
        text: `curl ${address}/v1/chat/completions \\
  -H ${shell(`Authorization: Bearer ${key}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${shell(text({ model, messages: [{ role: 'user', content: 'Hello' }] }))}`,
      },
    ],
  },
  {
    id: 'openai-js',
    label: 'OpenAI, JavaScript',
    snippets: (connection) => [
      environment(connection),
      {
        about: 'npm install openai',
        text: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${text(`${connection.address}/v1`)},
  apiKey: process.env.${KEY},
});
const answer = await client.chat.completions.create({
  model: ${text(connection.model)},
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.choices[0].message.content);`,
      },
    ],
  },
  {
    id: 'openai-python',
    label: 'OpenAI, Python',
    snippets: (connection) => [
      environment(connection),
      {
        about: 'pip install openai',
        text: `import os
from openai import OpenAI

client = OpenAI(base_url=${text(`${connection.address}/v1`)}, api_key=os.environ["${KEY}"])
answer = client.chat.completions.create(
    model=${text(connection.model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
      },
    ],
  },
  {
    id: 'anthropic-js',
    label: 'Anthropic, JavaScript',
    advice: 'Its address has no /v1.',
    snippets: (connection) => [
      environment(connection),
      {
        about: 'npm install @anthropic-ai/sdk',
        text: `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: ${text(connection.address)},
  apiKey: process.env.${KEY},
});
const answer = await client.messages.create({
  model: ${text(connection.model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.content);`,
      },
    ],
  },
  {
    id: 'anthropic-python',
    label: 'Anthropic, Python',
    advice: 'Its address has no /v1.',
    snippets: (connection) => [
      environment(connection),
      {
        about: 'pip install anthropic',
        text: `import os
from anthropic import Anthropic

client = Anthropic(base_url=${text(connection.address)}, api_key=os.environ["${KEY}"])
answer = client.messages.create(
    model=${text(connection.model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.content)`,
      },
    ],
  },
  {
    id: 'headgate-js',
    label: '@headgate/client',
    advice: 'OpenAI’s client, with who served each answer and what it cost.',
    snippets: (connection) => [
      { about: 'In the environment', text: variables(connection) },
      {
        about: 'npm install @headgate/client openai',
        text: `import { gateway, Headgate } from '@headgate/client';

const client = new Headgate();
const answer = await client.chat.completions.create({
  model: ${text(connection.model)},
  messages: [{ role: 'user', content: 'Hello' }],
});
const { provider, costUsd } = gateway(answer);
console.log(answer.choices[0].message.content, { provider, costUsd });`,
      },
    ],
  },
  {
    id: 'headgate-python',
    label: 'headgate-client',
    advice: 'OpenAI’s client, with who served each answer and what it cost.',
    snippets: (connection) => [
      { about: 'In the environment', text: variables(connection) },
      {
        about: 'pip install headgate-client',
        text: `from headgate import Headgate, gateway

client = Headgate()
answer = client.chat.completions.create(
    model=${text(connection.model)},
    messages=[{"role": "user", "content": "Hello"}],
)
told = gateway(answer)
print(answer.choices[0].message.content, told.provider, told.cost_usd)`,
      },
    ],
  },
  {
    id: 'ai-sdk',
    label: 'AI SDK',
    snippets: (connection) => [
      { about: 'In the environment', text: variables(connection) },
      {
        about: 'npm install @headgate/ai-sdk @ai-sdk/openai ai',
        text: `import { headgate } from '@headgate/ai-sdk';
import { generateText } from 'ai';

const { text } = await generateText({ model: headgate(${text(connection.model)}), prompt: 'Hello' });
console.log(text);`,
      },
    ],
  },
  {
    id: 'langchain',
    label: 'LangChain',
    snippets: (connection) => [
      environment(connection),
      {
        about: 'pip install langchain-openai',
        text: `import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${text(connection.model)},
    base_url=${text(`${connection.address}/v1`)},
    api_key=os.environ["${KEY}"],
)
print(model.invoke("Hello").content)`,
      },
    ],
  },
  {
    id: 'codex',
    label: 'Codex',
    advice: 'Then run: codex. To use another model once: codex -m NAME.',
    snippets: (connection) => [
      {
        about: '~/.codex/config.toml',
        text: `model = ${text(connection.model)}
model_provider = "headgate"

[model_providers.headgate]
name = "Headgate"
base_url = ${text(`${connection.address}/v1`)}
wire_api = "responses"
env_key = "${KEY}"`,
      },
      environment(connection),
    ],
  },
  {
    id: 'claude-code',
    label: 'Claude Code',
    advice:
      'Leave ANTHROPIC_API_KEY unset, because it would be sent too. To use another model once: claude --model NAME.',
    snippets: ({ address, key, model }) => [
      {
        about: '~/.claude/settings.json',
        text: written({
          env: {
            ANTHROPIC_BASE_URL: address,
            ANTHROPIC_AUTH_TOKEN: key,
            ANTHROPIC_MODEL: model,
            ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          },
        }),
      },
    ],
  },
  {
    id: 'cursor',
    label: 'Cursor',
    advice: 'Cursor calls from its own servers: the gateway needs an https address that the internet can reach.',
    snippets: ({ address, key, model }) => [
      {
        about: 'In Cursor, under Settings → Models',
        text: `1. Add the model ${model}, and turn it on.
2. Under API Keys, enter this as OpenAI API Key: ${key}
3. Turn on Override OpenAI Base URL and enter: ${address}/v1`,
      },
    ],
  },
  {
    id: 'opencode',
    label: 'OpenCode',
    advice: 'Each further model takes a member of its own in provider.headgate.models.',
    snippets: (connection) => [
      {
        about: '~/.config/opencode/opencode.json',
        text: written({
          $schema: 'https://opencode.ai/config.json',
          model: `headgate/${connection.model}`,
          provider: {
            headgate: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Headgate',
              options: { baseURL: `${connection.address}/v1`, apiKey: `{env:${KEY}}` },
              models: { [connection.model]: { name: connection.model } },
            },
          },
        }),
      },
      environment(connection),
    ],
  },
];

function variables({ address, key }: Connection): string {
  return `export HEADGATE_BASE_URL=${address}/v1\nexport ${KEY}=${key}`;
}

function written(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** As one word of a shell, whatever stands in it. */
function shell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
