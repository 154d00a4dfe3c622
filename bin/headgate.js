#!/usr/bin/env node
// The first file of the command, in plain JavaScript that an old Node can read too: it finds a Node that runs the rest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED_MAJOR = 24;
const here = fileURLToPath(import.meta.url);
const root = dirname(dirname(here));

if (majorOf(process.versions.node) >= NEEDED_MAJOR) {
  const { main } = await import(pathToFileURL(mainFile()).href);
  process.exitCode = await main(process.argv.slice(2), process.env);
} else {
  const node = pinnedNode();
  if (node === undefined) refuse(`no newer one is installed beside it. Install Node.js ${NEEDED_MAJOR}`);
  else runWith(node);
}

/** Node strips no types under node_modules: a published package carries built JavaScript instead. */
function mainFile() {
  const source = join(root, 'src', 'main.ts');
  const installed = root.split(sep).includes('node_modules');
  return installed || !existsSync(source) ? join(root, 'dist', 'main.js') : source;
}

/** The Node that npm put beside this package, in its own node_modules or in the ones it is installed in. */
function pinnedNode() {
  const folders = [join(root, 'node_modules'), dirname(root)];
  return folders.map((folder) => join(folder, '.bin', 'node')).find((file) => existsSync(file) && isNewEnough(file));
}

/** Asked, not guessed: another package may have put an old Node there, which would look for a newer one in turn. */
function isNewEnough(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return majorOf(stdout ?? '') >= NEEDED_MAJOR;
}

function majorOf(version) {
  return Number.parseInt(version.replace(/^v/, ''), 10);
}

/** The same command under another Node: its input and output, our signals, its end. */
function runWith(node) {
  const child = spawn(node, [here, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends these two to every process in front of it, so the child has them already.
  const fromTerminal = process.stdin.isTTY ? ['SIGINT', 'SIGQUIT'] : [];
  const signals = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'];
  for (const signal of signals) {
    process.on(signal, () => {
      if (!fromTerminal.includes(signal)) child.kill(signal);
    });
  }
  child.on('error', (error) =>
    refuse(`${node} could not be started (${error.message}). Install Node.js ${NEEDED_MAJOR}`),
  );
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function refuse(why) {
  console.error(
    `headgate needs Node.js ${NEEDED_MAJOR} or newer; this is ${process.versions.node}, and ${why} or newer from https://nodejs.org.`,
  );
  process.exitCode = 1;
}
