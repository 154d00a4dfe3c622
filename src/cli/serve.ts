import { MAX_WORKERS } from '../config/config.ts';
import type { Command } from './command.ts';
import { UsageError } from './failure.ts';
import { newsJson, newsText } from './news.ts';

export const serve: Command = {
  name: 'serve',
  about: 'Run the gateway until a signal ends it.',
  details: [
    'SIGTERM and SIGINT end it once open calls have ended. SIGHUP, or a change of the configuration file, reloads the',
    'configuration. With --json it prints one JSON object a line: the first says where it serves, and the first API key',
    'where one was made.',
  ].join('\n'),
  options: { workers: { value: 'N', about: `How many processes serve, like HEADGATE_WORKERS: 1 to ${MAX_WORKERS}.` } },
  examples: ['headgate serve', 'HEADGATE_PORT=9090 headgate serve --config ./headgate.yaml --data /var/lib/headgate'],
  run: ({ where, values, json, tools, terminal }) =>
    tools.serve({ ...where, workers: workersOf(values.workers) }, (news) => {
      if (json) terminal.print(JSON.stringify(newsJson(news)));
      else if (news.event === 'reload_refused') terminal.warn(newsText(news));
      else terminal.print(newsText(news));
    }),
};

function workersOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const workers = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (workers >= 1 && workers <= MAX_WORKERS) return workers;
  throw new UsageError(`--workers must be a whole number, from 1 to ${MAX_WORKERS}.`);
}
