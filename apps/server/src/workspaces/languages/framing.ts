import { createGathered } from '../agent/gathered.mjs';

/** Messages of the language server protocol: a header with the number of bytes, an empty line, and JSON. */

const headerEnd = Buffer.from('\r\n\r\n');
const mostHeaderBytes = 8_192;

export const encodeMessage = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);

export const asMessage = (message: object): Buffer => encodeMessage(Buffer.from(JSON.stringify(message)));

/**
 * Encodes a message. Null if that fails: content from a client or a server may be nested too deeply for JSON.stringify.
 */
export function tryMessage(message: object): Buffer | null {
  try {
    return asMessage(message);
  } catch {
    return null;
  }
}

/** Splits received bytes into messages. Throws if the sender does not keep to the protocol. */
export function createMessageReader(mostBytes: number, onMessage: (body: Buffer) => void): (chunk: Buffer) => void {
  const gathered = createGathered();
  let wanted: number | null = null;

  return (chunk) => {
    gathered.add(chunk);
    const all = gathered.bytes();
    let at = 0;
    for (;;) {
      if (wanted === null) {
        const header = headerIn(all, at);
        if (header === null) break;
        if (header.bytes > mostBytes) throw new Error(`a message has ${header.bytes} bytes`);
        wanted = header.bytes;
        at = header.end;
      }
      if (all.length - at < wanted) break;
      const body = Buffer.from(all.subarray(at, at + wanted));
      at += wanted;
      wanted = null;
      onMessage(body);
    }
    gathered.drop(at);
  };
}

/** The header that begins here, and where it ends. Null if it is not complete. */
function headerIn(all: Buffer, at: number): { bytes: number; end: number } | null {
  const end = all.indexOf(headerEnd, at);
  const length = (end === -1 ? all.length : end) - at;
  if (length > mostHeaderBytes) throw new Error('a header is too long');
  if (end === -1) return null;
  return { bytes: bytesIn(all.toString('latin1', at, end)), end: end + headerEnd.length };
}

function bytesIn(header: string): number {
  const line = header.split('\r\n').find((one) => /^content-length:/i.test(one));
  const text = line?.slice(line.indexOf(':') + 1).trim() ?? '';
  if (!/^\d{1,9}$/.test(text)) throw new Error('a message has no length');
  return Number(text);
}
