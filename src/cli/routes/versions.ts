import type { KeptModel } from '../../core/ports.ts';
import type { Command } from '../command.ts';
import { OperatorError } from '../failure.ts';
import { readData } from '../stored.ts';
import { type Column, table } from '../table.ts';
import { timeText } from '../words.ts';
import { checkSmart, routeOf, servedRoutes } from './route-of.ts';

/** As rules before any label are named. */
const RULES = 'rules';

const COLUMNS: readonly Column<KeptModel>[] = [
  { title: 'VERSION', of: ({ id }) => id },
  { title: 'TIME (UTC)', of: ({ createdAt }) => timeText(createdAt) },
  { title: 'LEARNED FROM', of: ({ source }) => source },
  { title: 'ROWS', of: ({ rows }) => `${rows}`, align: 'right' },
  { title: 'APGR', of: (model) => apgrOf(model), align: 'right' },
  { title: '', of: ({ live }) => (live ? 'live' : '') },
];

export const routesVersions: Command = {
  name: 'routes versions',
  about: 'Show what a smart route has learned so far, newest first, and which version is live.',
  argument: { value: 'ROUTE', about: 'The id of the route.', required: true },
  options: {},
  examples: ['headgate routes versions acme/auto'],
  async run({ argument = '', where, tools }) {
    const setup = tools.readSetup(where);
    const route = routeOf(await servedRoutes(tools, setup), argument);
    checkSmart(route);
    const { kept, notes } = await readData(tools, setup, ({ models }) => models.list(route.id));
    const models = kept ?? [];
    const none = `${route.id} has learned nothing yet: it goes by rules.`;
    const isLive = models.some(({ live }) => live);
    return {
      text: models.length === 0 ? none : table(COLUMNS, models),
      json: { object: 'list', data: models.map(modelJson), live: models.find(({ live }) => live)?.id ?? RULES },
      notes: [...notes, ...(models.length > 0 && !isLive ? [`None is live: ${route.id} goes by rules.`] : [])],
    };
  },
};

export const routesRollback: Command = {
  name: 'routes rollback',
  about: 'Put an earlier version of what a smart route has learned in force again.',
  details: 'A gateway that runs on the same data asks it at once.',
  argument: { value: 'ROUTE', about: 'The id of the route.', required: true },
  second: {
    value: 'VERSION',
    about: `Which; left out, the one before the live one. “${RULES}”: none, as before any label.`,
    required: false,
  },
  options: {},
  examples: ['headgate routes rollback acme/auto', 'headgate routes rollback acme/auto acme/auto@2'],
  async run({ argument = '', second, where, tools }) {
    const setup = tools.readSetup(where);
    const route = routeOf(await servedRoutes(tools, setup), argument);
    checkSmart(route);
    const storage = await tools.openStorage(setup);
    try {
      const models = await storage.models.list(route.id);
      const version = second === RULES ? null : (second ?? before(models));
      if (version !== null && !models.some(({ id }) => id === version)) {
        const known = models.map(({ id }) => id).join(', ');
        throw new OperatorError(`${route.id} has no version ${version}. It has: ${known === '' ? 'none yet' : known}.`);
      }
      await storage.models.enforce(route.id, version);
      return {
        text: version === null ? `${route.id} goes by rules now.` : `${version} is live now.`,
        json: { object: 'route.model', route: route.id, live: version ?? RULES },
      };
    } finally {
      await storage.close();
    }
  },
};

/** The version before the live one, newest first; rules where there is none. */
function before(models: readonly KeptModel[]): string | null {
  const live = models.findIndex((model) => model.live);
  return live < 0 ? null : (models[live + 1]?.id ?? null);
}

function apgrOf({ evaluation }: KeptModel): string {
  const { gap } = JSON.parse(evaluation) as { gap: { apgr: number } | null };
  return gap === null ? '-' : gap.apgr.toFixed(3);
}

function modelJson({ id, createdAt, source, rows, live, evaluation }: KeptModel): Record<string, unknown> {
  return {
    id,
    object: 'route.model',
    created_at: Math.floor(createdAt / 1000),
    source,
    rows,
    live,
    evaluation: JSON.parse(evaluation) as unknown,
  };
}
