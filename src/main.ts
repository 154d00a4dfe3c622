import type { Environment } from './config/interpolate.ts';
import { serve } from './serve.ts';

/** Runs one `headgate` command; resolves with its exit code. */
export async function main(_argv: readonly string[], env: Environment): Promise<number> {
  return serve({ env, cwd: process.cwd() });
}
