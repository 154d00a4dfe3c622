import { readFileSync } from 'node:fs';
import { readDraft } from '../../config/draft.ts';
import type { ReadRoute, RouteContext } from '../../config/routes.ts';
import { contextOf } from '../../config/stored.ts';
import type { KeptRoute } from '../../core/ports.ts';
import type { Command } from '../command.ts';
import { OperatorError } from '../failure.ts';
import type { CommandSetup, Toolbox } from '../toolbox.ts';
import { checkNotOfFile, knownRoute, knownRoutes, routeJson } from './known.ts';

export const routesPut: Command = {
  name: 'routes put',
  about: 'Store a route, or another definition of one.',
  details: [
    'FILE has the definition alone, as it would stand below the route’s id in headgate.yaml, or a whole configuration with',
    'that route in it. A gateway that runs on the same data has it within a second. Routes of the configuration are changed',
    'in its file alone.',
  ].join('\n'),
  argument: { value: 'ID', about: 'The name that callers send as the model, such as acme/fast.', required: true },
  options: { file: { value: 'FILE', about: 'Where its definition is, in YAML.', required: true } },
  examples: ['headgate routes put acme/fast --file fast.yaml'],
  async run({ argument: id = '', values: { file = '' }, where, tools }) {
    const setup = tools.readSetup(where);
    checkNotOfFile(setup.config, id);
    const text = readFileSync(file, 'utf8');
    const storage = await tools.openStorage(setup);
    try {
      const kept = await storage.routes.list();
      const { route, definition } = readDraft({ text, file, env: tools.env, id, context: contextBeside(setup, kept) });
      const stored: KeptRoute = { id, definition, from: 'store', updatedAt: tools.clock.now() };
      await storage.routes.keepVersion(route.version, definition);
      await storage.routes.put(stored);
      const known = knownRoutes(setup.config, [...kept.filter((each) => each.id !== id), stored]);
      return {
        text: `Route ${id} is stored, version ${route.version}: a gateway that runs on this data has it within a second.`,
        json: routeJson(knownRoute(known, id)),
        notes: await unservedNotes(setup, route, tools),
      };
    } finally {
      await storage.close();
    }
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
    const setup = tools.readSetup(where);
    const storage = await tools.openStorage(setup);
    try {
      const stored = (await storage.routes.list()).find((each) => each.id === id && each.from === 'store');
      if (stored === undefined) {
        checkNotOfFile(setup.config, id);
        throw new OperatorError(`No route ${id} is stored. All of them: headgate routes list`);
      }
      await storage.routes.remove(id);
      return { text: `Route ${id} is taken out.`, json: { id, object: 'route', removed: true } };
    } finally {
      await storage.close();
    }
  },
};

/** What a definition is held against beside the configuration and these. */
export function contextBeside({ config }: Pick<CommandSetup, 'config'>, kept: readonly KeptRoute[]): RouteContext {
  return contextOf(
    config,
    kept.filter(({ from }) => from === 'store').map(({ id }) => id),
  );
}

/** Names in a route that no provider is known to serve: allowed, and usually a mistake. */
async function unservedNotes(setup: CommandSetup, route: ReadRoute['route'], tools: Toolbox): Promise<string[]> {
  const { directory, unasked } = await tools.knownModels(setup);
  if (unasked.length > 0) return [];
  const targets = await tools.routeTargets(route, directory);
  const missing = targets.flatMap(({ model, missing }) => (missing === null ? [] : [{ model, missing }]));
  return missing.map(({ model, missing: { detail } }) => `${model}: ${detail}`);
}
