/** The parts of DER (X.690) that certificate requests and challenge certificates need. */

function encode(tag: number, parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => encode(0x30, parts);
export const set = (...parts: Uint8Array[]): Buffer => encode(0x31, parts);
export const octets = (content: Uint8Array): Buffer => encode(0x04, [content]);
export const utf8 = (text: string): Buffer => encode(0x0c, [Buffer.from(text)]);
export const truth = encode(0x01, [Buffer.from([0xff])]);
/** A bit string of whole bytes. */
export const bits = (content: Uint8Array): Buffer => encode(0x03, [Buffer.from([0]), content]);
/** A non-negative integer from its big-endian bytes. */
export const integer = (bytes: Uint8Array): Buffer => encode(0x02, [Buffer.from(unsigned(bytes))]);
/** UTCTime, which covers 1950 to 2049. */
export const time = (at: Date): Buffer => {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return encode(0x17, [Buffer.from(digits.slice(2))]);
};
/** A context-specific constructed value. */
export const tagged = (number: number, ...parts: Uint8Array[]): Buffer => encode(0xa0 + number, parts);
export const taggedText = (number: number, text: string): Buffer => encode(0x80 + number, [Buffer.from(text)]);

/** Adds a zero byte if needed, because the first bit of a DER integer is its sign. */
export const unsigned = (bytes: Uint8Array): Uint8Array =>
  (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;

/** Encodes a dotted object identifier such as `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(0x06, [Buffer.from([40 * first + second, ...rest.flatMap(base128)])]);
}

function base128(number: number): number[] {
  const digits = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** The content of the value at this offset, or null if the value has another tag. */
export function contentAt(bytes: Buffer, at: number, tag: number): Buffer | null {
  if (bytes[at] !== tag) return null;
  const short = bytes[at + 1] ?? 0;
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
  if (lengthBytes > 3 || at + 2 + lengthBytes > bytes.length) return null;
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
  const from = at + 2 + lengthBytes;
  return from + length <= bytes.length ? bytes.subarray(from, from + length) : null;
}
