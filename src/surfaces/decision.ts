import { z } from 'zod';
import { CREDENTIAL, count, decimal, named, text, type Written } from '../api/schema.ts';
import type { Decision } from '../core/route.ts';

/** A stored decision; its further members depend on the code that decided. */
export const keptDecision = named(
  'Decision',
  z
    .looseObject({
      route: text,
      route_version: text,
      seed: decimal,
      traits: z.looseObject({}).describe('The call, as far as the route considered it.'),
      candidates: z.array(
        z.looseObject({
          model: text,
          provider: text,
          upstream_model: text,
          credential: CREDENTIAL,
          role: text,
          expected_cost_usd: decimal.nullable().describe('The call’s expected cost there, in dollars.'),
          chance: decimal.nullable().describe('Chance of a good answer, as a smart route predicts it.'),
          left_out: z.object({ reason: text, detail: text }).nullable().describe('Why it was not used.'),
        }),
      ),
      order: z.array(count).describe('Indexes in `candidates`, in the order of attempts.'),
      because: z.array(text).describe('What determined the order.'),
    })
    .describe('How a route chose. Times are Unix milliseconds.'),
);

/** Members whose own members have names chosen by callers. */
const NAMED_BY_CALLERS = new Set(['metadata']);

/**
 * A stored decision for people and programs, with names in snake case. Times are Unix milliseconds, amounts dollars.
 *
 * @param credentials - true if the names of credentials are shown
 */
export function decisionJson(decision: Decision, credentials: boolean): Written<typeof keptDecision> {
  return membersOf(decision, credentials) as Written<typeof keptDecision>;
}

const NANO = 1e9;

function membersOf(value: object, credentials: boolean): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (name === 'credential' && !credentials) continue;
    if (name === 'expectedCost') {
      json.expected_cost_usd = typeof member === 'number' ? member / NANO : null;
      continue;
    }
    json[snakeCase(name)] = NAMED_BY_CALLERS.has(name) ? member : shown(member, credentials);
  }
  return json;
}

function shown(value: unknown, credentials: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => shown(each, credentials));
  return typeof value === 'object' && value !== null ? membersOf(value, credentials) : value;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
