import type { OfferedModel } from '../../core/operator.ts';
import type { Command } from '../command.ts';
import { type Column, table } from '../table.ts';
import { dollarsText } from '../words.ts';

const COLUMNS: readonly Column<OfferedModel>[] = [
  { title: 'MODEL', of: ({ id }) => id },
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'CONTEXT', of: ({ context_window }) => `${context_window ?? '-'}`, align: 'right' },
  { title: 'IN/1M', of: ({ pricing }) => dollarsText(pricing.input_per_1m), align: 'right' },
  { title: 'OUT/1M', of: ({ pricing }) => dollarsText(pricing.output_per_1m), align: 'right' },
];

export const catalogList: Command = {
  name: 'catalog list',
  about: 'Show the models that can be called, and what they cost.',
  details: [
    'IN/1M and OUT/1M are dollars per million tokens, “-” where nobody has said. Where a gateway serves this data, they are',
    'what it serves now; else what this configuration says, and what vendors have said to a gateway of this data before.',
  ].join('\n'),
  options: {
    provider: { value: 'NAME', about: 'Only models of this provider.' },
    search: { value: 'TEXT', about: 'Only models with this in an id, a name or a provider’s label.' },
  },
  examples: ['headgate catalog list --search mini', 'headgate catalog list --provider openai --json'],
  async run({ values: { provider, search }, where, tools }) {
    const { models, unasked } = await tools.offered(tools.readSetup(where), {
      ...(provider !== undefined && { provider }),
      ...(search !== undefined && { search }),
    });
    return {
      text: models.length === 0 ? 'No model is like that.' : table(COLUMNS, models),
      json: { object: 'list', data: models },
      notes: unasked.map((id) => `${id} lists its own models; a running gateway asks it for them.`),
    };
  },
};
