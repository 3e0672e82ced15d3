import { LRUCache } from 'lru-cache';
import type { CacheRegistry } from '../../foundation/cluster/cache-registry.ts';
import { rememberRows } from '../../foundation/cluster/remembered-rows.ts';
import { singleFlight } from '../../foundation/concurrency/single-flight.ts';
import { type Db, isDatabaseAway } from '../../foundation/db/index.ts';
import {
  type ArtifactFile,
  type ByteRange,
  findArtifactFile,
  readArtifactChunks,
  readArtifactContent,
  readArtifactRange,
} from '../artifacts/index.ts';
import type { Pieces } from '../pieces/index.ts';
import type { AppAddress } from './address.ts';
import { type Found, findTarget, type Target } from './targets.sql.ts';

export type Encoding = 'br' | 'gzip' | null;

/** Served contents, cached in memory. An artifact never changes, so the cache is never stale. */
export type Contents = {
  target(app: Pick<AppAddress, 'by' | 'key'>): Promise<Found | null>;
  file(target: Target, path: string): Promise<ArtifactFile | null>;
  /** The file's content. Null if the file is too large for memory. It is then streamed. */
  small(target: Target, file: ArtifactFile, encoding: Encoding): Promise<Buffer | null>;
  stream(target: Target, file: ArtifactFile, encoding: Encoding, range: ByteRange | null): AsyncGenerator<Buffer>;
};

/**
 * How long cached targets are used while the database cannot be reached. If only this node cannot reach it, the targets
 * may change meanwhile.
 */
const trustedMs = 10 * 60_000;
const maxHeld = 2 * 1024 * 1024;
/** Visitors choose the paths, so the caches of paths are limited in bytes. */
const filesBytes = 32 * 1024 * 1024;
const missingBytes = 4 * 1024 * 1024;
/** Longest path on the systems that builds run on. */
const longestPath = 4_096;
const longestRemembered = 512;

type Options = { db: Db; pieces: Pieces; caches: Pick<CacheRegistry, 'mark'> };

export function createContents({ db, pieces, caches }: Options, memoryBytes: number): Contents {
  const targets = rememberRows<Found | null>(caches, 'apps', 10_000);
  const files = new LRUCache<string, ArtifactFile>({
    maxSize: filesBytes,
    sizeCalculation: (file, key) => 2 * key.length + bytesOf(file),
  });
  // A separate cache, so that a flood of missing paths does not push out existing ones.
  const missing = new LRUCache<string, true>({
    maxSize: missingBytes,
    sizeCalculation: (_, key) => 2 * key.length + 200,
  });
  const contents = new LRUCache<string, Buffer>({
    maxSize: memoryBytes,
    sizeCalculation: (content) => content.length + 200,
  });
  // If many visitors request the same content at the same time, it is read only once.
  const read = singleFlight(async (key: string, projectId: string, chunks: Buffer) => {
    const content = await readArtifactContent(pieces, projectId, chunks);
    contents.set(key, content);
    return content;
  });
  return {
    async target(app) {
      const name = `${app.by} ${app.key}`;
      try {
        return await targets.get(name, async () => (await findTarget(db, app)) ?? null);
      } catch (error) {
        const known = targets.last(name);
        if (!known?.value || !isDatabaseAway(error) || Date.now() - known.readAt > trustedMs) throw error;
        return known.value;
      }
    },
    async file({ artifact_id: id }, path) {
      if (path.length > longestPath) return null;
      const key = `${id} ${path}`;
      const known = files.get(key);
      if (known || missing.get(key)) return known ?? null;
      const file = (await findArtifactFile(db, id, path)) ?? null;
      if (file) files.set(key, file);
      else if (path.length <= longestRemembered) missing.set(key, true);
      return file;
    },
    async small({ project_id: projectId }, file, encoding) {
      if (file.size > maxHeld) return null;
      const chunks = chunksOf(file, encoding);
      const key = `${projectId} ${chunks.toString('latin1')}`;
      return contents.get(key) ?? read(key, projectId, chunks);
    },
    stream({ project_id: projectId }, file, encoding, range) {
      const chunks = chunksOf(file, encoding);
      return range
        ? readArtifactRange(pieces, projectId, chunks, range)
        : readArtifactChunks(pieces, projectId, chunks);
    },
  };
}

function chunksOf(file: ArtifactFile, encoding: Encoding): Buffer {
  const chunks = encoding === 'br' ? file.brotli_chunks : encoding === 'gzip' ? file.gzip_chunks : file.chunks;
  return chunks ?? file.chunks;
}

const bytesOf = ({ path, chunks, brotli_chunks, gzip_chunks }: ArtifactFile): number =>
  500 + 2 * path.length + chunks.length + (brotli_chunks?.length ?? 0) + (gzip_chunks?.length ?? 0);
