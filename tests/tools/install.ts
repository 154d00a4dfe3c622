import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of the npm registry, at the version that is tested. */
export type Package = { name: string; version: string; command: string };

const FOLDER = fileURLToPath(new URL('.tools', import.meta.url));

/** Where a program is, installed into a folder of its own unless it runs from there already. Throws where it cannot be. */
export function install({ name, version, command }: Package): string {
  const folder = join(FOLDER, command);
  const program = join(folder, 'node_modules', '.bin', command);
  if (versionOf(program).includes(version)) return program;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const npm = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (npm.status !== 0) throw new Error(`${name}@${version} could not be installed: npm failed, as it says above.`);
  const said = versionOf(program);
  if (said.includes(version)) return program;
  throw new Error(`${name}@${version} was installed, but does not run here: ${said || 'it printed nothing'}`);
}

/** What a program says of itself, or why it cannot. */
function versionOf(program: string): string {
  const { stdout, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
  return error?.message ?? `${stdout}${stderr}`.trim();
}
