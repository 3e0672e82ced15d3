import { isUtf8 } from 'node:buffer';

/** Thrown for a commit or tag that git could not read either. */
export class CommitError extends Error {
  override readonly name = 'CommitError';
}

export type ObjectHeader = { name: string; value: Buffer };

/** The header lines of a commit or tag with continuation lines joined, and the body after the empty line. */
export function readHeaders(content: Buffer): { headers: ObjectHeader[]; body: Buffer } {
  const headers: ObjectHeader[] = [];
  let at = 0;
  while (at < content.length && content[at] !== 0x0a) {
    const space = content.indexOf(0x20, at);
    let end = content.indexOf(0x0a, at);
    if (space <= at || space > end) throw new CommitError(`no header at byte ${at}`);
    // A line that begins with a space continues the one before. Signatures and merged tags have many.
    while (end !== -1 && content[end + 1] === 0x20) end = content.indexOf(0x0a, end + 1);
    if (end === -1) throw new CommitError(`the header at byte ${at} has no end`);
    headers.push({ name: content.toString('latin1', at, space), value: content.subarray(space + 1, end) });
    at = end + 1;
  }
  return { headers, body: content.subarray(at + 1) };
}

/** The value of the header at `index`. The header must have this name, because git's own headers have a fixed order. */
export function requireHeader(headers: readonly ObjectHeader[], index: number, name: string): Buffer {
  const header = headers[index];
  if (header?.name !== name) throw new CommitError(`"${header?.name ?? 'nothing'}" where "${name}" should be`);
  return header.value;
}

export function readSha(value: Buffer): Buffer {
  const hex = value.toString('latin1');
  if (!/^[0-9a-f]{40}$/.test(hex)) throw new CommitError('an id does not consist of 40 hexadecimal digits');
  return Buffer.from(hex, 'hex');
}

/** Removes the space that marks each continuation line. */
export function unfold(value: string): string {
  return value.replaceAll('\n ', '\n');
}

/**
 * Returns a reader for the texts of this object. Git assumes UTF-8 unless a header says otherwise. Invalid UTF-8 and
 * unknown encodings are read as Latin-1, which can decode anything. A text ends at a NUL, as git shows it.
 */
export function textReader(headers: readonly ObjectHeader[]): (bytes: Buffer) => string {
  const label = headers.find(({ name }) => name === 'encoding')?.value.toString('latin1') ?? '';
  const isLatin1 = /^(iso[-_]?8859[-_]1|latin[-_]?1)$/i.test(label);
  return (bytes) => {
    const nul = bytes.indexOf(0);
    const text = nul === -1 ? bytes : bytes.subarray(0, nul);
    return text.toString(!isLatin1 && isUtf8(text) ? 'utf8' : 'latin1');
  };
}
