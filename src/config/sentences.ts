import type * as z from 'zod';
import type { Path } from './problems.ts';
import { settingsWithin } from './setting-names.ts';
import { suggestion } from './suggestion.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of settings',
  record: 'a map of settings',
};

const IN_SETTINGS = (command: string) =>
  `it is kept in the settings; use “headgate ${command}”, the console or the API`;
const VENDORS = 'list vendors under “providers”, and names of your own under “aliases” or “routes”';

/** Names that other gateways, or people, expect at the top of the file, and where the thing is. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  model_list: VENDORS,
  model_groups: VENDORS,
  general_settings: 'the gateway’s own settings stand under “server”, “limits” and “timeouts”',
  litellm_settings: 'the gateway’s own settings stand under “server”, “limits” and “timeouts”',
  router_settings: 'retries, strategies and fallbacks stand in a route, under “routes”',
  fallbacks: 'fallbacks stand in a route, under “routes”',
  environment_variables: 'the environment of the gateway’s process is used; write a reference where a value is wanted',
  budgets: IN_SETTINGS('budgets set'),
  keys: IN_SETTINGS('keys create'),
  api_keys: IN_SETTINGS('keys create'),
  virtual_keys: IN_SETTINGS('keys create'),
  teams: IN_SETTINGS('projects create'),
  projects: IN_SETTINGS('projects create'),
  users: IN_SETTINGS('invites create'),
  webhooks: 'it is kept in the settings; use the console or the API',
};

/** The default message of a schema issue, in place of zod's. It contains no value. */
export function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return undefined;
  if (issue.input === undefined) return 'must be given';
  if (issue.input === null) return 'has no value: write one, or omit the setting';
  const wanted = issue.code === 'invalid_type' ? KINDS[issue.expected] : 'a name, or a map of settings';
  const hint = wanted === 'text' ? ': put it in quotes' : '';
  return `must be ${wanted}, not ${kindOf(issue.input)}${isScalar(issue.input) ? hint : ''}`;
}

/** One path and message per fault: a value of the wrong type is not also reported as too short. */
export function explain(issues: readonly z.core.$ZodIssue[], around: Path = []): ExplainedIssue[] {
  const first = new Map<string, ExplainedIssue>();
  for (const each of explainAll(issues, around)) {
    const place = JSON.stringify(each.path);
    if (!first.has(place)) first.set(place, each);
  }
  return [...first.values()];
}

type ExplainedIssue = { path: Path; message: string };

function explainAll(issues: readonly z.core.$ZodIssue[], around: Path): ExplainedIssue[] {
  return issues.flatMap((issue) => {
    const path = [...around, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))];
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(path, key) }));
      case 'invalid_key':
        return [{ path, message: issue.issues[0]?.message ?? issue.message }];
      case 'invalid_union': {
        const meant = issue.errors.find((branch) => !branch.some(isOtherKind));
        return meant === undefined ? [{ path, message: issue.message }] : explainAll(meant, path);
      }
      default:
        return [{ path, message: issue.message }];
    }
  });
}

function unknownKey(around: Path, key: string): string {
  const elsewhere = around.length === 0 && Object.hasOwn(ELSEWHERE, key) ? ELSEWHERE[key] : undefined;
  if (elsewhere !== undefined) return `is not a setting: ${elsewhere}`;
  return `is not a setting${suggestion(key, settingsWithin(around))}`;
}

/** True if the value has another type than this branch of a union, so that the branch was not meant. */
function isOtherKind(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return KINDS.array!;
  return KINDS[typeof value] ?? 'something else';
}
