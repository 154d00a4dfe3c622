import type { RouteState, Setting } from '../../core/settings.ts';
import {
  diffRouteVersionsTask,
  listRouteVersionsTask,
  promoteVersionTask,
  rollBackRouteTask,
  setCanaryTask,
} from '../../tasks/route-versions.ts';
import type { Command, CommandAnswer } from '../command.ts';
import { UsageError } from '../failure.ts';
import { actorText } from '../organization/audit.ts';
import { perform } from '../perform.ts';
import { timeText, unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';
import { RULES, rollBackLearned, showLearned } from './learned.ts';

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
    const { argument: id = '', flags, where, tools } = call;
    if (flags.has('learned')) return showLearned(call);
    const { answer } = await perform(tools, tools.readSetup(where), listRouteVersionsTask, { id });
    const { state, versions } = answer;
    const columns = [
      { title: 'NUMBER', of: ({ value }: Version) => `${value.number}`, align: 'right' as const },
      { title: 'ID', of: ({ id: own }: Version) => own },
      { title: 'TIME (UTC)', of: ({ createdAt }: Version) => timeText(createdAt) },
      { title: 'BY', of: ({ value }: Version) => writerOf(value) ?? '-' },
      { title: 'VERSION', of: ({ value }: Version) => value.version },
      { title: 'STATE', of: (version: Version) => stateOf(version, state) || '-' },
      { title: 'NOTE', of: ({ value }: Version) => value.note ?? '-' },
    ];
    return {
      text:
        state === null
          ? `${id} is a route of the configuration, whose versions are in its file.`
          : table(columns, versions),
      json: { object: 'list', data: versions.map((each) => versionJson(each, state)), ...stateJson(state) },
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
  async run({ argument: id = '', second: to = '', values: { from = null }, where, tools }) {
    const { answer } = await perform(tools, tools.readSetup(where), diffRouteVersionsTask, { id, to, from });
    const lines = answer.changes.flatMap(({ path, before, after }) => [
      path,
      ...(before === undefined ? [] : [`  - ${JSON.stringify(before)}`]),
      ...(after === undefined ? [] : [`  + ${JSON.stringify(after)}`]),
    ]);
    return {
      text: lines.length === 0 ? 'The versions are the same.' : lines.join('\n'),
      json: { object: 'route.diff', route: id, ...answer },
    };
  },
};

export const routesCanary: Command = {
  name: 'routes canary',
  about: 'Use another version of a stored route for a share of the conversations, or end that.',
  details: `Each conversation stays with its version. ${IN_FORCE}`,
  argument: ROUTE,
  second: { ...VERSION, about: 'Version number or id; “none” ends the canary.', required: true },
  options: { share: { value: 'SHARE', about: 'Share of the conversations, above 0 and below 1.' } },
  examples: ['headgate routes canary acme/fast 3 --share 0.1', 'headgate routes canary acme/fast none'],
  async run({ argument: id = '', second: version = '', values, where, tools }) {
    const canary = version === 'none' ? null : { version, share: shareOf(values.share) };
    if (canary === null && values.share !== undefined)
      throw new UsageError('“none” ends the canary and takes no --share.');
    const { answer } = await perform(tools, tools.readSetup(where), setCanaryTask, { id, canary });
    const text =
      canary === null
        ? `All calls of ${id} use the version in force.`
        : `${Number((canary.share * 100).toFixed(6))} % of the conversations of ${id} use version ${version}. To use it for all: headgate routes promote ${id}`;
    return steered(answer, text);
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
  async run({ argument: id = '', second: version = null, where, tools }) {
    const { answer } = await perform(tools, tools.readSetup(where), promoteVersionTask, { id, version });
    return steered(answer, `${id} now uses version ${version ?? answer.value.inForce}.`);
  },
};

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
    const { argument: id = '', second, flags, where, tools } = call;
    if (flags.has('learned')) return rollBackLearned(call);
    if (second !== undefined)
      throw new UsageError(
        `A rollback restores the previous version. To use ${second}: headgate routes promote ${id} ${second}`,
      );
    const { answer } = await perform(tools, tools.readSetup(where), rollBackRouteTask, { id });
    return steered(answer, `${id} uses version ${answer.value.inForce} again.`);
  },
};

type Version = Setting<'route_version'>;

function steered({ id, value }: Setting<'route'>, text: string): CommandAnswer {
  return { text, json: { id, object: 'route', ...stateJson(value) } };
}

function shareOf(text: string | undefined): number {
  const share = text === undefined ? Number.NaN : Number(text);
  if (share > 0 && share < 1) return share;
  throw new UsageError('--share must be a number above 0 and below 1, such as 0.1.');
}

function stateOf({ id }: Version, state: RouteState | null): string {
  if (state === null) return '';
  if (id === state.inForce) return 'in force';
  if (id === state.canary?.versionId) return `canary, ${Number((state.canary.share * 100).toFixed(6))} %`;
  return id === state.before ? 'before' : '';
}

function stateJson(state: RouteState | null) {
  const canary = state?.canary ?? null;
  return {
    version_in_force: state?.inForce ?? null,
    version_before: state?.before ?? null,
    canary: canary === null ? null : { version_id: canary.versionId, share: canary.share },
  };
}

function versionJson({ id, createdAt, value }: Version, state: RouteState | null) {
  return {
    id,
    object: 'route.version',
    number: value.number,
    created_at: unixSeconds(createdAt),
    created_by: writerOf(value),
    note: value.note,
    definition_version: value.version,
    in_force: state?.inForce === id,
    definition: JSON.parse(value.definition) as unknown,
  };
}

function writerOf({ by }: Version['value']): string | null {
  return by === null ? null : actorText(by);
}
