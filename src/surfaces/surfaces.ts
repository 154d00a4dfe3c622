import { CallerTurns } from '../api/caller-turns.ts';
import type { ServerApi } from '../api/operation.ts';
import { ReportQueue } from '../api/report-queue.ts';
import { serveOrganization } from '../organization/all-resources.ts';
import type { SettingsParts } from '../organization/parts.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { serveCatalog } from './catalog.ts';
import type { ConsolePages } from './console.ts';
import { EXPLAIN_OPERATION, type ExplainParts, explainToOperator } from './explain.ts';
import { type GiveFeedback, serveFeedback } from './feedback.ts';
import { type FirstTokenParts, serveFirstTokens } from './first-tokens.ts';
import { type HealthParts, serveHealth } from './health.ts';
import { serveHello } from './hello.ts';
import { serveLiveUsage } from './live/live-usage.ts';
import { UsageFeed, type UsageFeedParts, type WatchLimits } from './live/usage-feed.ts';
import { type CallParts, serveModelCalls } from './model-call.ts';
import { serveModelInfo } from './model-info.ts';
import { serveModels } from './models.ts';
import { serveOpenApi } from './openapi/document.ts';
import { STATUS_OPERATION, type StatusParts } from './status.ts';
import { USAGE_OPERATIONS, type UsageParts } from './usage.ts';
import { serveWelcome } from './welcome.ts';

export type SurfaceParts = Omit<
  ServerApi & HealthParts & CallParts & ExplainParts & StatusParts & FirstTokenParts & UsageParts & SettingsParts,
  'explainToOperator' | 'reports' | 'turns'
> & {
  /**
   * The limits of one caller's requests in progress and of watchers; read each time, because a reload may change them.
   */
  limits(): WatchLimits & { maxReports: number; maxRequestsAtOnce: number };
  live: Pick<UsageFeedParts, 'settled' | 'shedder' | 'stopping'>;
  pipeline: Pipeline;
  pages: ConsolePages;
  giveFeedback: GiveFeedback;
};

/** Serves all operations and pages. */
export function serveSurfaces(given: SurfaceParts): void {
  const { calls, front, limits, live, onFault } = given;
  const reports = new ReportQueue(() => limits().maxReports);
  const parts = { ...given, turns: new CallerTurns(() => limits().maxRequestsAtOnce) };
  serveModelCalls(parts, parts.pipeline);
  serveCatalog(parts, parts.directory);
  serveModels(parts, parts.directory);
  serveModelInfo(parts, parts.directory);
  for (const operation of USAGE_OPERATIONS) operation.serveWith(parts, { ...parts, reports });
  serveFirstTokens(parts, reports);
  serveLiveUsage(parts, new UsageFeed({ ...live, calls, limits, clock: front.clock, onFault }), () =>
    live.settled.newest(),
  );
  serveFeedback(parts, parts.giveFeedback);
  EXPLAIN_OPERATION.serveWith(parts, parts);
  serveOrganization(parts, { ...parts, reports, explainToOperator: (call) => explainToOperator(parts, call) });
  STATUS_OPERATION.serveWith(parts, parts);
  serveHealth(parts, parts);
  serveWelcome(parts, parts.pages);
  serveHello(parts, parts.version, parts.pages);
  serveOpenApi(parts, parts.version);
}
