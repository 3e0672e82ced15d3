import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressFile } from '../../tools/compress-file.ts';
import { filesOfScreens, stylesBelowSkeleton } from './first-load.ts';

/** The URL of `npm start`; the dev server forwards everything that is not a page of ours to it. */
const service = 'http://localhost:3000';

/** Everything for the first paint is one file: each further one would cost its headers, and compress worse. */
const first = { name: 'first', tags: ['$initial' as const], priority: 2 };
/** The components of nearly every list and form, for the same reason. */
const parts = {
  name: 'parts',
  test: /\/(kit\/(data-table|filters|form|marks|paged-list|project-icon|project-name|search-field|seed|star-button)|words\/time|components\/(Badge|Input|NativeSelect|Paper|TextInput)\/)/,
  priority: 1,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), stylesBelowSkeleton(), filesOfScreens(), compressed()],
  build: {
    target: 'es2023',
    // The page's own policy would refuse a data: URL for fonts and scripts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // The licences of bundled packages, for the package's NOTICE.
    license: { fileName: 'licences.json' },
    rolldownOptions: { output: { codeSplitting: { groups: [first, parts] } } },
  },
  server: {
    proxy: Object.fromEntries(
      [
        '/v1',
        '/api',
        '/git',
        '/docs',
        '/downloads',
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

/** Runs last: Vite itself still changes chunks while it assembles the bundle. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name));
      const first = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)?.fileName;
      // Every visitor waits for this one, so it is worth seconds of the build.
      for (const name of texts) await compressFile(join(dir, name), name === first ? 11 : 9);
    },
  };
}
