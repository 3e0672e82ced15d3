import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { lookup } from 'mime-types';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import type { Pieces, PieceWriter } from '../pieces/index.ts';
import * as rows from './artifacts.sql.ts';
import type { OutputEntry } from './output-entries.ts';
import { pieceBytes } from './tar-entries.ts';

const digestBytes = 32;
/**
 * Sizes that are compressed, in bytes. Below the first, compression saves less than a packet. Above the second, it
 * would delay the deployment too long.
 */
const [leastCompressed, maxCompressed] = [512, 8 * 1024 * 1024];
const compressible =
  /^text\/|^application\/(json|javascript|xml|wasm|manifest\+json|.*\+xml|.*\+json)|^image\/(svg\+xml|bmp|x-icon)|^font\/(ttf|otf)/;

const inGzip = promisify(gzip);
const inBrotli = promisify(brotliCompress);
const sha256 = (content: Buffer): Buffer => createHash('sha256').update(content).digest();

type Recipe = { startCommand: string | null; spa: boolean };

/** Stores a build's files as one artifact. If the list of files is the same as before, the artifact is the same. */
export async function storeArtifact(
  db: Db,
  projectId: string,
  stored: rows.ArtifactFile[],
  recipe: Recipe,
): Promise<string> {
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

const typeOf = (path: string): string => lookup(path) || 'application/octet-stream';

/**
 * A file with the same content under another path. Its compressed content is reused, because that does not depend on
 * the name.
 */
export const underOtherName = (file: rows.ArtifactFile, path: string): rows.ArtifactFile => ({
  ...file,
  path,
  mime_type: typeOf(path),
});

type NewFile = Extract<OutputEntry, { kind: 'file' | 'executable' }>;

/**
 * Stores a file piece by piece. Only one piece is in memory at a time, or the whole file if it is small enough to
 * compress.
 */
export async function storeFile(
  writer: PieceWriter,
  { path, kind, size, content }: NewFile,
  { wantsVariants }: { wantsVariants: boolean },
): Promise<rows.ArtifactFile> {
  const isCompressed =
    wantsVariants && compressible.test(typeOf(path)) && size >= leastCompressed && size <= maxCompressed;
  const whole = createHash('sha256');
  const digests: Buffer[] = [];
  const gathered: Buffer[] = [];
  for await (const piece of content()) {
    whole.update(piece);
    if (isCompressed) gathered.push(piece);
    digests.push(await storeBytes(writer, piece));
  }
  return {
    ...withoutVariants,
    ...{ path, kind, size, mime_type: typeOf(path), checksum: whole.digest(), chunks: Buffer.concat(digests) },
    ...(isCompressed && (await storeVariants(writer, Buffer.concat(gathered)))),
  };
}

const withoutVariants = { gzip_chunks: null, gzip_size: null, brotli_chunks: null, brotli_size: null };

export async function storeLink(
  writer: PieceWriter,
  { path, target }: { path: string; target: string },
): Promise<rows.ArtifactFile> {
  const text = Buffer.from(target);
  const chunks = await storeBytes(writer, text);
  const fields = { path, size: text.length, mime_type: typeOf(path), checksum: sha256(text), chunks };
  return { ...withoutVariants, ...fields, kind: 'link' };
}

async function storeVariants(writer: PieceWriter, content: Buffer): Promise<Partial<rows.ArtifactFile>> {
  const [gzipped, brotlied] = await Promise.all([
    inGzip(content, { level: 8 }),
    inBrotli(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  ]);
  const keep = async (variant: Buffer) => (variant.length < content.length * 0.95 ? storeBytes(writer, variant) : null);
  const [gzip_chunks, brotli_chunks] = [await keep(gzipped), await keep(brotlied)];
  return {
    gzip_chunks,
    gzip_size: gzip_chunks && gzipped.length,
    brotli_chunks,
    brotli_size: brotli_chunks && brotlied.length,
  };
}

/** Stores the pieces that are missing, and returns the digests of all pieces. */
async function storeBytes(writer: PieceWriter, content: Buffer): Promise<Buffer> {
  const digests: Buffer[] = [];
  for (let from = 0; from < content.length; from += pieceBytes) {
    digests.push(await writer.write(content.subarray(from, from + pieceBytes)));
  }
  return Buffer.concat(digests);
}

/** The pieces in order. While one is sent, the next is read. */
export async function* readArtifactChunks(pieces: Pieces, projectId: string, chunks: Buffer): AsyncGenerator<Buffer> {
  const read = (at: number) => {
    const piece = pieces.read({ projectId, digest: chunks.subarray(at, at + digestBytes) });
    // If nobody needs this piece any more, its error is ignored.
    piece.catch(() => undefined);
    return piece;
  };
  let next = chunks.length > 0 ? read(0) : null;
  for (let at = digestBytes; next; at += digestBytes) {
    const piece = await next;
    next = at < chunks.length ? read(at) : null;
    yield piece;
  }
}

export type ByteRange = { first: number; last: number };

/**
 * The bytes of a range. All pieces except the last have the same size, so the pieces outside the range can be skipped.
 */
export async function* readArtifactRange(
  pieces: Pieces,
  projectId: string,
  chunks: Buffer,
  { first, last }: ByteRange,
): AsyncGenerator<Buffer> {
  const [from, to] = [Math.floor(first / pieceBytes), Math.floor(last / pieceBytes) + 1];
  let at = from * pieceBytes;
  for await (const piece of readArtifactChunks(
    pieces,
    projectId,
    chunks.subarray(from * digestBytes, to * digestBytes),
  )) {
    yield piece.subarray(Math.max(0, first - at), last + 1 - at);
    at += piece.length;
  }
}

export async function readArtifactContent(pieces: Pieces, projectId: string, chunks: Buffer): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of readArtifactChunks(pieces, projectId, chunks)) read.push(piece);
  return read.length === 1 && read[0] ? read[0] : Buffer.concat(read);
}
