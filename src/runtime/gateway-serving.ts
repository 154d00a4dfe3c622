import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Storage } from '../core/ports.ts';
import type { GatewayServing } from '../organization/settings/api.ts';
import { engine } from '../store/open.ts';
import { type Setup, VERSION } from './setup.ts';

/** The facts about the gateway and its configuration that organizations see. */
export function gatewayServingOf(
  current: () => Setup,
  { organizations }: Pick<Storage, 'organizations'>,
): GatewayServing {
  const file = () => {
    const path = current().config.file;
    return path === null ? null : basename(path);
  };
  return {
    organizations,
    file,
    nameSetIn(organizationId) {
      const { config, lineOf } = current();
      const name = file();
      if (name === null || !config.organizations.some(({ id }) => id === organizationId)) return null;
      return { file: name, line: lineOf(['organizations', organizationId]) };
    },
    configuration: () => current().shown(),
    about: () => ({
      version: VERSION,
      node: process.version,
      storage: { kind: engine.kind, bytes: bytesOf(current().folder), schemaVersion: engine.schemaVersion },
    }),
  };
}

/** The total size of the files in a folder. A file removed meanwhile counts as 0. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return sum + (stats?.isFile() === true ? stats.size : 0);
  }, 0);
}
