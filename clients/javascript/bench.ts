import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { OpenAI } from 'openai';
import { Headgate } from './src/index.ts';

/**
 * `node clients/javascript/bench.ts`: the CPU that a call costs a program with our client, beside OpenAI's own, in turns; the
 * server is a process of its own. Prints the median of the ratios of pairs, whole and streamed. `--pairs N` (60).
 */
const CALLS = 300;
const AT_ONCE = 10;
const CHUNKS = 30;
const PAIRS = Number(process.argv[process.argv.indexOf('--pairs') + 1] || 60) || 60;

const ME = fileURLToPath(import.meta.url);
if (process.argv.includes('--serve')) serve();
else await measure();

async function measure(): Promise<void> {
  const server = fork(ME, ['--serve']);
  const [url] = (await once(server, 'message')) as [string];
  const options = { apiKey: 'k', baseURL: url };
  const clients = [new OpenAI(options), new Headgate(options)] as const;
  for (const stream of [false, true]) {
    for (const client of clients) await cpuOf(client, stream);
    const ratios: number[] = [];
    const spent: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      // Each goes first as often as the other.
      const first = pair % 2;
      const costs = [0, 0];
      for (const index of [first, 1 - first]) costs[index] = await cpuOf(clients[index]!, stream);
      ratios.push(costs[1]! / costs[0]!);
      spent.push(costs[0]!);
    }
    const ratio = median(ratios).toFixed(3);
    console.log(
      `${stream ? `stream of ${CHUNKS}` : 'whole answer'}: ${median(spent).toFixed(0)} µs a call, ours ${ratio} of it`,
    );
  }
  server.kill();
}

/** Microseconds of CPU a call. */
async function cpuOf(client: OpenAI, stream: boolean): Promise<number> {
  const before = process.cpuUsage();
  let left = CALLS;
  const caller = async () => {
    while (left-- > 0) await call(client, stream);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

async function call(client: OpenAI, stream: boolean): Promise<void> {
  const answer = await client.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    stream,
  });
  if ('controller' in answer) for await (const _ of answer);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Answers as a gateway does, with its headers. */
function serve(): void {
  const message = { role: 'assistant', content: 'Hello. '.repeat(20) };
  const whole = JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message }],
  });
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const frame = `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta: { content: 'Hello. ' } }] })}\n\n`;
  const headers = {
    'x-request-id': 'req_1',
    'service-version': 'v1',
    'service-processing-ms': '1',
    'service-provider': 'lab',
    'service-model': 'm',
    'x-ratelimit-limit-requests': '600',
    'x-ratelimit-remaining-requests': '599',
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      const streamed = body.includes('"stream":true');
      response.writeHead(200, { ...headers, 'content-type': streamed ? 'text/event-stream' : 'application/json' });
      if (!streamed) return response.end(whole);
      for (let index = 0; index < CHUNKS; index += 1) response.write(frame);
      response.end('data: [DONE]\n\n');
    });
  });
  server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
