import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressFile } from '../../tools/compress-file.ts';

/** Where `npm start` listens; the dev server hands everything that is not a page of ours on to it. */
const service = 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  build: {
    target: 'es2023',
    // A data: URL would be refused by the page's own policy for fonts and scripts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // For the package's NOTICE: the licences of whatever is in here.
    license: { fileName: 'licences.json' },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/v1',
        '/api',
        '/git',
        '/docs',
        '/guide',
        '/openapi.json',
        '/oauth',
        '/avatars',
        '/shared',
        '/preview-frame',
      ].map((path) => [path, { target: service, ws: true }]),
    ),
  },
});

/** After everything else: Vite itself still changes chunks while it puts the bundle together. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name));
      for (const name of texts) await compressFile(join(dir, name));
    },
  };
}
