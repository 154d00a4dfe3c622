import { existsSync } from 'node:fs';
import { unpricedSentence } from '../core/unpriced.ts';
import { Api } from './api.ts';
import type { Command } from './command.ts';
import { OperatorError } from './failure.ts';
import { offeredModels } from './process.ts';
import type { Toolbox } from './toolbox.ts';

export const configCheck: Command = {
  name: 'config check',
  about: 'Check the configuration and show every mistake with its place.',
  argument: { value: 'FILE', about: 'File to check (default: the one that a start would read).', required: false },
  options: {},
  examples: ['headgate config check', 'headgate config check ./new.yaml'],
  async run({ argument, where, tools }) {
    if (argument !== undefined && !existsSync(argument)) throw new OperatorError(`There is no file ${argument}.`);
    const api = new Api(tools, { ...where, config: argument ?? where.config }, null);
    const { config, notices: read } = api.setup;
    const notices = [...read, ...(await unpricedNotices(api, tools))];
    const verdict =
      config.file === null ? 'There is no configuration file. The environment is valid.' : `${config.file}: fine`;
    return {
      text: [verdict, ...notices.map((notice) => `  ${notice}`)].join('\n'),
      json: { object: 'config_check', file: config.file, ok: true, notices },
    };
  },
};

/**
 * Targets that budgets would skip. The running gateway is asked for prices of the settings, because this command opens
 * no store.
 */
async function unpricedNotices(api: Api, tools: Toolbox): Promise<string[]> {
  const unpriced = await tools.unpriced(api.setup);
  if (unpriced.length === 0) return [];
  const { data: models } = await offeredModels(api);
  const priced = new Set(
    models
      .filter(({ pricing }) => pricing.input_per_1m !== null && pricing.output_per_1m !== null)
      .flatMap(({ id, provider, aliases }) => [id, `${provider}/${id}`, ...aliases]),
  );
  return unpriced.flatMap((each) => {
    const left = each.models.filter((model) => !priced.has(model));
    return left.length === 0 ? [] : [unpricedSentence({ ...each, models: left })];
  });
}
