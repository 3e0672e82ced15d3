type Waiting<Key, Row> = { key: Key; resolve(row: Row): void; reject(reason: unknown): void };

/**
 * Reads that are wanted while another query of theirs is under way share the next one. A lone one goes out at once;
 * under load a query serves many, and costs little more than for one: most of a small query's price is the way to the
 * database and back.
 */
export function readTogether<Key, Row>(
  read: (keys: Key[]) => Promise<Row[]>,
  { queries, most }: { queries: number; most: number },
): (key: Key) => Promise<Row> {
  let running = 0;
  let waiting: Waiting<Key, Row>[] = [];

  async function run(group: Waiting<Key, Row>[]): Promise<void> {
    try {
      const rows = await read(group.map(({ key }) => key));
      for (const [index, { resolve }] of group.entries()) resolve(rows[index] as Row);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function work(): Promise<void> {
    running++;
    while (waiting.length > 0) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await run(group);
    }
    running--;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (running < queries) void work();
    });
}
