import { at } from '../api.ts';
import type { Command } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { readNamedFile } from '../named-file.ts';
import { shownName } from '../organization/shown-name.ts';
import { ofRoute, pathOf } from './route-of.ts';

export const routesPut: Command = {
  name: 'routes put',
  about: 'Store a route, or a new version of one.',
  details: [
    'FILE has the definition, as it would be below the route’s id in headgate.yaml, or a complete configuration with that',
    'route. A running gateway on the same data uses it within a second. Routes of the configuration file can be changed',
    'only there. With --later, calls use the version in force until “routes canary” or “routes promote” names this one.',
  ].join('\n'),
  argument: { value: 'ID', about: 'The model name that callers send, such as acme/fast.', required: true },
  options: {
    file: { value: 'FILE', about: 'Where its definition is, in YAML.', required: true },
    note: { value: 'TEXT', about: 'Reason, for people.' },
    later: { value: null, about: 'Store the version without using it.' },
  },
  examples: [
    'headgate routes put acme/fast --file fast.yaml',
    'headgate routes put acme/fast --file fast.yaml --later --note "Cheaper at night"',
  ],
  async run({ argument: id = '', values, flags, api }) {
    const { file = '' } = values;
    const note = values.note === undefined ? null : shownName('--note', values.note);
    const isLater = flags.has('later');
    const draft = { text: readNamedFile(file), file, note, in_force: !isLater };
    const json = await inOptionsOf({ note: '--note' }, api.post<StoredRoute>(at`/v1/operator/routes/${id}`, draft));
    const { version_number: number, version_hash: hash, unserved } = json;
    const stored = isLater
      ? `Version ${number} of route ${id} is the same, and is in force.`
      : `Route ${id} is stored as version ${hash}. A running gateway on this data uses it within a second.`;
    return {
      text: json.is_in_force
        ? stored
        : `Version ${number} of route ${id} is stored, but not used yet: headgate routes canary ${id} ${number} --share 0.1`,
      json,
      notes: unserved.map(({ model, detail }) => `${model}: ${detail}`),
    };
  },
};

/** A route with the version that was stored. */
type StoredRoute = {
  version_number: number;
  version_hash: string;
  is_in_force: boolean;
  unserved: readonly { model: string; detail: string }[];
};

export const routesRemove: Command = {
  name: 'routes remove',
  about: 'Remove a route from the store.',
  details: 'A running gateway on the same data stops serving it within a second. Its usage records stay.',
  argument: { value: 'ID', about: 'The id of the route.', required: true },
  options: {},
  examples: ['headgate routes remove acme/fast'],
  async run({ argument: id = '', api }) {
    const json = await ofRoute(api, id, api.remove(pathOf(id)));
    return { text: `Route ${id} is removed.`, json };
  },
};
