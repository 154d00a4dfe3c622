import { type ListedAlias, listAliasesTask, removeAliasTask, setAliasTask } from '../../tasks/names-and-prices.ts';
import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { perform } from '../perform.ts';
import { table } from '../table.ts';
import { placeOf } from './products.ts';

const OPTION_OF = { id: 'NAME', alias_id: 'NAME', target: 'TARGET' };

export const aliasesList: Command = {
  name: 'aliases list',
  about: 'List the aliases of the configuration file and of the settings.',
  options: {},
  examples: ['headgate aliases list'],
  async run({ where, tools }) {
    const { answer, notes } = await perform(tools, tools.readSetup(where), listAliasesTask, {});
    const columns = [
      { title: 'NAME', of: ({ id }: ListedAlias) => id },
      { title: 'TARGET', of: ({ target }: ListedAlias) => target },
      { title: 'LEADS TO', of: ({ leadsTo, off }: ListedAlias) => off ?? leadsTo ?? 'nowhere' },
      { title: 'SET IN', of: ({ place }: ListedAlias) => placeOf(place) },
    ];
    return {
      text:
        answer.length === 0 ? 'No aliases yet. Add one: headgate aliases set fast gpt-4o-mini' : table(columns, answer),
      json: { object: 'list', data: answer.map(aliasJson) },
      notes,
    };
  },
};

export const aliasesSet: Command = {
  name: 'aliases set',
  about: 'Point a name to a model or route. Calls may use it within a second.',
  argument: { value: 'NAME', about: 'The model name that callers send.', required: true },
  second: { value: 'TARGET', about: 'A model, a route, or another alias.', required: true },
  options: {},
  examples: ['headgate aliases set fast gpt-4o-mini'],
  async run({ argument: id = '', second: target = '', where, tools }) {
    const work = perform(tools, tools.readSetup(where), setAliasTask, { id, target });
    const { answer } = await inOptionsOf(OPTION_OF, work);
    const end = answer.leadsTo ?? `${target}, which does not exist now`;
    return { text: `${id} leads to ${end}.`, json: aliasJson(answer) };
  },
};

export const aliasesRemove: Command = {
  name: 'aliases remove',
  about: 'Remove an alias from the settings.',
  argument: { value: 'NAME', about: 'The alias.', required: true },
  options: {},
  examples: ['headgate aliases remove fast'],
  async run({ argument: id = '', where, tools }) {
    await inOptionsOf(OPTION_OF, perform(tools, tools.readSetup(where), removeAliasTask, { id }));
    return { text: `The alias ${id} is removed.`, json: { id, deleted: true } };
  },
};

function aliasJson({ id, target, leadsTo, off, place }: ListedAlias) {
  return { id, target, leads_to: leadsTo, off, set_in: place };
}
