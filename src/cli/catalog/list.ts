import type { OfferedModel } from '../../core/operator.ts';
import { utcDay } from '../../core/utc-day.ts';
import type { Api } from '../api.ts';
import type { Command } from '../command.ts';
import { nothingKept } from '../data.ts';
import { dollarsText } from '../phrases.ts';
import { offeredModels } from '../process.ts';
import { type Column, table } from '../table.ts';

const columnsOn = (today: string): readonly Column<OfferedModel>[] => [
  { title: 'MODEL', of: ({ id }) => id },
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'CONTEXT', of: ({ context_window }) => `${context_window ?? '-'}`, align: 'right' },
  { title: 'IN/1M', of: ({ pricing }) => dollarsText(pricing.input_per_1m), align: 'right' },
  { title: 'OUT/1M', of: ({ pricing }) => dollarsText(pricing.output_per_1m), align: 'right' },
  { title: 'NOTE', of: (model) => noteOf(model, today) },
];

/** Notes on a model: its shutdown, and the model whose price it uses. */
function noteOf({ shut_down_at: day, unlisted_since: since, pricing }: OfferedModel, today: string): string {
  return [
    ...(day == null ? [] : [day <= today ? `shut down on ${day}` : `shuts down on ${day}`]),
    ...(since == null ? [] : [`not listed by its vendor since ${since}`]),
    ...(pricing.inferred_from == null ? [] : [`billed as ${pricing.inferred_from}`]),
  ].join('; ');
}

/** Whether anything besides built-in models can be called. */
async function hasVendor(api: Api): Promise<boolean> {
  return (await offeredModels(api)).data.some(({ provider }) => provider !== 'echo');
}

export const catalogList: Command = {
  name: 'catalog list',
  about: 'List the models that can be called, with their prices.',
  details: [
    'IN/1M and OUT/1M are dollars per million tokens, “-” if unknown. A dated name is billed as its base model.',
    'With a running gateway this is what it serves now, else what this configuration says,',
    'and what vendors have listed to a gateway on this data.',
  ].join('\n'),
  options: {
    provider: { value: 'NAME', about: 'Only models of this provider.' },
    search: { value: 'TEXT', about: 'Only models whose id, name or provider label contains this.' },
  },
  examples: ['headgate catalog list --search mini', 'headgate catalog list --provider openai --json'],
  async run({ values: { provider, search }, api, tools }) {
    const { setup } = api;
    const { data: models, unasked } = await offeredModels(api, { provider, search });
    const isNobodyOn = models.length === 0 && unasked.length === 0 && !(await hasVendor(api));
    return {
      text: models.length === 0 ? 'No model matches.' : table(columnsOn(utcDay(tools.clock.now())), models),
      json: { object: 'list', data: models },
      notes: [
        ...(setup.hasData ? [] : [`${nothingKept(setup)} A gateway started here would serve this.`]),
        ...(isNobodyOn
          ? ['No vendor is enabled. Set a key such as OPENAI_API_KEY, or add a provider to headgate.yaml.']
          : []),
        ...unasked.map((id) => `${id} has its own list of models. A running gateway reads it.`),
      ],
    };
  },
};
