import { putRouteTask, removeRouteTask } from '../../tasks/routes.ts';
import type { Command } from '../command.ts';
import { readNamedFile } from '../named-file.ts';
import { shownName } from '../organization/shown-name.ts';
import { perform } from '../perform.ts';
import { routeJson } from './route-json.ts';

export const routesPut: Command = {
  name: 'routes put',
  about: 'Store a route, or another definition of one.',
  details: [
    'FILE has the definition alone, as it would stand below the route’s id in headgate.yaml, or a whole configuration with',
    'that route in it. A gateway that runs on the same data has it within a second. Routes of the configuration are changed',
    'in its file alone. With --later calls go on by what is in force, until “routes canary” or “routes promote” names it.',
  ].join('\n'),
  argument: { value: 'ID', about: 'The name that callers send as the model, such as acme/fast.', required: true },
  options: {
    file: { value: 'FILE', about: 'Where its definition is, in YAML.', required: true },
    note: { value: 'TEXT', about: 'Why it was made, for people.' },
    later: { value: null, about: 'Keep it as a version that no calls go by yet.' },
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
      ? `Version ${number} of route ${id} says the same, and is in force.`
      : `Route ${id} is stored, version ${hash}: a gateway that runs on this data has it within a second.`;
    return {
      text: isInForce
        ? stored
        : `Version ${number} of route ${id} is kept, and no calls go by it yet: headgate routes canary ${id} ${number} --share 0.1`,
      json: { ...routeJson(known), version_id: version.id },
      notes: unserved.map(({ model, detail }) => `${model}: ${detail}`),
    };
  },
};

export const routesRemove: Command = {
  name: 'routes remove',
  about: 'Take a route out of the store.',
  details: 'A gateway that runs on the same data serves it no more within a second. Its usage records stay.',
  argument: { value: 'ID', about: 'The id of the route.', required: true },
  options: {},
  examples: ['headgate routes remove acme/fast'],
  async run({ argument: id = '', where, tools }) {
    await perform(tools, tools.readSetup(where), removeRouteTask, { id });
    return { text: `Route ${id} is taken out.`, json: { id, object: 'route', removed: true } };
  },
};
