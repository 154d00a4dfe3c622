import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closedPort } from '../../src/testing/listen.ts';
import { FACTS, forEachWorkload, MODEL, type Workload } from '../workloads.ts';
import { cacheFolder } from './cache.ts';
import type { Contestant, Starter, Vendor } from './contestant.ts';
import { startProgram } from './program.ts';

const PACKAGE = '@portkey-ai/gateway';
const VERSION = '1.15.2';
/** It cannot answer a stream with a newer server. https://github.com/Portkey-AI/gateway/issues/1389 */
const NODE_SERVER = { '@hono/node-server': '1.13.8' };
const MANIFEST = JSON.stringify({ private: true, dependencies: { [PACKAGE]: VERSION }, overrides: NODE_SERVER });

/** As its own image starts it, without its console. https://github.com/Portkey-AI/gateway */
export const portkey: Starter = {
  name: 'portkey',
  optional: true,
  about: `Portkey ${VERSION} on this Node, \`NODE_ENV=production\`, headless: no key is checked, nothing is recorded`,
  prepare() {
    const folder = cacheFolder('portkey');
    const manifest = join(folder, 'package.json');
    if (existsSync(program()) && readFileSync(manifest, 'utf8') === MANIFEST) return null;
    rmSync(folder, { recursive: true });
    cacheFolder('portkey');
    writeFileSync(manifest, MANIFEST);
    const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return status === 0 ? null : `${PACKAGE}@${VERSION} could not be installed from the npm registry.`;
  },
  async start(vendor) {
    const port = await closedPort();
    const trust = vendor.caFile === null ? {} : { NODE_EXTRA_CA_CERTS: vendor.caFile };
    const running = await startProgram({
      command: process.execPath,
      args: [program(), `--port=${port}`, '--headless'],
      env: { NODE_ENV: 'production', ...trust },
      port,
    });
    return { ...running, routes: routesOf(vendor, port) };
  },
};

function program(): string {
  return join(cacheFolder('portkey'), 'node_modules', PACKAGE, 'build', 'start-server.js');
}

function routesOf({ url }: Vendor, port: number): Contestant['routes'] {
  const routeOf = (workload: Workload) => ({
    port,
    path: FACTS[workload].path,
    model: MODEL,
    headers: {
      authorization: 'Bearer bench-upstream-key',
      'x-portkey-provider': workload === 'translated' ? 'anthropic' : 'openai',
      'x-portkey-custom-host': `${url}/v1`,
    },
  });
  return forEachWorkload(routeOf);
}
