import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';
import { SOURCES_BIN } from '../support/started.ts';

/** What a command waits for before it does anything is paid by whoever types it: what calls are carried with is not for commands. */
const SERVERS =
  /^(?:src\/(?:pipeline|upstream|dialects\/(?!ids\.ts$))|node_modules\/(?:fastify|undici|pino|prom-client)\/)/;

/** The folders of commands: who types one waits for no other. The address of a gateway is asked for by many. */
const OWN = /^src\/cli\/(?!connect\/address\.ts$)(catalog|connect|doctor|keys|organization|routes|usage)\//;

const env = { NODE_OPTIONS: `--import=${new URL('../support/print-loaded.ts', import.meta.url)}` };

const headgate = await startHeadgate({ config: '{}\n' });
after(() => headgate[Symbol.asyncDispose]());

const COMMANDS = ['--version', 'help', 'status', 'keys list', 'catalog list', 'usage list', 'usage summary', 'doctor'];

for (const command of COMMANDS) {
  test(`headgate ${command} beside a gateway loads nothing that carries calls`, async () => {
    const { code, stderr } = await runHeadgate(command.split(' '), { env, data: headgate.data, bin: SOURCES_BIN });
    assert.equal(code, 0, stderr);
    const files = stderr.split('\n').flatMap((line) => (line.startsWith('loaded ') ? [line.slice(7)] : []));
    assert.ok(files.includes('src/main.ts'), stderr);
    assert.deepEqual(
      files.filter((file) => SERVERS.test(file)),
      [],
    );
    if (command === 'help') return;
    const folders = files.flatMap((file) => OWN.exec(file)?.[1] ?? []);
    const [own] = command.split(' ');
    assert.deepEqual(
      [...new Set(folders)].filter((folder) => folder !== own),
      [],
      'other commands',
    );
  });
}
