const longestPath = 1024;
const longestNameBytes = 255;
export const deepestPath = 64;

/** `src/app.js` becomes `/src/app.js`, because there is no directory to which it could be relative. */
export const absolutePath = (text: string): string => (text.startsWith('/') ? text : `/${text}`);

/** Why a path is not valid. Null if it is valid. Also used for pushed paths, which have no field to report. */
export function whyNotPath(text: string): string | null {
  if (!text.startsWith('/')) return 'must begin with /';
  if (text.length > longestPath) return `must have at most ${longestPath} characters`;
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return 'must not contain control characters';
  const names = text.slice(1).split('/');
  if (names.length > deepestPath) return `must be at most ${deepestPath} levels deep`;
  for (const name of names) {
    if (name === '') return 'must not contain empty segments or end with /';
    if (name === '.' || name === '..') return 'must not contain . or .. as a segment';
    if (isGitDirectory(name)) return 'must not contain .git as a segment';
    if (hasMoreBytes(name, longestNameBytes)) return `must not have a name of more than ${longestNameBytes} bytes`;
  }
  return null;
}

/** Normalises a directory in a query. `/`, an empty value and a trailing slash are all valid. The root is ''. */
export function plainDirectory(text: string): string {
  let trimmed = text;
  while (trimmed.endsWith('/')) trimmed = trimmed.slice(0, -1);
  return trimmed === '' ? '' : absolutePath(trimmed);
}

export function whyNotDirectory(text: string): string | null {
  const path = plainDirectory(text);
  return path === '' ? null : whyNotPath(path);
}

/** A UTF-16 unit has at most three bytes in UTF-8, so most names need no counting. */
const hasMoreBytes = (name: string, max: number): boolean =>
  name.length * 3 > max && new TextEncoder().encode(name).length > max;

/**
 * Whether a name is `.git` in any case, or a spelling that Windows and macOS treat as `.git`: with a trailing dot,
 * space or stream, the short name git~1, one side of a backslash, or code points that HFS+ ignores.
 */
function isGitDirectory(name: string): boolean {
  const plain = name
    .normalize('NFC')
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase();
  return plain.split('\\').some((part) => /^(\.git|git~1)[. ]*(:.*)?$/.test(part));
}
