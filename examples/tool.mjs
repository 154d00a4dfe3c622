/**
 * Lets a model use a tool, with Anthropic's own client. The model may be anybody's: Headgate translates.
 *
 *   npm install @anthropic-ai/sdk
 *   HEADGATE_API_KEY=hg_live_… node tool.mjs "Are there any red kettles left?"
 */
import Anthropic from '@anthropic-ai/sdk';

const { HEADGATE_URL = 'http://127.0.0.1:8080', HEADGATE_API_KEY, HEADGATE_MODEL = 'default' } = process.env;
const client = new Anthropic({ baseURL: HEADGATE_URL, apiKey: HEADGATE_API_KEY }); // no /v1 here

const STOCK = { 'red kettle': 3, 'blue kettle': 0 };
const tools = [
  {
    name: 'stock',
    description: 'Tells how many of an article are left.',
    input_schema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
  },
];
const messages = [{ role: 'user', content: process.argv[2] ?? 'Are there any red kettles left?' }];

for (;;) {
  const answer = await client.messages.create({ model: HEADGATE_MODEL, max_tokens: 1024, tools, messages });
  messages.push({ role: 'assistant', content: answer.content });
  for (const block of answer.content) if (block.type === 'text') console.log(block.text);
  if (answer.stop_reason !== 'tool_use') break;
  // Every call of the turn gets its result, in one message.
  messages.push({ role: 'user', content: answer.content.filter(({ type }) => type === 'tool_use').map(resultOf) });
}

function resultOf({ id, input }) {
  const left = STOCK[input.article] ?? 0;
  console.log(`(stock of ${input.article}: ${left})`);
  return { type: 'tool_result', tool_use_id: id, content: String(left) };
}
