import { z } from 'zod';
import type { Administration, Administrator, AdminParts } from '../../admin/administration.ts';
import type { BudgetUse } from '../../admin/budget-standing.ts';
import type { NameRules } from '../../admin/gateway-settings.ts';
import type { TryProvider } from '../../admin/provider-trial.ts';
import type { ProviderRules } from '../../admin/providers.ts';
import { GatewayError } from '../../core/errors.ts';
import type { RouteBook } from '../../core/known-route.ts';
import type { SendMail } from '../../core/mail.ts';
import { listedNameFault } from '../../core/model-name.ts';
import { type NanoDollars, nanoDollarsOf } from '../../core/money.ts';
import type { CallReader, OrganizationStore, UsageReader } from '../../core/ports.ts';
import type { ReplayResult } from '../../core/replay.ts';
import type { Route } from '../../core/route.ts';
import type { RouteStore } from '../../core/route-store.ts';
import type { Page } from '../../core/settings.ts';
import { nameFault } from '../../core/shown-text.ts';
import type { GatewayStatus } from '../../core/target-status.ts';
import type { SendWebhook } from '../../core/webhooks.ts';
import type { ExplainParts } from '../explain.ts';
import type { ReportQueue } from '../report-queue.ts';
import { count, flag, named, seconds, text, wholeNumber } from '../schema.ts';
import type { GatewayServing } from './own-organization.ts';

/** The longest name of anything that people set up. */
export const MAX_NAME = 200;
/** How far a key's end may be, in seconds: a hundred years. */
const MAX_EXPIRY_SECONDS = 100 * 365 * 86_400;

/** The rule for names, of a text in a body. `faultOf`: of what may have several lines, another. */
export function readable(schema: z.ZodString, faultOf = nameFault): z.ZodString {
  return schema.refine((text) => faultOf(text) === null, { error: ({ input }) => faultOf(String(input)) ?? '' });
}

/** An administrator's name for something. */
export const nameText = readable(
  z.string('must be text').trim().min(1, 'must not be empty').max(MAX_NAME, `must have at most ${MAX_NAME} characters`),
);

/** A word that is kept and given back. */
export const keptText = readable(z.string('must be text').max(MAX_NAME, `must have at most ${MAX_NAME} characters`))
  .nullish()
  .describe('Kept and given back; it changes nothing here.');

/** An id in a body. */
export const idText = z.string('must be text').min(1, 'must not be empty').max(MAX_NAME, 'is no id');
/** A name in a list of models. */
export const modelText = idText.refine((name) => listedNameFault(name) === null, {
  error: ({ input }) => listedNameFault(String(input)) ?? '',
});

/** An address for mail. */
export const emailText = z
  .string('must be an address for mail')
  .max(320, 'is too long for an address')
  .regex(/^[^\s@<>",;]+@[^\s@<>",;]+$/u, 'must be an address for mail');

/** Whom a person is known by: their address for mail, in lower case. */
export const personEmail = emailText.toLowerCase().regex(/^\P{C}*$/u, 'must not contain characters that are not shown');

/** The version that the caller has read; the update is refused where there is another. Beyond OpenAI's. */
export const ifVersion = z
  .int('must be a whole number')
  .min(1, 'must be a whole number from 1')
  .exactOptional()
  .describe('The `version` that was read: where another is in force, nothing is changed, and the answer is a 409.');

/** The same of what is there only once it is set. */
export const ifVersionOrNone = z
  .int('must be a whole number')
  .min(0, 'must be a whole number from 0')
  .exactOptional()
  .describe(
    'The `version` that was read, 0 where nothing was set: where it is another, nothing is changed, and the answer is a 409.',
  );

/** When a key ends, counted from the request. */
export const expiresInSeconds = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MAX_EXPIRY_SECONDS, `must be at most ${MAX_EXPIRY_SECONDS}`)
  .nullish();

/** When something ends that ends in so many seconds; `null`: never. */
export function endsAt(now: number, expiresIn: number | null | undefined): number | null {
  return expiresIn == null ? null : now + expiresIn * 1000;
}

export const version = z.int().min(1).describe('Grows with each change; see `if_version`.');
export const versionOrNone = z
  .int()
  .min(0)
  .describe('Grows with each change, 0 where nothing was set; see `if_version`.');

/** An amount in a body. */
export const amountOfDollars = z
  .union([z.number(), z.string()], 'must be an amount of dollars')
  .describe('A number, or a text where it has to be exact: `"12.345678901"`.');

/** Throws `invalid_request` where an amount at this place in a body is none. */
export function amountIn(written: number | string, param: string): NanoDollars {
  // A small number is not to be written with an exponent.
  const isTiny = typeof written === 'number' && Math.abs(written) < 1e-6;
  const amount = nanoDollarsOf(isTiny ? written.toFixed(9) : String(written));
  if (amount !== null) return amount;
  throw new GatewayError('invalid_request', `\`${param}\` must be dollars with at most nine decimals.`, { param });
}

