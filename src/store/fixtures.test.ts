import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { bill, type Price } from '../core/money.ts';
import { recordIdBeginning } from '../core/record-id.ts';
import type { ApiKey, AttemptRecord, Intent, Routed, Settlement } from '../core/records.ts';
import type { Decision } from '../core/route.ts';
import { usageOf } from '../core/usage.ts';

/** 2026-11-21T12:00:00Z. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export const PRICE: Price = {
  rates: { input: 150_000n, output: 600_000n },
  tiers: [{ abovePromptTokens: 200_000, rates: { input: 300_000n } }],
  source: 'a test',
  date: '2026-11-01',
};

/** An empty folder that goes when the test is over. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-store-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function key(changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_1',
    organizationId: 'org_1',
    projectId: 'proj_00_org_1',
    owner: null,
    createdBy: null,
    access: 'models',
    scopes: [],
    ipRanges: null,
    name: 'ci',
    source: 'api_key',
    product: null,
    admin: false,
    usage: 'organization',
    disabledAt: null,
    version: 1,
    hint: 'hg_live_ab…yz',
    createdAt: NOON,
    expiresAt: null,
    revokedAt: null,
    allowedModels: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spendLimit: null,
    ...changes,
  };
}

/** An intent whose id sorts by its number. */
export function intent(number: number, changes: Partial<Intent> = {}): Intent {
  return {
    id: `usage_${String(number).padStart(8, '0')}`,
    requestId: `req_${number}`,
    clientRequestId: null,
    organizationId: 'org_1',
    keyId: 'key_1',
    source: 'api_key',
    product: null,
    tool: null,
    dialect: 'openai-chat',
    model: 'small',
    requestedModel: 'small',
    route: null,
    provider: 'lab',
    upstreamModel: 'lab-small',
    streamed: false,
    createdAt: NOON + number,
    estimatedInputTokens: 1_000,
    price: PRICE,
    held: null,
    budgets: '',
    ...changes,
  };
}

/** A success that follows an intent: 1,200 tokens in and 100 out, which cost 240,000 nano-dollars at `PRICE`. */
export function settlement(of: Intent, changes: Partial<Settlement> = {}): Settlement {
  const usage = usageOf({ inputTokens: 1_200, outputTokens: 100 });
  const { items, total } = bill(of.price, usage);
  return {
    id: of.id,
    organizationId: of.organizationId,
    keyId: of.keyId,
    createdAt: of.createdAt,
    status: 'succeeded',
    httpStatus: 200,
    errorKind: null,
    usage,
    usageSource: 'provider',
    lineItems: items,
    cost: total,
    counted: (changes.cost === undefined ? total : changes.cost) ?? 0n,
    reported: null,
    settledAt: of.createdAt + 900,
    timeToFirstTokenMs: null,
    attempts: [attempt(of)],
    dropped: [],
    routed: null,
    ...changes,
  };
}

export function attempt(of: Intent, changes: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    provider: of.provider,
    upstreamModel: of.upstreamModel,
    credential: 'default',
    status: 'succeeded',
    httpStatus: 200,
    errorKind: null,
    upstreamRequestId: null,
    startedAt: of.createdAt,
    endedAt: of.createdAt + 900,
    usageSource: 'provider',
    possiblyBilled: false,
    errorCode: null,
    ...changes,
  };
}

/** An intent whose id tells its time, as every id does outside of tests. */
export function intentAt(createdAt: number, number: number, changes: Partial<Intent> = {}): Intent {
  const id = `${recordIdBeginning(createdAt)}${String(number).padStart(16, '0')}`;
  return intent(number, { id, createdAt, ...changes });
}

/** What a route made of a call: `lab` failed, `spare` answered, and was dearer than what the caller is charged. */
export function routed(changes: Partial<Routed> = {}): Routed {
  return {
    provider: 'spare',
    upstreamModel: 'spare-large',
    price: PRICE,
    vendorCost: 999_999n,
    decision: decision(),
    ...changes,
  };
}

export function decision(changes: Partial<Decision> = {}): Decision {
  return {
    route: 'acme/fast',
    routeVersion: '0123456789abcdef',
    modelVersion: null,
    seed: 4_294_967_295,
    traits: {
      at: NOON,
      surface: 'openai-chat',
      stream: false,
      tools: 0,
      images: false,
      audio: false,
      files: false,
      structuredOutput: false,
      turns: 1,
      midTurn: false,
      promptTokens: 1_000,
      maxOutputTokens: 4_096,
      keyId: 'key_1',
      source: 'api_key',
      product: null,
      project: null,
      metadata: { tier: 'gold “x”' },
      tags: [],
      user: null,
      demandsPrice: false,
      allowedModels: null,
      conversation: null,
      features: null,
      steering: null,
    },
    candidates: [
      {
        model: 'small',
        provider: 'lab',
        upstreamModel: 'lab-small',
        credential: 'default',
        role: 'target',
        health: {
          circuit: 'open',
          openUntil: NOON + 5_000,
          credentialOutUntil: null,
          firstTokenMs: null,
          wholeMs: null,
          inFlight: 0,
        },
        expectedCost: 210_000,
        chance: null,
        leftOut: { reason: 'circuit_open', detail: 'It failed five times in a row.' },
      },
      {
        model: 'spare/spare-large',
        provider: 'spare',
        upstreamModel: 'spare-large',
        credential: 'second',
        role: 'fallback',
        health: {
          circuit: 'closed',
          openUntil: null,
          credentialOutUntil: null,
          firstTokenMs: 180.5,
          wholeMs: null,
          inFlight: 3,
        },
        expectedCost: null,
        chance: 0.75,
        leftOut: null,
      },
    ],
    order: [1],
    contextOrder: [],
    policyOrder: [],
    warm: null,
    because: ['The targets stand in the order of the route.'],
    explored: false,
    propensity: 1,
    kept: false,
    ...changes,
  };
}

/** A statement that was run, with its values in their order, and how many rows it gave. */
export type RunStatement = { sql: string; values: SQLInputValue[]; rows: number };

/** The same database, what is run on it from now on by `get` and `all` of statements, and what is prepared. */
export function watchStatements(database: DatabaseSync): {
  watched: DatabaseSync;
  run: RunStatement[];
  prepared: string[];
} {
  const run: RunStatement[] = [];
  const prepared: string[] = [];
  const watchedStatement = (sql: string, statement: StatementSync): StatementSync =>
    new Proxy(statement, {
      get(of, name) {
        const member = Reflect.get(of, name) as (...values: SQLInputValue[]) => unknown;
        return (...values: SQLInputValue[]) => {
          const result = member.apply(of, values);
          const rows = Array.isArray(result) ? result.length : result === undefined ? 0 : 1;
          if (name === 'get' || name === 'all') run.push({ sql, values, rows });
          return result;
        };
      },
    });
  const watched = new Proxy(database, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name);
      if (name === 'prepare')
        return (sql: string) => {
          prepared.push(sql);
          return watchedStatement(sql, of.prepare(sql));
        };
      return typeof member === 'function' ? member.bind(of) : member;
    },
  });
  return { watched, run, prepared };
}
