import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a signal that ends npm ends the gateway that it runs, too', { skip: process.platform === 'win32' }, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'headgate-npm-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, HEADGATE_DATA: join(data, 'data'), HEADGATE_PORT: '0', npm_command: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(npm, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: npm.stdout })) {
    lines.push(line);
    if (line.includes('serves at http://')) npm.kill('SIGTERM');
  }
  await ended;
  // The output ends once nobody can write to it any more.
  assert.match(lines.join('\n'), /^SIGTERM: no new calls are accepted.*\nStopped\.$/m);
});
