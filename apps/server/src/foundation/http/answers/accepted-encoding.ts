/**
 * Whether a header accepts an encoding: it lists the encoding with a weight other than zero. This is the part of RFC
 * 9110 12.5.3 that a few known encodings need.
 */
export function acceptsEncoding(header: string | string[] | undefined, name: string): boolean {
  if (typeof header !== 'string') return false;
  return header.split(',').some((part) => {
    const [coding = '', ...parameters] = part.trim().toLowerCase().split(';');
    return coding.trim() === name && !parameters.some((one) => /^\s*q=0(\.0*)?\s*$/.test(one));
  });
}
