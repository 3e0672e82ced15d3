// @ts-check

/**
 * Passes output on in whole characters of UTF-8, so that each position in it is between two characters. A reader who
 * continues at a position then loses none.
 * @param {(bytes: Buffer) => void} give
 */
export function inCharacters(give) {
  let begun = Buffer.alloc(0);
  return {
    /** @param {Buffer} bytes */
    add(bytes) {
      const all = begun.length > 0 ? Buffer.concat([begun, bytes]) : bytes;
      const end = all.length - unfinished(all);
      begun = Buffer.from(all.subarray(end));
      if (end > 0) give(all.subarray(0, end));
    },
    /** Passes on the beginning of a character that has no end. */
    end() {
      if (begun.length > 0) give(begun);
      begun = Buffer.alloc(0);
    },
  };
}

/** The number of bytes at the end that begin a character and do not finish it. @param {Buffer} bytes */
function unfinished(bytes) {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0b1100_0000) return lengthOf(byte) > back ? back : 0;
    if (byte < 0b1000_0000) return 0;
  }
  return 0;
}

/** The length of the character that begins with this byte. @param {number} first */
const lengthOf = (first) => (first >= 0b1111_0000 ? 4 : first >= 0b1110_0000 ? 3 : 2);
