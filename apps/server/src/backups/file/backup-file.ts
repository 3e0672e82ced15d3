import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupError } from './backup-error.ts';
import { opened, sealed } from './frames.ts';
import { newSealing } from './header.ts';
import { type BackupRecord, decodeRecords, encodeRecord } from './records.ts';

/** Fast rather than small: contents of git are compressed already. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

async function* encoded(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) yield* encodeRecord(record);
}

/** Appears under its name when it is whole and on the disk, and not before. Answers with its size. */
export async function writeBackupFile(
  path: string,
  records: AsyncIterable<BackupRecord>,
  passphrase: string | null,
): Promise<number> {
  const sealing = await newSealing(passphrase);
  const draft = `${path}.part`;
  const file = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
  try {
    await finished(
      Readable.from(encoded(records), { objectMode: false }),
      createZstdCompress(compression),
      (source: AsyncIterable<Buffer>) => sealed(source, sealing),
      file,
    );
    await rename(draft, path);
    await syncDirectory(dirname(path));
    return file.bytesWritten;
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new BackupError(
        `${draft} exists: another backup is being written there, or one was interrupted; delete it.`,
      );
    }
    await rm(draft, { force: true });
    throw /^(open|write|fsync|rename)$/.test(syscall ?? '')
      ? new BackupError(`The backup cannot be written: ${message}`)
      : error;
  }
}

/** A new name is durable only with its directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

export async function* readBackupFile(path: string, passphrase: string | null): AsyncGenerator<BackupRecord> {
  const file = await open(path).catch((error: Error) => {
    throw new BackupError(`The backup cannot be read: ${error.message}`);
  });
  const source = pipeline(
    file.createReadStream({ highWaterMark: 256 * 1024 }),
    (bytes: AsyncIterable<Buffer>) => opened(bytes, passphrase),
    createZstdDecompress(),
    // What went wrong is thrown to whoever reads.
    () => undefined,
  );
  yield* decodeRecords(source);
}
