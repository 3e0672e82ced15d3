import { pipeline, Readable } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type ObjectStore, ObjectStoreError } from '../../foundation/objects/index.ts';
import { BackupError } from './backup-error.ts';
import { opened, sealed } from './frames.ts';
import { newSealing } from './header.ts';
import { type BackupRecord, decodeRecords, encodeRecord } from './records.ts';

/** The location of a backup. */
export type Place = { store: ObjectStore; name: string };

/** Fast rather than small, because git contents are already compressed. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

async function* encoded(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) yield* encodeRecord(record);
}

/** A callback that ignores the error, because the reader of the last stream gets it too. */
const told = (): void => undefined;

/** Writes a backup and returns its size. The file appears under its name only when it is complete. */
export async function writeBackupFile(
  { store, name }: Place,
  records: AsyncIterable<BackupRecord>,
  passphrase: string | null,
): Promise<number> {
  const sealing = await newSealing(passphrase);
  const source = Readable.from(encoded(records), { objectMode: false });
  const compressed = pipeline(source, createZstdCompress(compression), told);
  return store.put(name, sealed(compressed, sealing)).catch(inOwnWords('The backup cannot be written'));
}

export async function* readBackupFile({ store, name }: Place, passphrase: string | null): AsyncGenerator<BackupRecord> {
  const bytes = opened(store.get(name), passphrase);
  const source = pipeline(Readable.from(bytes, { objectMode: false }), createZstdDecompress(), told);
  try {
    yield* decodeRecords(source);
  } catch (error) {
    inOwnWords('The backup cannot be read')(error);
  }
}

const inOwnWords =
  (words: string) =>
  (error: unknown): never => {
    throw error instanceof ObjectStoreError ? new BackupError(`${words}: ${error.message}`) : error;
  };
