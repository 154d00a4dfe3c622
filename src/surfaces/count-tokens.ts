import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import { readCount, readCountEnvelope, writeCount } from '../dialects/anthropic-messages/count.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { CountDialect } from '../pipeline/token-count.ts';
import { messages } from './messages.ts';
import { type CallParts, serveBody } from './model-call.ts';

const PATH = '/count_tokens';

const COUNTING: CountDialect = {
  dialect: anthropicMessages,
  path: PATH,
  readEnvelope: readCountEnvelope,
  readCount,
};

/** `POST /v1/messages/count_tokens` */
export function serveCountTokens(parts: CallParts, pipeline: Pipeline): void {
  serveBody({ ...messages, path: messages.path + PATH }, parts, async (request) => {
    const tokens = await pipeline.countTokens(COUNTING, request);
    request.answer.whole(200, writeCount(tokens));
  });
}
