import { ReplaySums, replayCalls, replayJson } from '../../core/replay.ts';
import { draftVersionTask } from '../../tasks/route-versions.ts';
import { directoryOf, draftRouteTask } from '../../tasks/routes.ts';
import type { Command, CommandCall } from '../command.ts';
import { UsageError } from '../failure.ts';
import { readNamedFile } from '../named-file.ts';
import { perform, readData } from '../perform.ts';
import { countText, timeText, unixSeconds } from '../phrases.ts';
import type { CommandSetup } from '../toolbox.ts';
import { momentOf } from '../when.ts';
import { replayText } from './replay-summary.ts';

const SINCE = '7d';

export const routesReplay: Command = {
  name: 'routes replay',
  about: 'Decide past calls again by a draft of their route, and show what would change.',
  details: [
    'FILE has the definition, as it would be below the route’s id in headgate.yaml, or a complete configuration with that',
    'route. Each call is decided again from its record: its features, the health of the targets then, the same random',
    'numbers. Expected costs then and now are compared at the prices known now, and expected quality if a smart route',
    'predicted it then and would now. Providers with model lists of their own are asked for them.',
    'A stored version can be used instead of a draft; with neither, the version in force is used.',
  ].join('\n'),
  argument: { value: 'ROUTE', about: 'The id of the route.', required: true },
  options: {
    draft: { value: 'FILE', about: 'Draft in YAML.' },
    by: { value: 'VERSION', about: 'A version of the route instead, by number or id.' },
    since: { value: 'WHEN', about: `Calls since then: a duration (7d, 12h) or a date (default: ${SINCE}).` },
    limit: { value: 'N', about: 'Only the first calls (default: all).' },
  },
  examples: [
    'headgate routes replay acme/fast --draft fast.yaml --since 7d',
    'headgate routes replay acme/fast --by 3 --limit 10000 --json',
  ],
  async run(call) {
    const { argument: id = '', values, where, tools } = call;
    const from = sinceOf(values.since, tools.clock.now());
    const limit = limitOf(values.limit);
    const setup = tools.readSetup(where);
    const { answer: drafted } = await draftFor(call, setup, id);
    const { route, unasked } = drafted;
    // Always in this process: thousands of decisions would delay the gateway's calls.
    const replayed = await readData(tools, setup, async (storage) => {
      const change = await tools.replayer(storage, route, directoryOf(drafted));
      return replayCalls(storage.calls, { routeId: id, from, limit, isOver: () => false }, change);
    });
    const summary = replayed.kept ?? new ReplaySums().result();
    const since = `since ${timeText(from)} UTC`;
    return {
      text:
        summary.calls === 0
          ? `No call of ${id} was decided ${since}.`
          : `${countText(summary.calls, 'call')} of ${id} ${since}, by the draft ${route.version}\n\n${replayText(summary)}`,
      json: {
        object: 'route.replay',
        route: id,
        draft_version: route.version,
        since: unixSeconds(from),
        ...replayJson(summary),
      },
      notes: [
        ...replayed.notes,
        ...unasked.map((provider) => `${provider} did not list its models, so none of them is a target here.`),
      ],
    };
  },
};

function draftFor({ values: { draft: file, by: version }, tools }: CommandCall, setup: CommandSetup, id: string) {
  if (file === undefined) return perform(tools, setup, draftVersionTask, { id, version: version ?? null });
  if (version !== undefined) throw new UsageError('--draft and --by cannot be used together.');
  return perform(tools, setup, draftRouteTask, { id, text: readNamedFile(file), file, isTyped: false });
}

function sinceOf(text = SINCE, now: number): number {
  const from = momentOf(text, now, 'ago');
  if (from !== null) return from;
  throw new UsageError('--since must be a duration such as 7d or 12h, or a date such as 2026-11-01.');
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError('--limit must be a whole number above 0.');
}
