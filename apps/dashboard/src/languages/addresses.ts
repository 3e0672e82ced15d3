import type { WorkspaceLanguage } from '@bottega/contract';

const root = 'file:///workspace';

export const uriOf = (path: string): string => root + path.split('/').map(encodeURIComponent).join('/');

/**
 * The path of a file in the project, from the URI that a server uses. Null for other files, such as those of packages
 * and of the language itself.
 */
export function pathOf(uri: string): string | null {
  if (!uri.startsWith(`${root}/`)) return null;
  try {
    const path = decodeURIComponent(uri.slice(root.length));
    return path.startsWith('/node_modules/') ? null : path;
  } catch {
    return null;
  }
}

type Kind = { language: WorkspaceLanguage; id: string };

const kinds: Record<string, Kind> = {
  ts: { language: 'typescript', id: 'typescript' },
  mts: { language: 'typescript', id: 'typescript' },
  cts: { language: 'typescript', id: 'typescript' },
  tsx: { language: 'typescript', id: 'typescriptreact' },
  js: { language: 'typescript', id: 'javascript' },
  mjs: { language: 'typescript', id: 'javascript' },
  cjs: { language: 'typescript', id: 'javascript' },
  jsx: { language: 'typescript', id: 'javascriptreact' },
  py: { language: 'python', id: 'python' },
  pyi: { language: 'python', id: 'python' },
};

/** The language server of a file, and what the server calls the file's language. */
export const kindOf = (path: string): Kind | null => kinds[path.slice(path.lastIndexOf('.') + 1)] ?? null;