const MAX_SEARCH = 200;

/** What is looked for, in a query. */
export const searchText = z
  .string('must be given')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_SEARCH, `must have at most ${MAX_SEARCH} characters`);

/** Several values of a query: `name[]=a&name[]=b`, or `name=a`. */
export function manyOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(item).max(100, 'may have at most 100 values'),
  );
}

/** `true` or `false` in a query. */
export const yesOrNo = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('must be true or false'),
);

/** The query of a list: whichever of OpenAI's three cursors a client uses, it is the id of an item. */
export function pageQuery({ limit = 20, max = 100 }: { limit?: number; max?: number } = {}) {
  return z.object({
    limit: wholeNumber(1, max).default(limit).describe('Items to return.'),
    after: text.exactOptional().describe('The id of the last item of the page before.'),
    before: text.exactOptional().describe('The id of the first item of the page behind.'),
    order: z.enum(['asc', 'desc'], 'must be asc or desc').exactOptional().describe('By time of creation.'),
  });
}

/** The query of a list that is paged in one direction. */
export function cursorQuery(bounds: { limit: number; max: number }) {
  return pageQuery(bounds).omit({ before: true });
}

/** A page that clients of each of OpenAI's cursors can go on from. */
export function pageOf<Item extends z.ZodType>(id: string, item: Item) {
  return named(
    id,
    z.object({
      object: z.literal('list'),
      data: z.array(item),
      first_id: text.nullable(),
      last_id: text.nullable(),
      has_more: flag,
      next: text.nullable().describe('What `after` is to be for the next page; `null` where there is none.'),
    }),
  );
}

/** @param idOf - what the next page is asked for by */
export function pageJson<Item extends { id: string }, Json>(
  { items, hasMore }: Page<Item>,
  json: (item: Item) => Json,
) {
  const first = items[0]?.id ?? null;
  const last = items.at(-1)?.id ?? null;
  return {
    object: 'list' as const,
    data: items.map(json),
    first_id: first,
    last_id: last,
    has_more: hasMore,
    next: hasMore ? last : null,
  };
}

export function deletedOf<const Name extends string>(id: string, object: Name) {
  return named(id, z.object({ id: text, object: z.literal(object), deleted: z.literal(true) }));
}

/** Unix seconds of Unix ms. */
export const inSeconds = (ms: number): number => Math.floor(ms / 1000);
export const inSecondsOrNull = (ms: number | null): number | null => (ms === null ? null : inSeconds(ms));

export const created = seconds.describe('When it was made, in Unix seconds.');

/** Where something is changed that the configuration file may say. */
export const origin = z.enum(['file', 'settings']).describe('`file`: it is changed in the configuration alone.');
export const setInPlace = z
  .object({ file: text, line: count.nullable() })
  .nullable()
  .describe('Where the configuration file says it, so that it is changed there alone.');

/** What the settings' operations are served with. */
export type SettingsParts = {
  admin: AdminParts;
  /** Every name that a call may give. */
  modelNames(): readonly string[];
  /** Of keys without own limits. */
  defaultLimits(): { requestsPerMinute: number; tokensPerMinute: number };
  usage: Pick<UsageReader, 'buckets' | 'summarize'>;
  calls: Pick<CallReader, 'find'>;
  budgetUse: BudgetUse;
  reports: ReportQueue;
  sendWebhook: SendWebhook;
  /** `null` while no mail server is set. */
  sendMail(): SendMail | null;
  /** Hosts that webhooks may be sent to whatever their addresses are. */
  webhookHosts(): readonly string[];
  providers: ProviderServing;
  nameRules: NameRules;
  routing: RouteServing;
  gateway: GatewayServing;
} & Pick<ExplainParts, 'pipeline' | 'directory' | 'explainFeatures'>;

/** What the operations on providers are served with. */
export type ProviderServing = {
  rules: ProviderRules;
  tryOut: TryProvider;
  presets: readonly { id: string; label: string; base_url: string | null; needs_key: boolean; docs: string }[];
  /** How all processes that serve do. */
  status(): Promise<GatewayStatus>;
  /** How many models of each provider can be called. */
  models(): ReadonlyMap<string, number>;
};

/** What routes are administered with. */
export type RouteServing = {
  store: Pick<RouteStore, 'list'>;
  organizations: Pick<OrganizationStore, 'list'>;
  /** Of the configuration in force. */
  book(): RouteBook;
  /** Decides past calls anew, from a time on (Unix ms), so many at most. Rejects with a 429 while another replay is under way. */
  replay(asked: { route: Route; from: number; limit: number }): Promise<ReplayResult>;
};

/** An administrator at work. */
export function atWork({ admin }: SettingsParts, by: Administrator): Administration {
  return { ...admin, by };
}
