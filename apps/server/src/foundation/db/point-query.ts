import pg from 'pg';

export type PointValue = string | number | Buffer;

/** A prepared statement of a connection, and how to read its rows once the server has described them. */
export type PointStatement = { name: string; text: string; read: ReadRow | null };
type ReadRow = (values: (string | null)[]) => Record<string, unknown>;

/** The parts of node-postgres's connection that our own query uses. */
type Wire = {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: (string | Buffer)[] }): void;
  describe(what: { type: 'P' }): void;
  execute(what: object): void;
  sync(): void;
};
type Field = { name: string; dataTypeID: number };

/**
 * A minimal query for node-postgres. With the library's own queries, the server describes the same rows with every
 * execution, and their configuration is copied. A pipelined client accepts only instances of its own query class,
 * because others may leave a portal open. This one does not.
 */
export function pointQuery(
  statement: PointStatement,
  values: readonly PointValue[],
  done: (error: Error | null, rows: Record<string, unknown>[]) => void,
): pg.Query {
  const { name, text } = statement;
  const rows: Record<string, unknown>[] = [];
  return Object.assign(Object.create(pg.Query.prototype), {
    name,
    text,
    submit(wire: Wire) {
      if (!(name in wire.parsedStatements || name in wire.submittedNamedStatements)) {
        wire.parse({ name, text });
        wire.submittedNamedStatements[name] = text;
      }
      wire.bind({ statement: name, values: values.map((value) => (typeof value === 'number' ? `${value}` : value)) });
      if (statement.read === null) wire.describe({ type: 'P' });
      wire.execute({});
      wire.sync();
    },
    handleRowDescription({ fields }: { fields: Field[] }) {
      statement.read = rowReader(fields);
    },
    handleDataRow({ fields }: { fields: (string | null)[] }) {
      if (statement.read) rows.push(statement.read(fields));
    },
    handleCommandComplete() {},
    handleReadyForQuery: () => done(null, rows),
    handleError: (error: Error) => done(error, rows),
  });
}

/** Reads each column with the parser of its type. */
function rowReader(fields: Field[]): ReadRow {
  const names = fields.map(({ name }) => name);
  const parsers = fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID));
  const empty = Object.fromEntries(names.map((name) => [name, null as unknown]));
  return (values) => {
    // All rows have the same shape from the beginning, which V8 can optimise.
    const row = { ...empty };
    for (let index = 0; index < names.length; index++) {
      const value = values[index];
      if (value !== null && value !== undefined) row[names[index] as string] = parsers[index]?.(value);
    }
    return row;
  };
}
