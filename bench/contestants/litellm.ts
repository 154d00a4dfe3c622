import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedPort } from '../../src/testing/listen.ts';
import { FACTS, forEachWorkload, MODEL, type Workload } from '../workloads.ts';
import { cacheFolder } from './cache.ts';
import type { Contestant, Starter, Vendor } from './contestant.ts';
import { startProgram } from './program.ts';

/** The newest version to try. If a registry lacks one of its packages, pip installs the next older version. */
const VERSION = '1.109.1';
const MASTER_KEY = 'sk-bench-master-key';
const MESSAGES_MODEL = 'bench-messages';

/** As recommended for production, without a database. https://docs.litellm.ai/docs/proxy/prod */
export const litellm: Starter = {
  name: 'litellm',
  optional: true,
  get about() {
    return `LiteLLM ${installed() ?? VERSION}, one worker, a master key, \`LITELLM_LOG=ERROR\`, no database: nothing is recorded`;
  },
  prepare() {
    if (installed() !== null) return null;
    const folder = cacheFolder('litellm');
    const run = (command: string, ...args: string[]) =>
      spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
    if (!run('python3', '-m', 'venv', folder)) return 'LiteLLM needs Python with `venv`, which is not there.';
    const pip = join(folder, 'bin', 'pip');
    if (run(pip, 'install', '--quiet', '--prefer-binary', `litellm[proxy]<=${VERSION}`)) return null;
    return `litellm ${VERSION} or older could not be installed from the Python registry.`;
  },
  start: startLiteLlm,
};

function installed(): string | null {
  const python = join(cacheFolder('litellm'), 'bin', 'python');
  if (!existsSync(python)) return null;
  const question = 'from importlib.metadata import version; print(version("litellm"))';
  const { status, stdout } = spawnSync(python, ['-c', question], { encoding: 'utf8', stdio: 'pipe' });
  return status === 0 ? stdout.trim() : null;
}

async function startLiteLlm(vendor: Vendor): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-litellm-'));
  const file = join(folder, 'config.yaml');
  writeFileSync(file, configuration(vendor));
  const port = await closedPort();
  const bin = join(cacheFolder('litellm'), 'bin');
  const running = await startProgram({
    command: join(bin, 'litellm'),
    args: ['--config', file, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      LITELLM_MODE: 'PRODUCTION',
      LITELLM_LOG: 'ERROR',
      // By default it downloads prices when it starts.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      ...(vendor.caFile !== null && { SSL_CERT_FILE: vendor.caFile }),
    },
    port,
  });
  const routeOf = (workload: Workload) => ({
    port,
    path: FACTS[workload].path,
    model: workload === 'translated' ? MESSAGES_MODEL : MODEL,
    headers: { authorization: `Bearer ${MASTER_KEY}` },
  });
  return {
    pid: running.pid,
    routes: forEachWorkload(routeOf),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration({ url }: Vendor): string {
  return `
model_list:
  - model_name: ${MODEL}
    litellm_params: { model: openai/${MODEL}, api_base: "${url}/v1", api_key: bench-upstream-key }
  - model_name: ${MESSAGES_MODEL}
    litellm_params: { model: anthropic/${MODEL}, api_base: "${url}", api_key: bench-upstream-key }
litellm_settings: { request_timeout: 600, set_verbose: false, json_logs: true, telemetry: false }
general_settings: { master_key: ${MASTER_KEY} }
`;
}
