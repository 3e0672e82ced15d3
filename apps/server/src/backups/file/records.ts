import { BackupError } from './backup-error.ts';

/** The content of the frames after decompression: statements about the data, and the data itself in pieces. */
export type BackupRecord = { metadata: unknown } | { data: Buffer };

const metadataKind = 1;
const dataKind = 2;
const prefixBytes = 5;
const maxDataBytes = 2 ** 20;
const maxMetadataBytes = 2 ** 24;

export function* encodeRecord(record: BackupRecord): Generator<Buffer> {
  if ('metadata' in record) {
    const text = Buffer.from(JSON.stringify(record.metadata));
    yield prefix(metadataKind, text.length);
    yield text;
    return;
  }
  for (let at = 0; at < record.data.length; at += maxDataBytes) {
    const piece = record.data.subarray(at, at + maxDataBytes);
    yield prefix(dataKind, piece.length);
    yield piece;
  }
}

function prefix(kind: number, length: number): Buffer {
  const bytes = Buffer.alloc(prefixBytes);
  bytes[0] = kind;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

export async function* decodeRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (let length = recordLength(waiting); length !== null; length = recordLength(waiting)) {
      const content = waiting.subarray(prefixBytes, length);
      yield waiting[0] === metadataKind ? { metadata: parsed(content) } : { data: content };
      waiting = waiting.subarray(length);
    }
  }
  if (waiting.length > 0) throw new BackupError('The backup is incomplete: it ends inside a record.');
}

/** A seal proves that nobody changed the file since it was written, not that its writer was honest. */
function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    throw new BackupError('The backup is damaged: a record cannot be read.');
  }
}

/** The length of a record. Null if the record is not complete yet. */
function recordLength(bytes: Buffer): number | null {
  if (bytes.length < prefixBytes) return null;
  const length = bytes.readUInt32BE(1);
  if (length > (bytes[0] === metadataKind ? maxMetadataBytes : maxDataBytes))
    throw new BackupError('The backup is damaged.');
  return bytes.length < prefixBytes + length ? null : prefixBytes + length;
}
