import { lookup } from 'mime-types';
import { isBinary } from '../objects/line-changes.ts';
import { nameOf } from './paths.ts';

/** What the registry of media types calls data or video, and a developer calls source. */
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

/** By the name; null where the name says nothing. */
export function mimeTypeOfName(name: string): string | null {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return sources[extension] ?? (lookup(name) || null);
}

/** After a move: by the new name. Where that says nothing, a content that is not at hand is taken for bytes. */
export function movedMimeType(before: { path: string; mimeType: string }, name: string, content?: Buffer): string {
  if (mimeTypeOfName(name) === null && mimeTypeOfName(nameOf(before.path)) === null) return before.mimeType;
  return mimeTypeOf(name, content ?? Buffer.alloc(1));
}

/** By the name, else by the content: text where there is no NUL byte near its beginning, as git decides. */
export function mimeTypeOf(name: string, content: Buffer): string {
  return mimeTypeOfName(name) ?? (isBinary(content) ? 'application/octet-stream' : 'text/plain');
}
