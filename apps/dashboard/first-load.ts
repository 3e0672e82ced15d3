import type { Plugin } from 'vite';

type Chunk = { fileName: string; imports: string[]; moduleIds: string[]; isEntry: boolean };
type WithStyles = Chunk & { viteMetadata?: { importedCss: Set<string> } };

/**
 * Puts what the page loads into the right order. Styles come below the skeleton: in the head they would block the whole
 * page. The code of all screens comes before the many small files of one screen: a browser has six connections, which
 * would wait for small files while the line is idle.
 */
export function loadingOrder(): Plugin {
  const preloads = '<!--preloads-->';
  return {
    name: 'loading-order',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (page) => {
        const [link = ''] = /\s*<link rel="stylesheet"[^>]*>/.exec(page) ?? [];
        return page
          .replace(link, '')
          .replace('</body>', `${link.trim()}\n  </body>`)
          .replace(preloads, '')
          .replace('</head>', `${preloads}\n  </head>`);
      },
    },
  };
}

/**
 * Lists, for the service, the files that each screen needs beyond the first load, by its path in `src`. The page names
 * them, so that a browser requests its screen's code at once, and not after running the frame's.
 */
export function filesOfScreens(): Plugin {
  return {
    name: 'files-of-screens',
    apply: 'build',
    generateBundle: {
      // Runs after Vite itself, which removes chunks that held only styles.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk') as unknown as WithStyles[];
        const isLoadedLater = (id: string) => (this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
        const source = JSON.stringify(Object.fromEntries(neededBeyondFirst(chunks, isLoadedLater)));
        this.emitFile({ type: 'asset', fileName: 'screens.json', source });
      },
    },
  };
}

function neededBeyondFirst(
  chunks: WithStyles[],
  isLoadedLater: (id: string) => boolean,
): [screen: string, files: string[]][] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => withImports(entry, byName)));
  return chunks
    .filter((chunk) => !first.has(chunk))
    .flatMap((chunk) => {
      const needed = withImports(chunk, byName).filter((one) => !first.has(one));
      const styles = new Set(needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
      const files = [...needed.map(({ fileName }) => fileName), ...styles].map((file) => `/${file}`);
      const screens = chunk.moduleIds.filter((id) => id.includes('/dashboard/src/') && isLoadedLater(id));
      return screens.map((id): [string, string[]] => [id.split('/dashboard/src/')[1] ?? '', files]);
    });
}

function withImports(chunk: WithStyles, byName: ReadonlyMap<string, WithStyles>): WithStyles[] {
  const all = new Set([chunk]);
  for (const one of all) {
    for (const name of one.imports) {
      const imported = byName.get(name);
      if (imported) all.add(imported);
    }
  }
  return [...all];
}
