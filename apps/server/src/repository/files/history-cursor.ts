const idLength = 40;
/** As the contract has it. A history that is wider at the end of a page is gone on with by the page's number alone. */
const mostIds = 40;

/** The ids of the commits at which the rest of a history begins, one after the other. */
export function asCursor(rest: Buffer[]): { next?: string } {
  return rest.length === 0 || rest.length > mostIds ? {} : { next: Buffer.concat(rest).toString('hex') };
}

/** Its form was checked by the route's schema. */
export function parseCursor(cursor: string): Buffer[] {
  const count = cursor.length / idLength;
  return Array.from({ length: count }, (_, n) => Buffer.from(cursor.slice(n * idLength, (n + 1) * idLength), 'hex'));
}
