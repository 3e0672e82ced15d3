import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressFile } from '../../tools/compress-file.ts';
import { filesOfScreens, loadingOrder } from './first-load.ts';

/** The URL of `npm start`; the dev server forwards everything that is not a page of ours to it. */
const service = 'http://localhost:3000';

/**
 * A browser has six connections, and each file costs a request. So what is loaded together is one file, with all that
 * it imports, unless a group of a higher priority has that already. Everything else stays in small files, because a
 * screen must not load the code of others.
 */
const groups = [
  { name: 'first', tags: ['$initial' as const], priority: 4 },
  // What lists, projects, menus and dialogs share. The first paint of a project waits for this, and not for those.
  {
    name: 'marks',
    test: /\/(kit\/(avatar-source|marks|paged-list|project-icon|seed|star-button|without-scheme)|words\/time|components\/(Avatar|Badge|CopyButton)\/|IconC(opy|heck)\.mjs|use-uncontrolled|use-force-update|create-(safe-context|scoped-keydown-handler)|DirectionProvider|later-styles\.css)/,
    priority: 3,
  },
  // The components of nearly every list and form, and what they share with the forms before a sign-in.
  {
    name: 'parts',
    test: /\/(kit\/(data-table|filters|form|project-name|search-field)|components\/(Input|NativeSelect|Paper|TextInput)\/)/,
    priority: 2,
  },
  // What every screen loads after a sign-in, and then every screen of a project.
  // A README waits for all of these.
  { name: 'markdown', test: /\/src\/kit\/(markdown-(document|links)|mentioned)/, priority: 1 },
  { name: 'frame', test: /\/src\/(shell\/(account-menu|overlays)\.tsx)/, priority: 1 },
  {
    name: 'project',
    test: /\/src\/(project\/project-layout\.tsx|deployments\/(deployments-query|status-label)|editor\/file-content|kit\/(environments\.ts|(markdown|outside-address)\.tsx))|get-(base-value|sorted-breakpoints)|use-resize-observer|IconGitFork/,
    priority: 0,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), loadingOrder(), filesOfScreens(), compressed()],
  build: {
    target: 'es2023',
    // The page's own policy would refuse a data: URL for fonts and scripts.
    assetsInlineLimit: 0,
    // A browser that does not know the hint loads the same files, only later.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // The licences of bundled packages, for the package's NOTICE.
    license: { fileName: 'licences.json' },
    rolldownOptions: { output: { codeSplitting: { groups } } },
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
