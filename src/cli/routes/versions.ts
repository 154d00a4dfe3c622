import { type Api, textOf } from '../api.ts';
import type { Command, CommandAnswer } from '../command.ts';
import { OperatorError, UsageError } from '../failure.ts';
import { timeText } from '../phrases.ts';
import { table } from '../table.ts';
import { RULES, rollBackLearned, showLearned } from './learned.ts';
import { listVersions, ofRoute, pathOf, type ShownRoute, type ShownVersion, versionId } from './route-of.ts';

const ROUTE = { value: 'ROUTE', about: 'The id of the route.', required: true } as const;
const VERSION = { value: 'VERSION', about: 'Version number or id, as shown by “routes versions”.' } as const;
const IN_FORCE = 'A running gateway on the same data uses it within a second.';

export const routesVersions: Command = {
  name: 'routes versions',
  about: 'List the versions of a stored route, oldest first, and show which are in use.',
  details: 'With --learned, what a smart route has learned so far, newest first, and which of it is live.',
  argument: ROUTE,
  options: { learned: { value: null, about: 'Show what a smart route has learned instead.' } },
  examples: ['headgate routes versions acme/fast', 'headgate routes versions acme/auto --learned'],
  async run(call) {
    const { argument: id = '', flags, api } = call;
    if (flags.has('learned')) return showLearned(call);
    const route = await findRoute(api, id);
    const data = await listVersions(api, id);
    const columns = [
      { title: 'NUMBER', of: ({ number }: ShownVersion) => `${number}`, align: 'right' as const },
      { title: 'ID', of: ({ id: own }: ShownVersion) => own },
      { title: 'TIME (UTC)', of: ({ created_at: time }: ShownVersion) => timeText(time * 1000) },
      { title: 'BY', of: writerOf },
      { title: 'VERSION', of: (version: ShownVersion) => version.definition_version },
      { title: 'STATE', of: (version: ShownVersion) => stateOf(version, route) || '-' },
      { title: 'NOTE', of: ({ note }: ShownVersion) => note ?? '-' },
    ];
    const { version_in_force, version_before, canary } = route;
    return {
      text:
        route.from === 'file'
          ? `${id} is a route of the configuration, whose versions are in its file.`
          : table(columns, data),
      json: { object: 'list', data, version_in_force, version_before, canary },
    };
  },
};

export const routesDiff: Command = {
  name: 'routes diff',
  about: 'Show the differences between two versions of a stored route.',
  argument: ROUTE,
  second: { ...VERSION, required: true },
  options: { from: { ...VERSION, about: 'Version to compare with (default: the one in force).' } },
  examples: ['headgate routes diff acme/fast 3', 'headgate routes diff acme/fast 3 --from 1'],
  async run({ argument: id = '', second: to = '', values: { from }, api }) {
    const query = textOf({ from: from === undefined ? undefined : await versionId(api, id, from) });
    const path = `${pathOf(id)}/versions/${encodeURIComponent(await versionId(api, id, to))}/diff${query}`;
    const json = await ofRoute(api, id, api.get<{ changes: readonly ShownChange[] }>(path));
    const lines = json.changes.flatMap(({ path: member, before, after }) => [
      member,
      ...(before === undefined ? [] : [`  - ${JSON.stringify(before)}`]),
      ...(after === undefined ? [] : [`  + ${JSON.stringify(after)}`]),
    ]);
    return { text: lines.length === 0 ? 'The versions are the same.' : lines.join('\n'), json };
  },
};

/** A member in which two definitions differ; `undefined` if one lacks it. */
type ShownChange = { path: string; before?: unknown; after?: unknown };

