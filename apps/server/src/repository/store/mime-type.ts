import { lookup } from 'mime-types';
import { isBinary } from '../objects/line-changes.ts';
import { nameOf } from './paths.ts';

/** Extensions that the registry of media types lists as data or video, but that mean source code to developers. */
const sources: Record<string, string> = {
  ts: 'text/x-typescript',
  mts: 'text/x-typescript',
  cts: 'text/x-typescript',
  tsx: 'text/x-typescript',
  jsx: 'text/javascript',
  rs: 'text/x-rust',
  go: 'text/x-go',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  vue: 'text/x-vue',
  svelte: 'text/x-svelte',
  kt: 'text/x-kotlin',
  swift: 'text/x-swift',
  cs: 'text/x-csharp',
};

/** The type according to the name. Null if the name says nothing. */
export function mimeTypeOfName(name: string): string | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return sources[extension] ?? (lookup(name) || null);
}

/**
 * The type after a move, according to the new name. If the name says nothing, content that is not loaded counts as
 * binary.
 */
export function movedMimeType(before: { path: string; mimeType: string }, name: string, content?: Buffer): string {
  if (mimeTypeOfName(name) === null && mimeTypeOfName(nameOf(before.path)) === null) return before.mimeType;
  return mimeTypeOf(name, content ?? Buffer.alloc(1));
}

/**
 * The type according to the name, or otherwise to the content. It is text if there is no NUL byte near its beginning,
 * as in git.
 */
export function mimeTypeOf(name: string, content: Buffer): string {
  return mimeTypeOfName(name) ?? (isBinary(content) ? 'application/octet-stream' : 'text/plain');
}
