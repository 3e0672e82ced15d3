/** A number derived from a text, for generated pictures: always the same for the same text. */
export function seedOf(text: string): number {
  const sum = [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7);
  // The lower bits of the sum depend only on the last letters, so the higher bits are mixed in.
  return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> 0;
}
