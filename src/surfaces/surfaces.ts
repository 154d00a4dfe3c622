import type { Pipeline } from '../pipeline/pipeline.ts';
import { serveCatalog } from './catalog.ts';
import { type ExplainParts, serveExplain } from './explain.ts';
import { type GiveFeedback, serveFeedback } from './feedback.ts';
import { type HealthParts, serveHealth } from './health.ts';
import { serveHello } from './hello.ts';
import { type CallParts, serveModelCalls } from './model-call.ts';
import { serveModels } from './models.ts';
import { serveOpenApi } from './openapi/document.ts';
import { type StatusParts, serveStatus } from './status.ts';
import { serveUsage, type UsageParts } from './usage.ts';

export type SurfaceParts = HealthParts &
  CallParts &
  ExplainParts &
  StatusParts &
  UsageParts & {
    pipeline: Pipeline;
    giveFeedback: GiveFeedback;
  };

/** Everything that is served. */
export function serveSurfaces(parts: SurfaceParts): void {
  serveModelCalls(parts, parts.pipeline);
  serveCatalog(parts, parts.directory);
  serveModels(parts, parts.directory);
  serveUsage(parts);
  serveFeedback(parts, parts.giveFeedback);
  serveExplain(parts);
  serveStatus(parts);
  serveHealth(parts, parts);
  serveHello(parts, parts.version);
  serveOpenApi(parts, parts.version);
}
