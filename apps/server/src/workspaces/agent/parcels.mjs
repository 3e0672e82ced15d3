// @ts-check
import { createGathered } from './gathered.mjs';

/** Messages with a body, in the bytes of a stream: both lengths (4 bytes each), a JSON head, the body. */

const maxHead = 16_384;
const lengthsBytes = 8;

/**
 * @param {unknown} head
 * @param {Uint8Array} [body]
 */
export function encodeParcel(head, body = new Uint8Array()) {
  const text = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.allocUnsafe(lengthsBytes);
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
  const gathered = createGathered();
  return (/** @type {Buffer} */ chunk) => {
    gathered.add(chunk);
    const all = gathered.bytes();
    let at = 0;
    while (all.length - at >= lengthsBytes) {
      const [head, body] = [all.readUInt32BE(at), all.readUInt32BE(at + 4)];
      if (head > maxHead || body > maxBody) throw new Error(`a message has ${head} and ${body} bytes`);
      const from = at + lengthsBytes;
      const end = from + head + body;
      if (all.length < end) break;
      onParcel(JSON.parse(all.toString('utf8', from, from + head)), Buffer.from(all.subarray(from + head, end)));
      at = end;
    }
    gathered.drop(at);
  };
}
