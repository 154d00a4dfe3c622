import type { Decision } from '../core/route.ts';

/** Members whose own members are named by callers. */
const NAMED_BY_CALLERS = new Set(['metadata']);

/**
 * A decision as people and programs read it: as it is kept, member by member, with names in snake case. Times are Unix
 * milliseconds, amounts nano-dollars.
 *
 * @param credentials whether the operator's names for its credentials are shown
 */
export function decisionJson(decision: Decision, credentials: boolean): Record<string, unknown> {
  return membersOf(decision, credentials);
}

function membersOf(value: object, credentials: boolean): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (name === 'credential' && !credentials) continue;
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
