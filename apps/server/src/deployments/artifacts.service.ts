import { createHash } from 'node:crypto';
import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { lookup } from 'mime-types';
import type { Db } from '../db/pool.ts';
import { transaction } from '../db/transaction.ts';
import { newId } from '../ids.ts';
import * as rows from './artifacts.sql.ts';
import type { OutputFile } from './output-files.ts';
import type { MustFit } from './storage.ts';

const chunkBytes = 1024 * 1024;
const digestBytes = 32;
/** Below this, compressing gains less than a packet; above, it takes longer than anyone wants to wait for a deployment. */
const [leastCompressed, mostCompressed] = [512, 8 * 1024 * 1024];
const compressible =
  /^text\/|^application\/(json|javascript|xml|wasm|manifest\+json|.*\+xml|.*\+json)|^image\/(svg\+xml|bmp|x-icon)|^font\/(ttf|otf)/;

const inGzip = promisify(gzip);
const inBrotli = promisify(brotliCompress);
const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

type Recipe = { startCommand: string | null; spa: boolean };

/** Stores what a build left, piece by piece; the same list of files as before is the same artifact. */
export async function storeArtifact(
  db: Db,
  projectId: string,
  files: OutputFile[],
  { mustFit, ...recipe }: Recipe & { mustFit: MustFit },
): Promise<string> {
  const isServer = recipe.startCommand !== null;
  const stored: rows.ArtifactFile[] = [];
  for (const file of files) {
    stored.push(await storeFile(db, projectId, file, isServer));
    await mustFit(file.size);
  }
  await mustFit(Number.POSITIVE_INFINITY);
  const manifest = createHash('sha256').update(JSON.stringify(recipe));
  for (const { path, kind, checksum } of stored) manifest.update(`\0${kind} ${path}\0`).update(checksum);
  const artifact = {
    id: newId('art'),
    project_id: projectId,
    digest: manifest.digest(),
    start_command: recipe.startCommand,
    spa: recipe.spa,
    file_count: stored.length,
    size: stored.reduce((sum, { size }) => sum + size, 0),
  };
  return transaction(db, (trx) => rows.insertArtifact(trx, artifact, stored));
}

async function storeFile(db: Db, projectId: string, file: OutputFile, isServer: boolean): Promise<rows.ArtifactFile> {
  const mimeType = lookup(file.path) || 'application/octet-stream';
  const wantsVariants =
    !isServer && compressible.test(mimeType) && file.size >= leastCompressed && file.size <= mostCompressed;
  const plain = await storeContent(db, projectId, file);
  const variants = wantsVariants ? await storeVariants(db, projectId, file.place) : {};
  return {
    path: file.path,
    kind: file.kind,
    size: plain.size,
    mime_type: mimeType,
    checksum: plain.checksum,
    chunks: plain.chunks,
    gzip_chunks: null,
    gzip_size: null,
    brotli_chunks: null,
    brotli_size: null,
    ...variants,
  };
}

/** Read piece by piece: however large a file is, one piece of it is in memory. */
async function storeContent(db: Db, projectId: string, file: OutputFile) {
  if (file.kind === 'link') {
    const target = Buffer.from(file.place);
    return { size: target.length, checksum: sha256(target), chunks: await storeBytes(db, projectId, target) };
  }
  const whole = createHash('sha256');
  const digests: Buffer[] = [];
  let size = 0;
  const handle = await open(file.place, 'r');
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      whole.update(piece);
      size += bytesRead;
      digests.push(await storeBytes(db, projectId, piece));
    }
  } finally {
    await handle.close();
  }
  return { size, checksum: whole.digest(), chunks: Buffer.concat(digests) };
}

async function storeVariants(db: Db, projectId: string, place: string): Promise<Partial<rows.ArtifactFile>> {
  const content = await readFile(place);
  const [gzipped, brotlied] = await Promise.all([
    inGzip(content, { level: 8 }),
    inBrotli(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  ]);
  const keep = async (variant: Buffer) =>
    variant.length < content.length * 0.95 ? storeBytes(db, projectId, variant) : null;
  const [gzip_chunks, brotli_chunks] = [await keep(gzipped), await keep(brotlied)];
  return {
    gzip_chunks,
    gzip_size: gzip_chunks && gzipped.length,
    brotli_chunks,
    brotli_size: brotli_chunks && brotlied.length,
  };
}

/** The digests of the pieces, which are stored unless they are there. */
async function storeBytes(db: Db, projectId: string, content: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let from = 0; from < content.length; from += chunkBytes) pieces.push(content.subarray(from, from + chunkBytes));
  const digests = pieces.map(sha256);
  const missing = new Set((await rows.missingChunks(db, projectId, digests)).map((digest) => digest.toString('hex')));
  for (const [index, piece] of pieces.entries()) {
    const digest = digests[index];
    if (digest && missing.has(digest.toString('hex'))) await rows.insertChunk(db, projectId, digest, piece);
  }
  return Buffer.concat(digests);
}

/** The pieces in order, one at a time. */
export async function* readArtifactChunks(db: Db, projectId: string, chunks: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < chunks.length; at += digestBytes) {
    const content = await rows.readChunk(db, projectId, chunks.subarray(at, at + digestBytes));
    if (!content) throw new Error('a piece of an artifact is not stored');
    yield content;
  }
}

export async function readArtifactContent(db: Db, projectId: string, chunks: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readArtifactChunks(db, projectId, chunks)) pieces.push(piece);
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

/** The files of a server app in an empty directory, as the build left them. */
export async function restoreArtifact(db: Db, projectId: string, artifactId: string, directory: string): Promise<void> {
  for (const { path, kind, chunks } of await rows.listArtifactFiles(db, artifactId)) {
    const place = join(directory, path);
    await mkdir(dirname(place), { recursive: true });
    if (kind === 'link') {
      await symlink((await readArtifactContent(db, projectId, chunks)).toString(), place);
      continue;
    }
    const content = await readArtifactContent(db, projectId, chunks);
    await writeFile(place, content, { mode: kind === 'executable' ? 0o755 : 0o644, flag: 'wx' });
  }
}
