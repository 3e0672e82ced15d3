import type pg from 'pg';
import { listObjects, type ObjectRow } from './dump-objects.sql.ts';

/** Reads the object at an address and checks its digest. */
export type ReadObject = (address: string, digest: Buffer) => Promise<Buffer>;

const listedAtOnce = 500;
const readAtOnce = 4;

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};
const field = (value: Buffer): Buffer[] => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(value.length);
  return [length, value];
};
/** PostgreSQL's binary COPY format: a signature, flags and an empty extension; rows; and a count of -1 as the end. */
const begin = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const end = int16(-1);

/**
 * Dumps the pieces of artifacts that are in buckets, in the same form as if they were in the database. A restore loads
 * all pieces into the database, wherever they were before. Null if there are none in buckets.
 */
export async function dumpObjects(
  client: pg.ClientBase,
  read: ReadObject,
): Promise<{ data: AsyncGenerator<Buffer>; countRows: () => Promise<number> } | null> {
  const first = await listObjects(client, null, listedAtOnce);
  if (first.length === 0) return null;
  let rows = 0;
  async function* data() {
    yield begin;
    for (let listed = first; listed.length > 0; ) {
      for await (const { row, content } of readAhead(listed, read)) {
        rows += 1;
        yield Buffer.concat([int16(3), ...field(Buffer.from(row.project_id)), ...field(row.digest), ...field(content)]);
      }
      listed = await listObjects(client, listed.at(-1) ?? null, listedAtOnce);
    }
    yield end;
  }
  return { data: data(), countRows: async () => rows };
}

/** Yields the objects in order. A few of them are read at the same time. */
async function* readAhead(listed: ObjectRow[], read: ReadObject) {
  const flying: { row: ObjectRow; content: Promise<Buffer> }[] = [];
  for (const row of [...listed, ...Array.from({ length: readAtOnce }, () => null)]) {
    if (row) {
      const content = read(row.object, row.digest);
      // The error is thrown when this object's turn comes.
      content.catch(() => undefined);
      flying.push({ row, content });
    }
    if (row && flying.length < readAtOnce) continue;
    const next = flying.shift();
    if (next) yield { row: next.row, content: await next.content };
  }
}
