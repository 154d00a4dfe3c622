import type { Command } from './command.ts';
import { newsJson, newsText } from './news.ts';

export const serve: Command = {
  name: 'serve',
  about: 'Run the gateway until a signal ends it.',
  details: [
    'SIGTERM and SIGINT end it once open calls have ended. SIGHUP, or a change of the configuration file, reloads the',
    'configuration. With --json it prints one JSON object a line: the first says where it serves, and the first API key',
    'where one was made.',
  ].join('\n'),
  options: {},
  examples: ['headgate serve', 'HEADGATE_PORT=9090 headgate serve --config ./headgate.yaml --data /var/lib/headgate'],
  run: ({ where, json, tools, terminal }) =>
    tools.serve(where, (news) => {
      if (json) terminal.print(JSON.stringify(newsJson(news)));
      else if (news.event === 'reload_refused') terminal.warn(newsText(news));
      else terminal.print(newsText(news));
    }),
};
