import { MAX_WORKERS } from '../config/config.ts';
import { printableJson } from '../core/printable-text.ts';
import type { Command, CommandCall } from './command.ts';
import { UsageError } from './failure.ts';
import { newsJson, newsText } from './news.ts';

const MAX_PORT = 65_535;

export const serve: Command = {
  name: 'serve',
  about: 'Run the gateway until it gets a signal.',
  details: [
    'SIGTERM and SIGINT end it once open calls have ended. SIGHUP, or a change of the configuration file, reloads the',
    'configuration. With --json it prints one JSON object per line; the first has its address, and the first API key',
    'if it was created.',
  ].join('\n'),
  options: {
    port: { value: 'N', about: 'Port to listen on, like HEADGATE_PORT; 0 for any free one.' },
    host: { value: 'HOST', about: 'Address to listen on, like HEADGATE_HOST; 0.0.0.0 for all of this machine.' },
    workers: { value: 'N', about: `Number of processes, like HEADGATE_WORKERS: 1 to ${MAX_WORKERS}.` },
  },
  examples: ['headgate serve', 'headgate serve --port 9090 --config ./headgate.yaml --data /var/lib/headgate'],
  run: ({ where, values, json, tools, terminal }) =>
    tools.serve(where, variablesOf(values), (news) => {
      if (json) terminal.print(printableJson(JSON.stringify(newsJson(news))));
      else if (news.event === 'reload_refused') terminal.warn(newsText(news));
      else terminal.print(newsText(news));
    }),
};

/** The options as environment variables. Throws a `UsageError` that names the faulty option. */
function variablesOf({ port, host, workers }: CommandCall['values']): Record<string, string> {
  return {
    ...(port !== undefined && { HEADGATE_PORT: wholeNumber('--port', port, 0, MAX_PORT) }),
    ...(host !== undefined && { HEADGATE_HOST: host }),
    ...(workers !== undefined && { HEADGATE_WORKERS: wholeNumber('--workers', workers, 1, MAX_WORKERS) }),
  };
}

function wholeNumber(option: string, text: string, least: number, most: number): string {
  if (/^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most) return text;
  throw new UsageError(`${option} must be a whole number, from ${least} to ${most}.`);
}
