// @ts-check
const smallest = 4_096;
/** Memory that is kept for further bytes even while it is empty. */
const kept = 65_536;

/**
 * Collects bytes that arrive in parts in one piece of memory that grows by doubling. The other side chooses the size of
 * the parts. A list would cost a hundred bytes for each part of one byte, and joining the parts each time would take
 * time proportional to the square of their total length.
 */
export function createGathered() {
  /** @type {Buffer} */
  let memory = Buffer.alloc(0);
  let length = 0;
  return {
    length: () => length,
    /** The bytes so far. They stay valid until the next call. */
    bytes: () => memory.subarray(0, length),
    /** @param {Buffer} part */
    add(part) {
      if (length + part.length > memory.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(length + part.length, 2 * memory.length, smallest));
        memory.copy(larger, 0, 0, length);
        memory = larger;
      }
      part.copy(memory, length);
      length += part.length;
    },
    /** Forgets the first bytes. @param {number} count */
    drop(count) {
      if (count === 0) return;
      memory.copyWithin(0, count, length);
      length -= count;
      if (length === 0 && memory.length > kept) memory = Buffer.alloc(0);
    },
  };
}
