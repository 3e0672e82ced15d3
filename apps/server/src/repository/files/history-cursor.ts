const idLength = 40;
/**
 * Maximum number of commit ids in a cursor, as in the contract. A wider history can be continued only by page number.
 */
const maxIds = 40;

/** The concatenated ids of the commits at which the rest of the history begins. */
export function asCursor(rest: Buffer[]): { next?: string } {
  return rest.length === 0 || rest.length > maxIds ? {} : { next: Buffer.concat(rest).toString('hex') };
}

/** Parses a cursor, whose form the route's schema has checked. */
export function parseCursor(cursor: string): Buffer[] {
  const count = cursor.length / idLength;
  return Array.from({ length: count }, (_, n) => Buffer.from(cursor.slice(n * idLength, (n + 1) * idLength), 'hex'));
}
