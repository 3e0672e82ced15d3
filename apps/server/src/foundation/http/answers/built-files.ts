import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lookup } from 'mime-types';

/** `plain`, `br` and `gzip` are paths of files. */
export type BuiltFile = { type: string; plain: string; br: string | null; gzip: string | null };

/**
 * The files of a build by their URL path, listed once. A URL names either one of these files or nothing, so no path can
 * lead to another file. The contents stay on disk. Otherwise, every process would hold all of them in memory.
 */
export function listBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'));
  const known = new Set(names);
  const ifThere = (name: string) => (known.has(name) ? join(folder, name) : null);
  const files = names
    .filter((name) => !/\.(br|gz)$/.test(name))
    .map((name): [string, BuiltFile] => [
      name,
      {
        type: lookup(name) || 'application/octet-stream',
        plain: join(folder, name),
        br: ifThere(`${name}.br`),
        gzip: ifThere(`${name}.gz`),
      },
    ]);
  return new Map(files);
}

export const forever = 'public, max-age=31536000, immutable';

export async function sendBuiltFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, cacheControl }: { file: BuiltFile | undefined; cacheControl: string },
): Promise<FastifyReply> {
  const { encoding, place } = bestEncoding(file, request.headers['accept-encoding'] ?? '');
  // If somebody builds while the service runs, the build removes the old files, so a listed file may be missing.
  const content = place === null ? null : await readFile(place).catch(() => null);
  if (!file || !content) {
    reply.callNotFound();
    return reply;
  }
  if (encoding) reply.header('content-encoding', encoding);
  return reply
    .type(/^text\/|javascript/.test(file.type) ? `${file.type}; charset=utf-8` : file.type)
    .header('vary', 'Accept-Encoding')
    .header('cache-control', cacheControl)
    .send(content);
}

function bestEncoding(file: BuiltFile | undefined, accepted: string) {
  const { plain, br, gzip } = file ?? { plain: null, br: null, gzip: null };
  if (br && /\bbr\b(?!;\s*q=0(?![.\d]))/.test(accepted)) return { encoding: 'br', place: br };
  if (gzip && /\bgzip\b(?!;\s*q=0(?![.\d]))/.test(accepted)) return { encoding: 'gzip', place: gzip };
  return { encoding: null, place: plain };
}
