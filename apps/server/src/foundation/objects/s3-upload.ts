import type { S3Client } from '@aws-sdk/client-s3';
import { ObjectStoreError } from './object-store.ts';
import type { Sdk } from './s3-client.ts';

/** Size of a part. One part is in memory at a time. Some stores require parts of equal size. */
const partBytes = 32 * 1024 * 1024;
const maxParts = 10_000;

/** Makes one request, and repeats it while the network or the store is unavailable. */
export type Ask = <Output>(work: (connected: { sdk: Sdk; client: S3Client }) => Promise<Output>) => Promise<Output>;

type Target = { Bucket: string; Key: string; address: string };

/**
 * Uploads in parts, and sends a part again if it has not arrived. An upload that cannot be finished is aborted, so that
 * no part of it is stored or billed. Small objects are sent in one request.
 */
export async function upload(
  ask: Ask,
  { address, ...object }: Target,
  source: AsyncIterable<Buffer>,
  size = partBytes,
): Promise<number> {
  const done: { PartNumber: number; ETag: string | undefined }[] = [];
  let UploadId: string | undefined;
  let bytes = 0;
  try {
    for await (const Body of piecesOf(source, size)) {
      bytes += Body.length;
      if (bytes < size) {
        await ask(({ sdk, client }) => client.send(new sdk.PutObjectCommand({ ...object, Body })));
        return bytes;
      }
      UploadId ??= (await ask(({ sdk, client }) => client.send(new sdk.CreateMultipartUploadCommand(object)))).UploadId;
      const PartNumber = done.length + 1;
      if (PartNumber > maxParts) throw new ObjectStoreError(`${address} is larger than ${maxParts} parts can hold`);
      const part = { ...object, UploadId, PartNumber, Body };
      const { ETag } = await ask(({ sdk, client }) => client.send(new sdk.UploadPartCommand(part)));
      done.push({ PartNumber, ETag });
    }
    const whole = { ...object, UploadId, MultipartUpload: { Parts: done } };
    await ask(({ sdk, client }) => client.send(new sdk.CompleteMultipartUploadCommand(whole)));
    return bytes;
  } catch (error) {
    if (UploadId) await abort(ask, { ...object, UploadId });
    throw error;
  }
}

/** Aborts an upload. If this fails too, the upload is aborted later, with other unfinished ones. */
async function abort(ask: Ask, begun: { Bucket: string; Key: string; UploadId: string }): Promise<void> {
  await ask(({ sdk, client }) => client.send(new sdk.AbortMultipartUploadCommand(begun))).catch(() => undefined);
}

const firstBytes = 64 * 1024;

/**
 * Yields pieces of equal size, except for the last. If there is no data, yields one empty piece. For little data, no
 * buffer of the full size is allocated.
 */
async function* piecesOf(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let piece: Buffer = Buffer.allocUnsafe(Math.min(firstBytes, size));
  let filled = 0;
  let isFirst = true;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === piece.length) piece = enlarged(piece, size);
      const copied = chunk.copy(piece, filled, at);
      at += copied;
      filled += copied;
      if (filled < size) continue;
      isFirst = false;
      yield piece;
      // A new buffer is used, because the old one may still be in transit.
      piece = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0 || isFirst) yield piece.subarray(0, filled);
}

function enlarged(piece: Buffer, max: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.min(4 * piece.length, max));
  piece.copy(larger);
  return larger;
}
