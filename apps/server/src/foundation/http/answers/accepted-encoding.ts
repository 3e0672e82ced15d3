/** RFC 9110 12.5.3, as far as a few encodings need it: the encoding is listed, and its weight is not zero. */
export function acceptsEncoding(header: string | string[] | undefined, name: string): boolean {
  if (typeof header !== 'string') return false;
  return header.split(',').some((part) => {
    const [coding = '', ...parameters] = part.trim().toLowerCase().split(';');
    return coding.trim() === name && !parameters.some((one) => /^\s*q=0(\.0*)?\s*$/.test(one));
  });
}
