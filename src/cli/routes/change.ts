import { putRouteTask, removeRouteTask } from '../../tasks/routes.ts';
import type { Command } from '../command.ts';
import { readNamedFile } from '../named-file.ts';
import { shownName } from '../organization/shown-name.ts';
import { perform } from '../perform.ts';
import { routeJson } from './route-json.ts';

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
  async run({ argument: id = '', values, flags, where, tools }) {
    const { file = '' } = values;
    const note = values.note === undefined ? null : shownName('--note', values.note);
    const isLater = flags.has('later');
    const draft = { id, text: readNamedFile(file), file, isTyped: true, note, isInForce: !isLater };
    const { answer } = await perform(tools, tools.readSetup(where), putRouteTask, draft);
    const { known, version, isInForce, unserved } = answer;
    const { number, version: hash } = version.value;
    const stored = isLater
      ? `Version ${number} of route ${id} is the same, and is in force.`
      : `Route ${id} is stored as version ${hash}. A running gateway on this data uses it within a second.`;
    return {
      text: isInForce
        ? stored
        : `Version ${number} of route ${id} is stored, but not used yet: headgate routes canary ${id} ${number} --share 0.1`,
      json: { ...routeJson(known), version_id: version.id },
      notes: unserved.map(({ model, detail }) => `${model}: ${detail}`),
    };
  },
};

export const routesRemove: Command = {
  name: 'routes remove',
  about: 'Remove a route from the store.',
  details: 'A running gateway on the same data stops serving it within a second. Its usage records stay.',
  argument: { value: 'ID', about: 'The id of the route.', required: true },
  options: {},
  examples: ['headgate routes remove acme/fast'],
  async run({ argument: id = '', where, tools }) {
    await perform(tools, tools.readSetup(where), removeRouteTask, { id });
    return { text: `Route ${id} is removed.`, json: { id, object: 'route', removed: true } };
  },
};
