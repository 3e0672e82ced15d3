// @ts-check
/** The last bytes that a command or terminal wrote. Positions count all bytes since its start. */

/** @typedef {{ at: number, channel: 'stdout' | 'stderr', bytes: Buffer }} Piece */

/** @param {number} maxBytes */
export function createOutput(maxBytes) {
  /** @type {Piece[]} */
  let pieces = [];
  let start = 0;
  let end = 0;
  /** @type {Set<() => void>} */
  const readers = new Set();

  return {
    /** @param {'stdout' | 'stderr'} channel @param {Buffer} bytes */
    add(channel, bytes) {
      pieces.push({ at: end, channel, bytes });
      end += bytes.length;
      let dropped = 0;
      while (end - start > maxBytes && pieces.length - dropped > 1) {
        start += pieces[dropped]?.bytes.length ?? 0;
        dropped += 1;
      }
      if (dropped > 0) pieces = pieces.slice(dropped);
      for (const wake of [...readers]) wake();
    },
    /** Where the kept bytes begin. */
    start: () => start,
    end: () => end,
    /** The kept bytes from this position on. @param {number} position */
    from(position) {
      return pieces
        .filter(({ at, bytes }) => at + bytes.length > position)
        .map((piece) => {
          const skipped = Math.max(0, position - piece.at);
          return { ...piece, at: piece.at + skipped, bytes: piece.bytes.subarray(skipped) };
        });
    },
    /** Calls back when there is more. @param {() => void} wake */
    watch(wake) {
      readers.add(wake);
      return () => void readers.delete(wake);
    },
    /** Wakes readers because the writer has ended, although there is no new output. */
    wake() {
      for (const wake of [...readers]) wake();
    },
  };
}

/** @typedef {ReturnType<typeof createOutput>} Output */
