import { isWanted } from '../../core/catalog-filter.ts';
import type { CatalogEntry } from '../../core/provider.ts';
import type { Command } from '../command.ts';
import { type Column, table } from '../table.ts';
import { rateText } from '../words.ts';

const COLUMNS: readonly Column<CatalogEntry>[] = [
  { title: 'MODEL', of: ({ id }) => id },
  { title: 'PROVIDER', of: ({ provider }) => provider.id },
  { title: 'CONTEXT', of: ({ model }) => `${model.contextWindow ?? '-'}`, align: 'right' },
  { title: 'IN/1M', of: ({ model }) => rateText(model.price?.rates.input), align: 'right' },
  { title: 'OUT/1M', of: ({ model }) => rateText(model.price?.rates.output), align: 'right' },
];

export const catalogList: Command = {
  name: 'catalog list',
  about: 'Show the models that can be called with this configuration, and what they cost.',
  details: [
    'IN/1M and OUT/1M are dollars per million tokens, “-” where nobody has said. Nobody is asked: what vendors have said',
    'to a gateway of this data counts, and one that runs asks them again, and looks for servers on its own machine.',
  ].join('\n'),
  options: {
    provider: { value: 'NAME', about: 'Only models of this provider.' },
    search: { value: 'TEXT', about: 'Only models with this in an id, a name or a provider’s label.' },
  },
  examples: ['headgate catalog list --search mini', 'headgate catalog list --provider openai --json'],
  async run({ values, where, tools }) {
    const { directory, unasked } = await tools.knownModels(tools.readSetup(where));
    const found = directory.entries.filter((entry) =>
      isWanted(entry, { provider: values.provider, search: values.search }),
    );
    return {
      text: found.length === 0 ? 'No model is like that.' : table(COLUMNS, found),
      json: { object: 'list', data: found.map((entry) => tools.catalogEntryJson(entry, directory.find)) },
      notes: unasked.map((provider) => `${provider} lists its own models; a running gateway asks it for them.`),
    };
  },
};
