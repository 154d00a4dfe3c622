import { createServer } from 'node:http';
import { listen } from '../../src/testing/listen.ts';
import { createWaiters } from '../../src/testing/wait.ts';

/** An endpoint of webhooks on this machine. */
export type WebhookReceiver = {
  url: string;
  received: { url: string; headers: Record<string, string>; body: string }[];
  /** What the next requests are answered, `never` that they are not; 204 where there is nothing. */
  answers: (number | 'never')[];
  until(condition: () => boolean, what: string): Promise<void>;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: WebhookReceiver['received'] = [];
  const answers: WebhookReceiver['answers'] = [];
  const waiters = createWaiters();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', headers } = request;
    received.push({ url, headers: headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
    const answer = answers.shift() ?? 204;
    if (answer !== 'never') response.writeHead(answer).end();
    waiters.changed();
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answers,
    until: (condition, what) => waiters.until(condition, () => what),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
