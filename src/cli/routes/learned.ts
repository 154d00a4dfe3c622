import type { KeptModel } from '../../core/route-store.ts';
import type { CommandAnswer, CommandCall } from '../command.ts';
import { readData } from '../data.ts';
import { OperatorError } from '../failure.ts';
import { timeText } from '../phrases.ts';
import { type Column, table } from '../table.ts';
import { smartRoute } from './route-of.ts';

/** Shown if the route uses its rules, before it has learned anything. */
export const RULES = 'rules';

const COLUMNS: readonly Column<KeptModel>[] = [
  { title: 'VERSION', of: ({ id }) => id },
  { title: 'TIME (UTC)', of: ({ createdAt }) => timeText(createdAt) },
  { title: 'LEARNED FROM', of: ({ source }) => source },
  { title: 'ROWS', of: ({ rows }) => `${rows}`, align: 'right' },
  { title: 'APGR', of: (model) => apgrOf(model), align: 'right' },
  { title: '', of: ({ live }) => (live ? 'live' : '') },
];

/** What a smart route has learned, newest first. */
export async function showLearned({ argument = '', tools, api }: CommandCall): Promise<CommandAnswer> {
  const { setup } = api;
  const route = await smartRoute(api, argument);
  const { kept, notes } = await readData(tools, setup, ({ models }) => models.list(route.id));
  const models = kept ?? [];
  const none = `${route.id} has learned nothing yet and uses its rules.`;
  const isLive = models.some(({ live }) => live);
  return {
    text: models.length === 0 ? none : table(COLUMNS, models),
    json: { object: 'list', data: models.map(modelJson), live: models.find(({ live }) => live)?.id ?? RULES },
    notes: [...notes, ...(models.length > 0 && !isLive ? [`None is live: ${route.id} uses its rules.`] : [])],
  };
}

/** Puts a learned model of a smart route in force: the named version, else the one before the live one. */
export async function rollBackLearned({ argument = '', second, tools, api }: CommandCall): Promise<CommandAnswer> {
  const { setup } = api;
  const route = await smartRoute(api, argument);
  const storage = await tools.openStorage(setup);
  try {
    const models = await storage.models.list(route.id);
    const version = second === RULES ? null : (second ?? before(models));
    if (version !== null && !models.some(({ id }) => id === version)) {
      const known = models.map(({ id }) => id).join(', ');
      throw new OperatorError(`${route.id} has no version ${version}. Versions: ${known === '' ? 'none yet' : known}.`);
    }
    await storage.models.enforce(route.id, version);
    return {
      text: version === null ? `${route.id} now uses its rules.` : `${version} is now live.`,
      json: { object: 'route.model', route: route.id, live: version ?? RULES },
    };
  } finally {
    await storage.close();
  }
}

/** The version before the live one; its rules if there is none. */
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
