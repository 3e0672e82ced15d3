/** Messages of the language server protocol: a header with the number of bytes, an empty line, and JSON. */

const headerEnd = Buffer.from('\r\n\r\n');
const mostHeaderBytes = 8_192;

export const encodeMessage = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);

export const asMessage = (message: object): Buffer => encodeMessage(Buffer.from(JSON.stringify(message)));

/** Splits received bytes into messages. Throws if the sender does not keep to the protocol. */
export function createMessageReader(mostBytes: number, onMessage: (body: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted: number | null = null;

  const joined = (): Buffer => {
    const [first = Buffer.alloc(0), ...others] = parts;
    const all = others.length === 0 ? first : Buffer.concat(parts);
    parts = [all];
    return all;
  };
  const keep = (rest: Buffer) => {
    parts = rest.length === 0 ? [] : [rest];
    length = rest.length;
  };

  /** False if the header is not complete. */
  function readHeader(): boolean {
    const all = joined();
    const end = all.indexOf(headerEnd);
    if (end === -1 ? all.length > mostHeaderBytes : end > mostHeaderBytes) throw new Error('a header is too long');
    if (end === -1) return false;
    wanted = bytesIn(all.toString('latin1', 0, end));
    if (wanted > mostBytes) throw new Error(`a message has ${wanted} bytes`);
    keep(all.subarray(end + headerEnd.length));
    return true;
  }

  return (chunk) => {
    parts.push(chunk);
    length += chunk.length;
    while (length > 0) {
      if (wanted === null && !readHeader()) return;
      // The parts are joined once all are there: a message that comes in small parts costs no more than its length.
      if (wanted === null || length < wanted) return;
      const all = joined();
      const body = all.subarray(0, wanted);
      keep(all.subarray(wanted));
      wanted = null;
      onMessage(body);
    }
  };
}

function bytesIn(header: string): number {
  const line = header.split('\r\n').find((one) => /^content-length:/i.test(one));
  const text = line?.slice(line.indexOf(':') + 1).trim() ?? '';
  if (!/^\d{1,9}$/.test(text)) throw new Error('a message has no length');
  return Number(text);
}