export const routesCanary: Command = {
  name: 'routes canary',
  about: 'Use another version of a stored route for a share of the conversations, or end that.',
  details: `Each conversation stays with its version. ${IN_FORCE}`,
  argument: ROUTE,
  second: { ...VERSION, about: 'Version number or id; “none” ends the canary.', required: true },
  options: { share: { value: 'SHARE', about: 'Share of the conversations, above 0 and below 1.' } },
  examples: ['headgate routes canary acme/fast 3 --share 0.1', 'headgate routes canary acme/fast none'],
  async run({ argument: id = '', second: version = '', values, api }) {
    if (version === 'none') {
      if (values.share !== undefined) throw new UsageError('“none” ends the canary and takes no --share.');
      return change(api, id, { canary: null }, `All calls of ${id} use the version in force.`);
    }
    const share = shareOf(values.share);
    const canary = { version_id: await versionId(api, id, version), share };
    const text = `${percentOf(share)} of the conversations of ${id} use version ${version}. To use it for all: headgate routes promote ${id}`;
    return change(api, id, { canary }, text);
  },
};

export const routesPromote: Command = {
  name: 'routes promote',
  about: 'Put a version of a stored route in force for all calls.',
  details: `A canary of that version ends. ${IN_FORCE}`,
  argument: ROUTE,
  second: { ...VERSION, about: 'Version number or id (default: the canary’s version).', required: false },
  options: {},
  examples: ['headgate routes promote acme/fast', 'headgate routes promote acme/fast 3'],
  async run({ argument: id = '', second: version, api }) {
    const wanted = version === undefined ? await canaryOf(api, id) : await versionId(api, id, version);
    return change(api, id, { version_in_force: wanted }, `${id} now uses version ${version ?? wanted}.`);
  },
};

async function canaryOf(api: Api, id: string): Promise<string> {
  const route = await findRoute(api, id);
  if (route.canary !== null) return route.canary.version_id;
  // The API refuses a route of the file.
  if (route.from === 'file') return 'none';
  throw new OperatorError(`The route ${id} has no canary. Name the version to put in force.`);
}

export const routesRollback: Command = {
  name: 'routes rollback',
  about: 'Restore the previous version of a stored route.',
  details: `${IN_FORCE}\nWith --learned, restores an earlier learned model of a smart route.`,
  argument: ROUTE,
  second: {
    value: 'VERSION',
    about: `With --learned: the version (default: the one before the live one); “${RULES}” for none.`,
    required: false,
  },
  options: { learned: { value: null, about: 'Restore a learned model instead of a definition.' } },
  examples: [
    'headgate routes rollback acme/fast',
    'headgate routes rollback acme/auto --learned',
    'headgate routes rollback acme/auto acme/auto@2 --learned',
  ],
  async run(call) {
    const { argument: id = '', second, flags, api } = call;
    if (flags.has('learned')) return rollBackLearned(call);
    if (second !== undefined)
      throw new UsageError(
        `A rollback restores the previous version. To use ${second}: headgate routes promote ${id} ${second}`,
      );
    const json = await ofRoute(api, id, api.post<ShownRoute>(`${pathOf(id)}/rollback`));
    return { text: `${id} uses version ${json.version_in_force} again.`, json };
  },
};

function findRoute(api: Api, id: string): Promise<ShownRoute> {
  return ofRoute(api, id, api.get<ShownRoute>(pathOf(id)));
}

async function change(api: Api, id: string, edit: object, text: string): Promise<CommandAnswer> {
  const json = await ofRoute(api, id, api.post<ShownRoute>(pathOf(id), edit));
  return { text, json };
}

function shareOf(text: string | undefined): number {
  const share = text === undefined ? Number.NaN : Number(text);
  if (share > 0 && share < 1) return share;
  throw new UsageError('--share must be a number above 0 and below 1, such as 0.1.');
}

/** `25 %`. */
function percentOf(share: number): string {
  return `${Number((share * 100).toFixed(6))} %`;
}

function stateOf({ id }: ShownVersion, { version_in_force: used, version_before: before, canary }: ShownRoute): string {
  if (id === used) return 'in force';
  if (canary !== null && id === canary.version_id) return `canary, ${percentOf(canary.share)}`;
  return id === before ? 'before' : '';
}

/** A person's address, a key's id, or `operator`. */
function writerOf({ created_by: by }: ShownVersion): string {
  return by === null ? '-' : (by.email ?? by.id ?? by.type);
}
