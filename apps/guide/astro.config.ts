import { globSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import starlight from '@astrojs/starlight';
import type { AstroIntegration } from 'astro';
import { defineConfig } from 'astro/config';
import { compressFile } from '../../tools/compress-file.ts';
import { base, documents, readMenu, repository } from './pages.ts';

export default defineConfig({
  root: import.meta.dirname,
  base,
  trailingSlash: 'always',
  publicDir: '../dashboard/public',
  integrations: [
    starlight({
      title: 'Bottega',
      favicon: '/favicon.svg',
      sidebar: readMenu(),
      customCss: ['@fontsource-variable/geist', '@fontsource-variable/geist-mono', './src/guide.css'],
    }),
    withDocuments(),
    compressed(),
  ],
  // The licences of bundled packages, for the package's NOTICE.
  vite: { build: { license: { fileName: 'licences.json' } } },
});

function withDocuments(): AstroIntegration {
  return {
    name: 'documents',
    hooks: {
      async 'astro:build:done'({ dir }) {
        for (const name of documents) await cp(join(repository, 'docs', name), join(fileURLToPath(dir), name));
      },
    },
  };
}

/** Compresses files once, so that the service need not. It runs last, after the search index is written. */
function compressed(): AstroIntegration {
  return {
    name: 'compressed',
    hooks: {
      async 'astro:build:done'({ dir }) {
        const folder = fileURLToPath(dir);
        const texts = globSync('**/*.{html,js,css,svg}', { cwd: folder });
        await Promise.all(texts.map((name) => compressFile(join(folder, name))));
      },
    },
  };
}
