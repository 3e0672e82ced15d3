// @ts-check
/** Messages with a body, in the bytes of a stream: both lengths (4 bytes each), a JSON head, the body. */

const maxHead = 16_384;

/**
 * @param {unknown} head
 * @param {Uint8Array} [body]
 */
export function encodeParcel(head, body = new Uint8Array()) {
  const text = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.allocUnsafe(8);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(body.length, 4);
  return Buffer.concat([lengths, text, body]);
}

/**
 * Splits received bytes into messages. Throws if one is larger than allowed.
 * @param {number} maxBody
 * @param {(head: any, body: Buffer) => void} onParcel
 */
export function createParcelReader(maxBody, onParcel) {
  /** @type {Buffer[]} */
  let chunks = [];
  let length = 0;
  let needed = 8;
  return (/** @type {Buffer} */ chunk) => {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= needed) {
      const all = chunks.length === 1 ? /** @type {Buffer} */ (chunks[0]) : Buffer.concat(chunks);
      const [head, body] = [all.readUInt32BE(0), all.readUInt32BE(4)];
      if (head > maxHead || body > maxBody) throw new Error(`a message has ${head} and ${body} bytes`);
      needed = 8 + head + body;
      chunks = [all];
      if (length < needed) return;
      onParcel(JSON.parse(all.toString('utf8', 8, 8 + head)), Buffer.from(all.subarray(8 + head, needed)));
      chunks = [all.subarray(needed)];
      length -= needed;
      needed = 8;
    }
  };
}
