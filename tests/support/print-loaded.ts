import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Loaded before a program (`--import`): at its end, prints each file that it loaded as a line to stderr. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded.push(fileURLToPath(url).replace(ROOT, ''));
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write(loaded.map((file) => `loaded ${file}\n`).join('')));
