import { readFileSync } from 'node:fs';
import { readDraft } from '../../config/draft.ts';
import type { Storage } from '../../core/ports.ts';
import type { Decision } from '../../core/route.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { readData } from '../stored.ts';
import type { ReplayedCall } from '../toolbox.ts';
import { momentOf } from '../when.ts';
import { countText, timeText, unixSeconds } from '../words.ts';
import { contextBeside } from './change.ts';
import { ReplaySummary } from './replay-summary.ts';

const SINCE = '7d';

export const routesReplay: Command = {
  name: 'routes replay',
  about: 'Run the decisions of past calls through a draft of their route, and show what would change.',
  details: [
    'FILE has the definition alone, as it would stand below the route’s id in headgate.yaml, or a whole configuration with',
    'that route in it. Each call is decided anew from what was kept of it: what it was, how the targets did then, the same',
    'chance. What it was expected to cost then is held against what it would be expected to cost by the prices known now;',
    'quality, where a smart route predicted it then and would now. Providers that list their own models are asked for them.',
  ].join('\n'),
  argument: { value: 'ROUTE', about: 'The id of the route.', required: true },
  options: {
    draft: { value: 'FILE', about: 'The draft, in YAML.', required: true },
    since: { value: 'WHEN', about: `Calls from then on: a while ago (7d, 12h), or a date; left out, ${SINCE}.` },
    limit: { value: 'N', about: 'The first so many calls; left out, all.' },
  },
  examples: [
    'headgate routes replay acme/fast --draft fast.yaml --since 7d',
    'headgate routes replay acme/fast --draft fast.yaml --limit 10000 --json',
  ],
  async run({ argument: id = '', values, where, tools }) {
    const from = sinceOf(values.since, tools.clock.now());
    const limit = limitOf(values.limit);
    const file = values.draft ?? '';
    const text = readFileSync(file, 'utf8');
    const setup = tools.readSetup(where);
    const { directory, unasked } = await tools.askedModels(setup);
    const replayed = await readData(tools, setup, async (storage) => {
      const context = contextBeside(setup, await storage.routes.list());
      const { route } = readDraft({ text, file, env: tools.env, id, context });
      const change = await tools.replayer(storage, route, directory);
      const summary = await summarize(storage, { id, from, limit }, change);
      return { summary, version: route.version };
    });
    const { summary = new ReplaySummary(), version = null } = replayed.kept ?? {};
    const since = `since ${timeText(from)} UTC`;
    return {
      text:
        summary.calls === 0
          ? `No call of ${id} was decided ${since}.`
          : `${countText(summary.calls, 'call')} of ${id} ${since}, by the draft ${version}\n\n${summary.text()}`,
      json: { object: 'route.replay', route: id, draft_version: version, since: unixSeconds(from), ...summary.json() },
      notes: [
        ...replayed.notes,
        ...unasked.map((provider) => `${provider} did not say which models it has: none of them is a target here.`),
      ],
    };
  },
};

async function summarize(
  { calls }: Storage,
  { id, from, limit }: { id: string; from: number; limit: number },
  change: (decision: Decision) => ReplayedCall,
): Promise<ReplaySummary> {
  const summary = new ReplaySummary();
  for await (const batch of calls.decisions(id, from)) {
    for (const { decision } of batch) {
      if (summary.calls === limit) return summary;
      summary.add(change(decision));
    }
  }
  return summary;
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
