import { at } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { UsageError } from '../failure.ts';
import { readNamedFile } from '../named-file.ts';
import { countText, timeText } from '../phrases.ts';
import { momentOf } from '../when.ts';
import { replayText, type ShownReplay } from './replay-summary.ts';
import { ofRoute, versionId } from './route-of.ts';

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
    const { argument: id = '', values, tools, api } = call;
    const from = Math.max(0, sinceOf(values.since, tools.clock.now()));
    const limit = limitOf(values.limit);
    const asked = { ...(await draftOf(call, id)), since: Math.floor(from / 1000), ...(limit !== null && { limit }) };
    const json = await ofRoute(api, id, api.post<ReplayOfRoute>(at`/v1/operator/routes/${id}/replay`, asked));
    const since = `since ${timeText(from)} UTC`;
    const isCut = !json.complete && json.calls !== limit;
    return {
      text:
        json.calls === 0
          ? `No call of ${id} was decided ${since}.`
          : `${countText(json.calls, 'call')} of ${id} ${since}, by the draft ${json.draft_version}\n\n${replayText(json)}`,
      json,
      notes: [
        ...(isCut
          ? ['Not all calls were decided again, because a running gateway ends a replay after 10 seconds.']
          : []),
        ...json.unasked.map((provider) => `${provider} did not list its models, so none of them is a target here.`),
      ],
    };
  },
};

type ReplayOfRoute = ShownReplay & { draft_version: string; unasked: readonly string[] };

async function draftOf({ values: { draft: file, by: version }, api }: CommandCall, id: string) {
  if (file === undefined) return version === undefined ? {} : { version_id: await versionId(api, id, version) };
  if (version !== undefined) throw new UsageError('--draft and --by cannot be used together.');
  return { draft: { text: readNamedFile(file), file } };
}

function sinceOf(text = SINCE, now: number): number {
  const from = momentOf(text, now, 'ago');
  if (from !== null) return from;
  throw new UsageError('--since must be a duration such as 7d or 12h, or a date such as 2026-11-01.');
}

function limitOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError('--limit must be a whole number above 0.');
}
