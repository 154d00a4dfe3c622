import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The gateway that answers the console while it is changed. */
const GATEWAY = process.env.HEADGATE_DEV_GATEWAY ?? 'http://localhost:8080';
const COMPRESSED = /\.(?:js|css|html|svg|txt)$/;

/** Beside each file what it is compressed: the gateway compresses nothing while it serves. */
function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = build.outDir;
    },
    closeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !COMPRESSED.test(file)) continue;
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content));
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwind(), compressed()],
  build: {
    outDir: 'dist',
    // What the libraries in it ask for: their words go wherever it goes. The page About leads there.
    license: { fileName: 'licenses.txt' },
    target: 'es2022',
    // Every file stays a file: the policy of the gateway allows no script or style that is written into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/v1': GATEWAY, '/api/hello': GATEWAY, '/openapi.json': GATEWAY } },
});
