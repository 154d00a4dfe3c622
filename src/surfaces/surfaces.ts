import type { CallReader, UsageReader } from '../core/ports.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { serveCatalog } from './catalog.ts';
import { chat } from './chat.ts';
import { serveCountTokens } from './count-tokens.ts';
import { embeddings } from './embeddings.ts';
import { type ExplainParts, serveExplain } from './explain.ts';
import { type GiveFeedback, serveFeedback } from './feedback.ts';
import { type HealthParts, serveHealth } from './health.ts';
import { serveHello } from './hello.ts';
import { messages } from './messages.ts';
import { type CallParts, serveModelCalls } from './model-call.ts';
import { serveModels } from './models.ts';
import { serveOpenApi } from './openapi/openapi.ts';
import { responses } from './responses.ts';
import { type StatusParts, serveStatus } from './status.ts';
import { serveUsage } from './usage.ts';

export type SurfaceParts = HealthParts &
  CallParts &
  ExplainParts &
  StatusParts & {
    pipeline: Pipeline;
    usage: UsageReader;
    giveFeedback: GiveFeedback;
    calls: CallReader;
  };

/** Everything that is served. */
export function serveSurfaces(parts: SurfaceParts): void {
  const { app, front, pipeline } = parts;
  for (const surface of [chat, responses, messages, embeddings]) serveModelCalls(surface, parts, pipeline);
  serveCountTokens(parts, pipeline);
  serveCatalog(app, front, parts.directory);
  serveModels(app, front, parts.directory);
  serveUsage(app, front, parts.usage, parts.calls);
  serveFeedback(app, front, parts.giveFeedback);
  serveExplain(parts);
  serveStatus(parts);
  serveHealth(app, front, parts);
  serveHello(app, front, parts.version);
  serveOpenApi(app, front, parts.version);
}
