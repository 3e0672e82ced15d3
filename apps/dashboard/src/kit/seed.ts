/** A number that follows from a text, for what is drawn by itself: the same one everywhere, and for ever. */
export function seedOf(text: string): number {
  const sum = [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7);
  // The lower bits of such a sum follow the last letters only.
  return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> 0;
}
