import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/headgate.js', import.meta.url));
/** Enough vendors for a list that no pipe takes at once. */
const ENV = {
  OPENAI_API_KEY: 'x',
  GROQ_API_KEY: 'x',
  ANTHROPIC_API_KEY: 'x',
  GEMINI_API_KEY: 'x',
  TOGETHER_API_KEY: 'x',
};

test('a reader that stops reading does not make a command fail', async () => {
  const child = spawn(process.execPath, [BIN, 'catalog', 'list', '--json'], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...ENV },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  // One line says where no gateway has run; a write that failed is none of its own.
  assert.equal(code, 0);
  assert.match(stderr, /^No gateway has run with the data folder .*\n$/);
});
