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
  about: 'Run the decisions of past calls through a draft of their route, and show what would change.',
  details: [
    'FILE has the definition alone, as it would stand below the route’s id in headgate.yaml, or a whole configuration with',
    'that route in it. Each call is decided anew from what was kept of it: what it was, how the targets did then, the same',
    'chance. What it was expected to cost then is held against what it would be expected to cost by the prices known now;',
    'quality, where a smart route predicted it then and would now. Providers that list their own models are asked for them.',
    'A version that is kept can stand in the place of a draft; with neither, it is the route as it is in force.',
  ].join('\n'),
  argument: { value: 'ROUTE', about: 'The id of the route.', required: true },
  options: {
    draft: { value: 'FILE', about: 'The draft, in YAML.' },
    by: { value: 'VERSION', about: 'In its place a version of the route, by its number or id.' },
    since: { value: 'WHEN', about: `Calls from then on: a while ago (7d, 12h), or a date; left out, ${SINCE}.` },
    limit: { value: 'N', about: 'The first so many calls; left out, all.' },
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
    // Here, also where a gateway serves: thousands of decisions are no work for who answers calls.
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
        ...unasked.map((provider) => `${provider} did not say which models it has: none of them is a target here.`),
      ],
    };
  },
};

function draftFor({ values: { draft: file, by: version }, tools }: CommandCall, setup: CommandSetup, id: string) {
  if (file === undefined) return perform(tools, setup, draftVersionTask, { id, version: version ?? null });
  if (version !== undefined)
    throw new UsageError('--draft and --by name two things that calls are to be decided by: give one.');
  return perform(tools, setup, draftRouteTask, { id, text: readNamedFile(file), file, isTyped: false });
}

function sinceOf(text = SINCE, now: number): number {
  const from = momentOf(text, now, 'ago');
  if (from !== null) return from;
  throw new UsageError('--since must be a while ago such as 7d or 12h, or a date such as 2026-11-01.');
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError('--limit must be a whole number above 0.');
}
