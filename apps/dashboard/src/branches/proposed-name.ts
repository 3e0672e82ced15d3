/** Reduces a name to characters for the name of a branch: letters, digits and hyphens. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replace(/-$/, '');

const nameOfFile = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.[^.]*$/, '');

type About = {
  path: string | undefined;
  /** The branch from which it begins, for the name if no file is open. */
  from: string;
  taken: readonly string[];
};

/**
 * Proposes a name for a branch on which somebody edits a file. It consists of the names of the person and the file, and
 * is not taken yet.
 */
export function proposedName(person: string, { path, from, taken }: About): string {
  const name = [person, path === undefined ? from : nameOfFile(path)].map(plain).filter(Boolean).join('-') || 'changes';
  for (let number = 1; ; number++) {
    const next = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(next)) return next;
  }
}
