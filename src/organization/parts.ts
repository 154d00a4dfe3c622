import type { ReportQueue } from '../api/report-queue.ts';
import type { OperatorsCall, routeDecision } from '../api/route-decision.ts';
import type { Written } from '../api/schema.ts';
import type { Administrator } from '../core/administrator.ts';
import type { RouteBook } from '../core/known-route.ts';
import type { SendMail } from '../core/mail.ts';
import type { CallReader, OrganizationStore, UsageReader } from '../core/ports.ts';
import type { Directory } from '../core/provider.ts';
import type { RefusedStore } from '../core/refused-calls.ts';
import type { ReplayResult } from '../core/replay.ts';
import type { Route } from '../core/route.ts';
import type { RouteStore } from '../core/route-store.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import type { SendWebhook } from '../core/webhooks.ts';
import type { Site } from '../http/browser.ts';
import type { Administration, AdminParts } from './administration.ts';
import type { BudgetUse } from './budgets/standing.ts';
import type { NameRules } from './gateway-settings.ts';
import type { ProviderRules } from './providers/service.ts';
import type { TryProvider } from './providers/trial.ts';
import type { GatewayServing } from './settings/api.ts';
import type { SignInParts } from './sign-in/parts.ts';

/** What the operations on settings need. */
export type SettingsParts = {
  admin: AdminParts;
  /** All names that calls may use. */
  modelNames(): readonly string[];
  /** For keys without their own limits. */
  defaultLimits(): { requestsPerMinute: number; tokensPerMinute: number };
  usage: Pick<UsageReader, 'buckets' | 'summarize'>;
  calls: Pick<CallReader, 'find'>;
  refused: Pick<RefusedStore, 'find'>;
  budgetUse: BudgetUse;
  reports: ReportQueue;
  sendWebhook: SendWebhook;
  /** `null` without a mail server. */
  sendMail(): SendMail | null;
  /** Hosts that may receive webhooks whatever their addresses are. */
  webhookHosts(): readonly string[];
  providers: ProviderServing;
  nameRules: NameRules;
  routing: RouteServing;
  gateway: GatewayServing;
  signIn: SignInParts;
  site: Pick<Site, 'linkTo'>;
  /** What can be called now. */
  directory(): Directory;
  /** Decides a call without a key, and shows everything. No provider is called. */
  explainToOperator(call: OperatorsCall): Promise<Written<typeof routeDecision>>;
};

/** What the operations on providers need. */
export type ProviderServing = {
  rules: ProviderRules;
  tryOut: TryProvider;
  presets: readonly { id: string; label: string; base_url: string | null; needs_key: boolean; docs: string }[];
  /** The status of all serving processes. */
  status(): Promise<GatewayStatus>;
  /** The number of callable models of each provider. */
  models(): ReadonlyMap<string, number>;
};

/** What managing routes needs. */
export type RouteServing = {
  store: Pick<RouteStore, 'list'>;
  organizations: Pick<OrganizationStore, 'list'>;
  /** Of the configuration in force. */
  book(): RouteBook;
  /**
   * The same for the operator, whose drafts may use environment variables.
   *
   * @param asks - whether providers may be asked for their model lists; a gateway has asked already
   */
  operatorBook(asks: boolean): RouteBook;
  /**
   * Decides past calls again, from a time on (Unix ms), at most this many. Rejects with a 429 while another replay
   * runs.
   */
  replay(asked: { route: Route; from: number; limit: number }): Promise<ReplayResult>;
};

/** The services of an administrator. */
export function atWork({ admin }: SettingsParts, by: Administrator): Administration {
  return { ...admin, by };
}
