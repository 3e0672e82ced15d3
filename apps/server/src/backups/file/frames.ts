import { createCipheriv, createDecipheriv } from 'node:crypto';
import { BackupError } from './backup-error.ts';
import { headerLength, readSealing, type Sealing } from './header.ts';

/**
 * A stream in authenticated frames: a length of four bytes, then AES-256-GCM. The nonce contains the frame's number and
 * whether it is the last frame. So frames cannot be changed, left out, moved or cut off at the end. No byte of a frame
 * is passed on before its seal is checked.
 */

const frameBytes = 128 * 1024;
const tagBytes = 16;
const lastFlag = 0x8000_0000;

export async function* sealed(source: AsyncIterable<Buffer>, { header, key }: Sealing): AsyncGenerator<Buffer> {
  yield header;
  let number = 0;
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    while (waiting.length > frameBytes) {
      yield seal(waiting.subarray(0, frameBytes), { header, key, number: number++, isLast: false });
      waiting = waiting.subarray(frameBytes);
    }
  }
  yield seal(waiting, { header, key, number, isLast: true });
}

export async function* opened(source: AsyncIterable<Buffer>, passphrase: string | null): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    yield* openedFrames(byteReader(chunks), passphrase);
  } finally {
    // Always closes the source, which may be a file or a download.
    await chunks.return?.();
  }
}

async function* openedFrames(bytes: ByteReader, passphrase: string | null): AsyncGenerator<Buffer> {
  const header = await readHeader(bytes);
  const sealing = await readSealing(header, passphrase);
  for (let number = 0; ; number++) {
    const word = (await take(bytes, 4)).readUInt32BE();
    const isLast = (word & lastFlag) !== 0;
    const length = isLast ? word - lastFlag : word;
    if (length < tagBytes || length > frameBytes + tagBytes) throw damaged(number);
    yield open(await take(bytes, length), { ...sealing, number, isLast });
    if (isLast) break;
  }
  if ((await bytes(1)).length > 0) throw new BackupError('The backup is damaged: it has data after its end.');
}

type Frame = Sealing & { number: number; isLast: boolean };

function nonceOf({ number, isLast }: Frame): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function seal(content: Buffer, frame: Frame): Buffer {
  const cipher = createCipheriv('aes-256-gcm', frame.key, nonceOf(frame)).setAAD(frame.header);
  const word = Buffer.alloc(4);
  word.writeUInt32BE(content.length + tagBytes + (frame.isLast ? lastFlag : 0));
  return Buffer.concat([word, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function open(bytes: Buffer, frame: Frame): Buffer {
  const tag = bytes.subarray(bytes.length - tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', frame.key, nonceOf(frame)).setAAD(frame.header).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - tagBytes)), decipher.final()]);
  } catch {
    throw damaged(frame.number);
  }
}

const damaged = (number: number) =>
  new BackupError(
    number === 0
      ? 'The passphrase is wrong, or the beginning of the backup is damaged.'
      : `The backup is damaged about ${Math.round((number * frameBytes) / 2 ** 20)} MiB after its beginning.`,
  );

/** Returns the requested number of bytes, or fewer at the end of the source. */
type ByteReader = (count: number) => Promise<Buffer>;

function byteReader(chunks: AsyncIterator<Buffer>): ByteReader {
  let rest: Buffer = Buffer.alloc(0);
  return async (count) => {
    const parts = [rest];
    let have = rest.length;
    while (have < count) {
      const { value, done } = await chunks.next();
      if (done) break;
      parts.push(value);
      have += value.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts);
    rest = all.subarray(count);
    return all.subarray(0, count);
  };
}

async function take(bytes: ByteReader, count: number): Promise<Buffer> {
  const taken = await bytes(count);
  if (taken.length < count) throw new BackupError('The backup is incomplete: its end is missing.');
  return taken;
}

async function readHeader(bytes: ByteReader): Promise<Buffer> {
  let header: Buffer = Buffer.alloc(0);
  while (headerLength(header) === null) {
    const next = await bytes(1);
    if (next.length === 0) throw new BackupError('This is not a Bottega backup.');
    header = Buffer.concat([header, next]);
  }
  return header;
}
