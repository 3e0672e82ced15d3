import { isDenied, isUnsafe, readBelow, statusBelow } from '../files/below.ts';
import { createBelow, removeBelow, writeBelow } from '../files/written.ts';
import { isSafePath, placeAt } from './paths.ts';

/** A text, nothing, or something that a session cannot contain. */
export type Content = { kind: 'text'; text: string } | { kind: 'missing' } | { kind: 'other'; why: string };

const largest = 2 * 1024 * 1024;
const missing: Content = { kind: 'missing' };
const other = (why: string): Content => ({ kind: 'other', why });

export async function readLocal(root: string, path: string): Promise<Content> {
  if (!isSafePath(path)) return other('its name is not allowed on this system');
  const place = placeAt(root, path);
  try {
    const status = await statusBelow(place);
    if (status === null) return missing;
    if (!status.isFile()) return other(status.isSymbolicLink() ? 'it is a symbolic link' : 'it is not a file');
    if (status.size > largest) return other('it is larger than 2 MiB');
    const bytes = await readBelow(place, largest);
    return bytes === null ? missing : contentOf(bytes);
  } catch (error) {
    if (isUnsafe(error)) return other('it is behind a symbolic link');
    if (isDenied(error)) return other('it cannot be read');
    throw error;
  }
}

/** Decodes the content of a file. Bytes that change when they are decoded and encoded again are not text. */
function contentOf(bytes: Buffer): Content {
  const text = bytes.toString('utf8');
  return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? other('it is binary') : { kind: 'text', text };
}

/** Writes the file if it is still as expected. False if somebody has changed it in between. */
export async function writeLocal(root: string, path: string, text: string | null, expected: Content): Promise<boolean> {
  const isAsExpected = async () => {
    const content = await readLocal(root, path);
    return content.kind === expected.kind && textOf(content) === textOf(expected);
  };
  if (text !== null) return writeBelow(placeAt(root, path), text, { isStillWanted: isAsExpected });
  if (!(await isAsExpected())) return false;
  await removeBelow(placeAt(root, path));
  return true;
}

export const textOf = (content: Content): string | null => (content.kind === 'text' ? content.text : null);

/** Stores a text next to its file, under a free name. Returns its path. */
export async function keepConflictCopy(root: string, path: string, text: string, now = new Date()): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let number = 0; ; number += 1) {
    const kept = `${path}.local-${stamp}${number === 0 ? '' : `-${number}`}`;
    if (await createBelow(placeAt(root, kept), text)) return kept;
  }
}
