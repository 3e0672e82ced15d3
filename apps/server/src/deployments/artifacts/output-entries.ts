import { reasonSentence } from '@bottega/contract';
import { BuildProblem } from '../state/index.ts';
import type { TarEntry } from './tar-entries.ts';

/** An entry of a build's output, or of the tree of a project without a build. Paths begin with a slash. */
export type OutputEntry =
  | {
      kind: 'file' | 'executable';
      path: string;
      size: number;
      /** The content in pieces of the same size, except the last. It can be read once, before the next entry. */
      content: () => AsyncIterable<Buffer>;
    }
  | { kind: 'directory'; path: string }
  | { kind: 'link'; path: string; target: string }
  /** Another name for an earlier file. */
  | { kind: 'copy'; path: string; of: string };

const longestPath = 2_000;
const deepest = 100;

/** The entries of an archived directory. Devices, pipes and names that are not text are left out. */
export async function* outputEntries(entries: AsyncIterable<TarEntry>): AsyncGenerator<OutputEntry> {
  for await (const entry of entries) {
    const path = pathOf(entry.name);
    if (path === null || path === '' || entry.kind === 'other') continue;
    if (entry.kind === 'directory') yield { kind: 'directory', path };
    else if (entry.kind === 'file') {
      yield { kind: entry.isExecutable ? 'executable' : 'file', path, size: entry.size, content: entry.content };
    } else {
      const target = entry.kind === 'link' ? asText(entry.target) : pathOf(entry.target);
      if (target === null) continue;
      yield entry.kind === 'link' ? { kind: 'link', path, target } : { kind: 'copy', path, of: target };
    }
  }
}

/**
 * `./a/b` becomes `/a/b`, and the directory itself becomes an empty text. Null for a name that is not text, because
 * PostgreSQL could not store it.
 */
function pathOf(name: Buffer): string | null {
  const text = asText(name);
  if (text === null) return null;
  const parts = text.replace(/\/$/, '').split('/');
  if (parts[0] === '.') parts.shift();
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new BuildProblem('build_failed', reasonSentence('output_unreadable', { detail: 'a path leads outside it' }));
  }
  if (parts.length > deepest) {
    throw new BuildProblem('too_large', reasonSentence('output_too_deep', { levels: deepest }));
  }
  const path = parts.map((part) => `/${part}`).join('');
  if (path.length > longestPath) {
    throw new BuildProblem('too_large', reasonSentence('output_path_too_long', { characters: longestPath }));
  }
  return path;
}

function asText(bytes: Buffer): string | null {
  const text = bytes.toString();
  return text.includes('\ufffd') ? null : text;
}
