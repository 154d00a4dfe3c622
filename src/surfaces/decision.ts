import { z } from 'zod';
import type { Decision } from '../core/route.ts';
import { CREDENTIAL, count, decimal, named, text, type Written } from './schema.ts';

/** A decision as it is kept; which members stand beside these, the code that decided says. */
export const keptDecision = named(
  'Decision',
  z
    .looseObject({
      route: text,
      route_version: text,
      seed: decimal,
      traits: z.looseObject({}).describe('What the call was, as far as the route looked at it.'),
      candidates: z.array(
        z.looseObject({
          model: text,
          provider: text,
          upstream_model: text,
          credential: CREDENTIAL,
          role: text,
          expected_cost_usd: decimal.nullable().describe('What the call was expected to cost there, in dollars.'),
          chance: decimal.nullable().describe('Of a good answer, as a smart route expects it.'),
          left_out: z.object({ reason: text, detail: text }).nullable().describe('Why it was not used.'),
        }),
      ),
      order: z.array(count).describe('Places in `candidates`, in the order in which they were to be tried.'),
      because: z.array(text).describe('What the order came of.'),
    })
    .describe('How a route chose, as it is kept. Times are Unix milliseconds.'),
);

/** Members whose own members are named by callers. */
const NAMED_BY_CALLERS = new Set(['metadata']);

/**
 * A decision as people and programs read it: as it is kept, member by member, with names in snake case. Times are Unix
 * milliseconds, amounts dollars.
 *
 * @param credentials whether the operator's names for its credentials are shown
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
