/**
 * Streams an answer with OpenAI's own client, then tells who served it and what it cost.
 *
 *   npm install openai
 *   HEADGATE_API_KEY=hg_live_… node stream.mjs "Why is the sky blue?"
 */
import OpenAI from 'openai';

const { HEADGATE_URL = 'http://127.0.0.1:8080', HEADGATE_API_KEY, HEADGATE_MODEL = 'default' } = process.env;
const client = new OpenAI({ baseURL: `${HEADGATE_URL}/v1`, apiKey: HEADGATE_API_KEY });

const { data: stream, response } = await client.chat.completions
  .create({
    model: HEADGATE_MODEL,
    messages: [{ role: 'user', content: process.argv[2] ?? 'Hello' }],
    stream: true,
  })
  .withResponse();

// A stream that breaks throws here. It never ends as if it were whole.
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');

// The record is written before the stream ends, so it can be read at once.
const record = await client.get(`/usage/${response.headers.get('x-request-id')}`);
const tokens = `${record.input_tokens} + ${record.output_tokens} tokens`;
const cost = record.cost_usd === null ? 'unknown cost' : `$${record.cost_usd}`;
console.log(`\n\n${record.model} at ${record.provider}: ${tokens}, ${cost}`);
