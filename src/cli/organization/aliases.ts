import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { table } from '../table.ts';
import { placeOf, type SettingPlace } from './set-in.ts';

const OPTION_OF = { id: 'NAME', alias_id: 'NAME', target: 'TARGET' };
const ALIASES = '/v1/organization/aliases';

type Alias = {
  id: string;
  target: string;
  leads_to: string | null;
  off: string | null;
  set_in: SettingPlace;
  origin: string;
};

export const aliasesList: Command = {
  name: 'aliases list',
  about: 'List the aliases of the configuration file and of the settings.',
  options: {},
  examples: ['headgate aliases list'],
  async run({ api }) {
    const { data } = await api.list<Alias>(ALIASES);
    const columns = [
      { title: 'NAME', of: ({ id }: Alias) => id },
      { title: 'TARGET', of: ({ target }: Alias) => target },
      { title: 'LEADS TO', of: ({ leads_to: leadsTo, off }: Alias) => off ?? leadsTo ?? 'nowhere' },
      { title: 'SET IN', of: (each: Alias) => placeOf(each.set_in) },
    ];
    const none = 'No aliases yet. Add one: headgate aliases set fast gpt-4o-mini';
    return { text: data.length === 0 ? none : table(columns, data), json: { object: 'list', data } };
  },
};

export const aliasesSet: Command = {
  name: 'aliases set',
  about: 'Point a name to a model or route. Calls may use it within a second.',
  argument: { value: 'NAME', about: 'The model name that callers send.', required: true },
  second: { value: 'TARGET', about: 'A model, a route, or another alias.', required: true },
  options: {},
  examples: ['headgate aliases set fast gpt-4o-mini'],
  async run({ argument: id = '', second: target = '', api }) {
    const { data } = await api.list<Alias>(ALIASES);
    const isKept = data.some((each) => each.id === id && each.origin === 'settings');
    const json = await inOptionsOf(
      OPTION_OF,
      isKept
        ? api.post<Alias>(at`/v1/organization/aliases/${id}`, { target })
        : api.post<Alias>(ALIASES, { id, target }),
    );
    return { text: `${id} leads to ${json.leads_to ?? `${target}, which does not exist now`}.`, json };
  },
};

export const aliasesRemove: Command = {
  name: 'aliases remove',
  about: 'Remove an alias from the settings.',
  argument: { value: 'NAME', about: 'The alias.', required: true },
  options: {},
  examples: ['headgate aliases remove fast'],
  async run({ argument: id = '', api }) {
    const json = await inOptionsOf(OPTION_OF, api.remove(at`/v1/organization/aliases/${id}`));
    return { text: `The alias ${id} is removed.`, json };
  },
};
