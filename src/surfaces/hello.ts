import { z } from 'zod';
import { operation, type ServerApi } from '../api/operation.ts';
import { named, text, type Written } from '../api/schema.ts';
import { sendJson } from '../http/send.ts';
import type { ConsolePages } from './console.ts';

const hello = named('Hello', z.object({ object: z.literal('gateway'), name: text, version: text, openapi: text }));

const described = {
  tag: 'Operation',
  summary: 'Identify the gateway.',
  access: 'anyone',
  answer: { description: 'This gateway.', schema: hello },
} as const;

export const HELLOS = [
  operation('getHello', 'GET /', described),
  operation('getApiHello', 'GET /api/hello', described),
];

/**
 * `GET` and `HEAD` of `/` and `/api/hello`. Developer tools request one of them without a key to test an address. A
 * browser gets the console at `/`.
 */
export function serveHello({ app, front }: ServerApi, version: string, pages: ConsolePages): void {
  const body: Written<typeof hello> = { object: 'gateway', name: 'Headgate', version, openapi: '/openapi.json' };
  for (const { path } of HELLOS) {
    app.get(path, (request, reply) => {
      if (path !== '/' || !pages.answer(request, reply)) sendJson({ front, request, reply }, 200, body);
      return reply;
    });
  }
}
