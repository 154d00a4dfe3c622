import { startServer } from '../helpers.ts';
import { forEachWorkload } from '../workloads.ts';
import type { Contestant, Starter, Vendor } from './contestant.ts';
import { passingRoute } from './passing.ts';

export const netProxy: Starter = {
  name: 'net proxy',
  about: 'bare `node:net` on both sides, which looks at nothing: the floor of what Node can do',
  optional: false,
  prepare: () => null,
  start: (vendor) => startBare('contestants/net-proxy.ts', vendor),
};

export const httpProxy: Starter = {
  name: 'http proxy',
  about: 'bare `node:http` and undici, which look at nothing',
  optional: false,
  prepare: () => null,
  start: (vendor) => startBare('contestants/http-proxy.ts', vendor),
};

async function startBare(script: string, { url, caFile }: Vendor): Promise<Contestant> {
  const env = { ...process.env, ...(caFile !== null && { NODE_EXTRA_CA_CERTS: caFile }) };
  const { pid, port, ...helper } = await startServer(script, [url], env);
  return {
    pid,
    routes: forEachWorkload((workload) => passingRoute(port, workload)),
    async [Symbol.asyncDispose]() {
      helper[Symbol.dispose]();
    },
  };
}
