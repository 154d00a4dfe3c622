import { existsSync } from 'node:fs';
import type { Command } from './command.ts';
import { OperatorError } from './failure.ts';

export const configCheck: Command = {
  name: 'config check',
  about: 'Tell whether the configuration is good, or every mistake in it with its place.',
  argument: { value: 'FILE', about: 'The file to check; left out, the one that a start would read.', required: false },
  options: {},
  examples: ['headgate config check', 'headgate config check ./new.yaml'],
  async run({ argument, where, tools }) {
    if (argument !== undefined && !existsSync(argument)) throw new OperatorError(`There is no file ${argument}.`);
    const { config, notices } = tools.readSetup({ ...where, config: argument ?? where.config });
    const verdict =
      config.file === null
        ? 'There is no configuration file; what the environment says is fine.'
        : `${config.file}: fine`;
    return {
      text: [verdict, ...notices.map((notice) => `  ${notice}`)].join('\n'),
      json: { object: 'config_check', file: config.file, ok: true, notices },
    };
  },
};
