import { invalid, malformed } from '../../foundation/http/index.ts';

const longestPath = 1024;
const longestNameBytes = 255;
export const deepest = 64;

/**
 * The absolute path of a file or directory, as it is stored. Paths are compared byte by byte, as git does: case and
 * Unicode normalisation are kept as sent, and `/A` and `/a` are two files.
 */
export function parsePath(text: string, field = 'path'): string {
  const path = absolutePath(text);
  const reason = whyNotPath(path);
  if (reason) throw invalid(field, reason);
  return path;
}

/** `src/app.js` is `/src/app.js`: there is no directory that it could be relative to. */
export const absolutePath = (text: string): string => (text.startsWith('/') ? text : `/${text}`);

/** In a query, where what is not valid is a 400. */
export function parseQueryPath(text: string): string {
  const path = absolutePath(text);
  const reason = whyNotPath(path);
  if (reason) throw malformed('A query value is not valid', [{ field: 'path', message: reason }]);
  return path;
}

/** Also for paths that arrive by push, where there is no field to name. */
export function whyNotPath(text: string): string | null {
  if (!text.startsWith('/')) return 'must begin with /';
  if (text.length > longestPath) return `must have at most ${longestPath} characters`;
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return 'must not have control characters';
  const names = text.slice(1).split('/');
  if (names.length > deepest) return `must be at most ${deepest} levels deep`;
  for (const name of names) {
    if (name === '') return 'must not have empty segments or end with /';
    if (name === '.' || name === '..') return 'must not have . or .. as a segment';
    if (isGitDirectory(name)) return 'must not have .git as a segment';
    if (Buffer.byteLength(name) > longestNameBytes)
      return `must not have a name of more than ${longestNameBytes} bytes`;
  }
  return null;
}

/** A directory in a query: `/`, empty and a closing slash are all fine there. The root is ''. */
export function parseDirectory(text: string | undefined): string {
  let trimmed = text ?? '';
  while (trimmed.endsWith('/')) trimmed = trimmed.slice(0, -1);
  return trimmed === '' ? '' : parseQueryPath(trimmed);
}

/**
 * `.git` in any case, and the spellings that Windows and macOS take for it: a trailing dot, space or stream, the short
 * name git~1, one side of a backslash, and code points that HFS+ ignores.
 */
function isGitDirectory(name: string): boolean {
  const plain = name
    .normalize('NFC')
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase();
  return plain.split('\\').some((part) => /^(\.git|git~1)[. ]*(:.*)?$/.test(part));
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** All directories above a path, the root ('') first. */
export function ancestorsOf(path: string): string[] {
  const above: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) above.push(path.slice(0, at));
  return above;
}

/** These paths and all directories above them, each once. */
export const placesOf = (paths: string[]): string[] => [
  ...new Set(paths.flatMap((path) => [...ancestorsOf(path), path])),
];

/** Git's trees know no leading slash. */
export const treePath = (path: string): string => path.slice(1);
