import type { OfferedModel } from '../../core/operator.ts';
import { utcDay } from '../../core/utc-day.ts';
import type { Command } from '../command.ts';
import { nothingKept } from '../perform.ts';
import { dollarsText } from '../phrases.ts';
import { type Column, table } from '../table.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';

const columnsOn = (today: string): readonly Column<OfferedModel>[] => [
  { title: 'MODEL', of: ({ id }) => id },
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'CONTEXT', of: ({ context_window }) => `${context_window ?? '-'}`, align: 'right' },
  { title: 'IN/1M', of: ({ pricing }) => dollarsText(pricing.input_per_1m), align: 'right' },
  { title: 'OUT/1M', of: ({ pricing }) => dollarsText(pricing.output_per_1m), align: 'right' },
  { title: 'NOTE', of: (model) => noteOf(model, today) },
];

/** What else decides whether somebody wants a model: that it is gone or will be, and that its price is another one's. */
function noteOf({ shut_down_at: day, unlisted_since: since, pricing }: OfferedModel, today: string): string {
  return [
    ...(day == null ? [] : [day <= today ? `shut down on ${day}` : `will be shut down on ${day}`]),
    ...(since == null ? [] : [`not listed by its vendor since ${since}`]),
    ...(pricing.inferred_from == null ? [] : [`billed as ${pricing.inferred_from}`]),
  ].join('; ');
}

/** Whether anything can be called beside what the gateway answers itself. */
async function hasVendor(tools: Toolbox, setup: CommandSetup): Promise<boolean> {
  return (await tools.offered(setup, {})).models.some(({ provider }) => provider !== 'echo');
}

export const catalogList: Command = {
  name: 'catalog list',
  about: 'Show the models that can be called, and what they cost.',
  details: [
    'IN/1M and OUT/1M are dollars per million tokens, “-” where nobody has said; a dated name is billed as the model that',
    'it is a version of. Where a gateway serves this data, it is what that serves now; else what this configuration says,',
    'and what vendors have said to a gateway of this data before.',
  ].join('\n'),
  options: {
    provider: { value: 'NAME', about: 'Only models of this provider.' },
    search: { value: 'TEXT', about: 'Only models with this in an id, a name or a provider’s label.' },
  },
  examples: ['headgate catalog list --search mini', 'headgate catalog list --provider openai --json'],
  async run({ values: { provider, search }, where, tools }) {
    const setup = tools.readSetup(where);
    const filter = { ...(provider !== undefined && { provider }), ...(search !== undefined && { search }) };
    const { models, unasked } = await tools.offered(setup, filter);
    const isNobodyOn = models.length === 0 && unasked.length === 0 && !(await hasVendor(tools, setup));
    return {
      text: models.length === 0 ? 'No model is like that.' : table(columnsOn(utcDay(tools.clock.now())), models),
      json: { object: 'list', data: models },
      notes: [
        ...(setup.hasData ? [] : [`${nothingKept(setup)} This is what a gateway started here would serve.`]),
        ...(isNobodyOn ? ['No vendor is on: set a key such as OPENAI_API_KEY, or name one in headgate.yaml.'] : []),
        ...unasked.map((id) => `${id} lists its own models; a running gateway asks it for them.`),
      ],
    };
  },
};
