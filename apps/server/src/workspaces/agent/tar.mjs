// @ts-check
/**
 * Writes and reads the entries of a layer as a tar. Times have milliseconds, which are in header bytes that other
 * programs leave empty. Any tar program can list and unpack the archive.
 */

export const block = 512;
const longestName = 100;

/**
 * @typedef {'file' | 'copy' | 'link' | 'directory'} Kind
 * @typedef {{ path: string, kind: Kind, mode: number, size: number, mtime: number, target: string }} Entry
 */

/** @type {Record<Kind, string>} */
const types = { file: '0', copy: '1', link: '2', directory: '5' };
const kinds = new Map(Object.entries(types).map(([kind, type]) => [type, /** @type {Kind} */ (kind)]));

/** @param {number} size */
export const paddingOf = (size) => (block - (size % block)) % block;

/** The headers of an entry. A long name has its own header, as in GNU tar. @param {Entry} entry */
export function encodeHeaders(entry) {
  const { path, target } = entry;
  return Buffer.concat([longText('L', path), longText('K', target), header(types[entry.kind], entry)]);
}

export const endOfArchive = Buffer.alloc(2 * block);

/** @param {'L' | 'K'} type @param {string} text */
function longText(type, text) {
  if (Buffer.byteLength(text) <= longestName) return Buffer.alloc(0);
  const content = Buffer.from(`${text}\0`);
  const size = content.length;
  const head = header(type, { path: '././@LongLink', mode: 0, size, mtime: 0, target: '' });
  return Buffer.concat([head, content, Buffer.alloc(paddingOf(size))]);
}

/** @param {string} type @param {Omit<Entry, 'kind'>} entry */
function header(type, { path, mode, size, mtime, target }) {
  const bytes = Buffer.alloc(block);
  const octal = (/** @type {number} */ value, /** @type {number} */ at, /** @type {number} */ length) =>
    bytes.write(
      value
        .toString(8)
        .padStart(length - 1, '0')
        .slice(1 - length),
      at,
      'latin1',
    );
  Buffer.from(path).copy(bytes, 0, 0, longestName);
  octal(mode, 100, 8);
  octal(size, 124, 12);
  octal(Math.max(0, Math.floor(mtime / 1000)), 136, 12);
  bytes.write('        ', 148, 'latin1');
  bytes.write(type, 156, 'latin1');
  Buffer.from(target).copy(bytes, 157, 0, longestName);
  bytes.write('ustar  \0', 257, 'latin1');
  bytes.write(String(Math.max(0, mtime) % 1000), 500, 'latin1');
  const sum = bytes.reduce((all, byte) => all + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

/** @param {Buffer} bytes */
const textOf = (bytes) => {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
};

/** @param {Buffer} head @param {number} at @param {number} length */
function numberOf(head, at, length) {
  const text = textOf(head.subarray(at, at + length)).trim();
  if (!/^[0-7]*$/.test(text)) throw new Error('the archive has a number that cannot be read');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/**
 * Reads an archive that arrives in parts. Anything that the writer above would not write is refused.
 * @param {{ onEntry(entry: Entry): void, onContent(part: Buffer): void, onEnd(): void }} hooks
 */
export function createTarReader({ onEntry, onContent, onEnd }) {
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  let content = 0;
  let padding = 0;
  /** @type {{ path?: string, target?: string }} */
  let long = {};
  let isOver = false;

  /** @param {Buffer} head @param {Buffer} after Returns how much of the bytes after the header it took. */
  function takeHeader(head, after) {
    if (head.every((byte) => byte === 0)) {
      isOver = true;
      return 0;
    }
    const type = String.fromCharCode(head[156] ?? 0);
    const size = numberOf(head, 124, 12);
    if (type === 'L' || type === 'K') {
      if (size > 8_192) throw new Error('the archive has a name that is too long');
      if (after.length < size + paddingOf(size)) return -1;
      long = { ...long, [type === 'L' ? 'path' : 'target']: textOf(after.subarray(0, size)) };
      return size + paddingOf(size);
    }
    const kind = kinds.get(type);
    if (!kind) throw new Error(`the archive has an entry of type ${JSON.stringify(type)}`);
    const path = long.path ?? textOf(head.subarray(0, longestName));
    const target = long.target ?? textOf(head.subarray(157, 157 + longestName));
    const mtime = numberOf(head, 136, 12) * 1000 + (Number(textOf(head.subarray(500, 504))) || 0);
    long = {};
    content = kind === 'file' ? size : 0;
    padding = paddingOf(content);
    onEntry({ path, kind, mode: numberOf(head, 100, 8) & 0o777, size: content, mtime, target });
    if (content === 0) onEnd();
    return 0;
  }

  return {
    /** @param {Buffer} chunk */
    write(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (rest.length > 0 && !isOver) {
        if (content > 0) {
          const part = rest.subarray(0, content);
          onContent(part);
          content -= part.length;
          rest = rest.subarray(part.length);
          if (content === 0) onEnd();
        } else if (padding > 0) {
          const skipped = Math.min(padding, rest.length);
          padding -= skipped;
          rest = rest.subarray(skipped);
        } else {
          if (rest.length < block) return;
          const taken = takeHeader(rest.subarray(0, block), rest.subarray(block));
          if (taken === -1) return;
          rest = rest.subarray(block + taken);
        }
      }
    },
    isOver: () => isOver,
  };
}
