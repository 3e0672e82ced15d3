import type { Plugin } from 'vite';

type Chunk = { fileName: string; imports: string[]; facadeModuleId: string | null; isEntry: boolean };
type WithStyles = Chunk & { viteMetadata?: { importedCss: Set<string> } };

/** So that a browser shows something before it has the styles: those in the head would hold back the whole page. */
export function stylesBelowSkeleton(): Plugin {
  return {
    name: 'styles-below-skeleton',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (page) => {
        const [link = ''] = /\s*<link rel="stylesheet"[^>]*>/.exec(page) ?? [];
        return page.replace(link, '').replace('</body>', `${link.trim()}\n  </body>`);
      },
    },
  };
}

/**
 * For the service: which files each screen needs beside those of the first load, by its place in `src`. The page names
 * them, so that a browser asks for the code of its screen at once, and not after it has run that of the frame.
 */
export function filesOfScreens(): Plugin {
  return {
    name: 'files-of-screens',
    apply: 'build',
    generateBundle: {
      // Behind Vite itself, which takes chunks away that held nothing but styles.
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk') as unknown as WithStyles[];
        const source = JSON.stringify(Object.fromEntries(neededBeyondFirst(chunks)));
        this.emitFile({ type: 'asset', fileName: 'screens.json', source });
      },
    },
  };
}

function neededBeyondFirst(chunks: WithStyles[]): [screen: string, files: string[]][] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const first = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => withImports(entry, byName)));
  return chunks
    .filter((chunk) => !first.has(chunk) && chunk.facadeModuleId?.includes('/dashboard/src/'))
    .map((chunk) => {
      const needed = withImports(chunk, byName).filter((one) => !first.has(one));
      const styles = new Set(needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
      const files = [...needed.map(({ fileName }) => fileName), ...styles];
      return [chunk.facadeModuleId?.split('/dashboard/src/')[1] ?? '', files.map((file) => `/${file}`)];
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
