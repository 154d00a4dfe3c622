#!/usr/bin/env node
// The first file of the command, in plain JavaScript that an old Node can read too: it finds a Node that runs the rest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED_MAJOR = 24;
/**
 * What a server holds less memory with, both read when a process begins (docs/decisions/2026-11-22-what-memory-is-held.md):
 * the most that V8 sets aside for new objects, in MB, which is left as it is where an operator says it; and how many pools of
 * memory the C library has for all threads.
 */
const NEW_OBJECTS = '--max-semi-space-size';
const NEW_OBJECTS_MB = 8;
const ALLOCATOR = { MALLOC_ARENA_MAX: '2' };

/** How often a gateway that npm runs looks whether npm is still there, in ms. */
const PARENT_LOOK_MS = 500;

const here = fileURLToPath(import.meta.url);
const root = dirname(dirname(here));
const args = process.argv.slice(2);

if (majorOf(process.versions.node) >= NEEDED_MAJOR) {
  if (isServer() && !isSaid()) beginAgain();
  endWithNpm();
  if (isServer() && process.env.npm_lifecycle_event === 'start') buildConsole();
  await keepStripped();
  const { main } = await import(pathToFileURL(mainFile()).href);
  process.exitCode = await main(args, process.env);
} else {
  const node = pinnedNode();
  if (node === undefined) refuse(`no newer one is installed beside it. Install Node.js ${NEEDED_MAJOR}`);
  else {
    endWithNpm();
    runWith(node);
  }
}

/**
 * A signal ends npm and not what it runs: the gateway of `npm start` or `npx headgate serve` would go on unseen. When npm is gone,
 * its gateway gets the signal, too.
 */
function endWithNpm() {
  const isOfNpm = ['start', 'exec'].includes(process.env.npm_command ?? '');
  if (!isOfNpm || !isServer() || process.connected || process.platform === 'win32' || leadsItsGroup()) return;
  const npm = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_LOOK_MS);
  look.unref();
  // A gateway that drains already is left alone: a second signal would end it at once.
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      clearInterval(look);
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  }
}

/** Whether it was made to outlive whoever began it, as `setsid` does. Only Linux tells. */
function leadsItsGroup() {
  const file = '/proc/self/stat';
  if (!existsSync(file)) return false;
  // Behind the name: state, parent, group.
  const group = readFileSync(file, 'utf8').split(') ').at(-1).split(' ')[2];
  return Number(group) === process.pid;
}

/** Node strips no types under node_modules: a published package carries built JavaScript instead. */
function mainFile() {
  const source = join(root, 'src', 'main.ts');
  const installed = root.split(sep).includes('node_modules');
  return installed || !existsSync(source) ? join(root, 'dist', 'main.js') : source;
}

/** Whether this command serves: `serve`, or none. */
function isServer() {
  return args.length === 0 || args[0] === 'serve' || args[0].startsWith('-');
}

/** Somebody has said how much is set aside: an operator, this process before it began again, or the one that it is a worker of. */
function isSaid() {
  return [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((text) => text.includes(NEW_OBJECTS));
}

/** The same process, from its beginning; where the system knows no such thing it goes on as it is. */
function beginAgain() {
  if (process.platform === 'win32' || process.execve === undefined || process.connected) return;
  const flags = [`${NEW_OBJECTS}=${NEW_OBJECTS_MB}`, ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...flags, here, ...args], serverEnvironment());
}

/**
 * Where what Node makes of sources is kept for the next start: that part of Node which strips types holds 20 MB in each thread
 * where it is used. `null` for a published package, which has none to strip.
 */
function cacheFolder() {
  return mainFile().endsWith('.js') ? null : join(root, 'node_modules', '.cache', 'headgate');
}

/** In a clone, `npm start` builds the web console where it is missing or older than its sources; nobody waits for it. */
function buildConsole() {
  const build = join(root, 'build', 'console.ts');
  if (!existsSync(build)) return;
  spawn(process.execPath, [build, '--if-stale'], { stdio: ['ignore', 'inherit', 'inherit'] }).unref();
}

/** For whoever was not begun with it. A server has it in its environment, from which its other threads take it too. */
async function keepStripped() {
  const folder = cacheFolder();
  if (folder === null || process.env.NODE_COMPILE_CACHE !== undefined) return;
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(folder);
}

/** What a server's process and its threads begin with; what an operator has set goes before. */
function serverEnvironment() {
  const folder = cacheFolder();
  return { ...ALLOCATOR, ...(folder !== null && { NODE_COMPILE_CACHE: folder }), ...process.env };
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
  const flags = isServer() && !isSaid() ? [`${NEW_OBJECTS}=${NEW_OBJECTS_MB}`] : [];
  const child = spawn(node, [...flags, here, ...args], { stdio: 'inherit', env: serverEnvironment() });
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
