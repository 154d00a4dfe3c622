import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENTS, placesOf } from './places.ts';
import { unknownMembers } from './sdk-types.ts';

/**
 * `npm run vendors:check`: what the vendors' own clients know and the tables of members do not. Ends with 1 if there is
 * anything. `--sdk DIR`: the clients in `DIR/node_modules`, such as newer ones that `npm install --prefix DIR` has brought.
 */
const { values } = parseArgs({ options: { sdk: { type: 'string' } } });
const folder = resolve(values.sdk ?? '.');
const unknown = unknownMembers(placesOf(), folder);
const clients = CLIENTS.map((name) => `${name} ${versionOf(name)}`).join(', ');
for (const line of unknown) console.log(line);
console.log(
  unknown.length === 0 ? `Every member of ${clients} is known.` : `${unknown.length} members of ${clients} are new.`,
);
process.exitCode = unknown.length === 0 ? 0 : 1;

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(`${folder}/node_modules/${name}/package.json`, 'utf8')) as {
    version: string;
  };
  return version;
}
