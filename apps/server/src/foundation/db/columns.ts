import type { Selectable } from 'kysely';
import type { Database } from './schema.ts';

/**
 * A list of columns is written only once. `selectList` turns it into the text of a statement, and `RowOf` into the type
 * of the rows. So a type cannot contain a column that is not selected.
 */
export type RowOf<Table extends keyof Database, Columns extends readonly (keyof Selectable<Database[Table]>)[]> = Pick<
  Selectable<Database[Table]>,
  Columns[number]
>;

/** Returns the columns for a `select`: `p.id, p.name, …` */
export const selectList = (alias: string, columns: readonly string[]): string =>
  columns.map((column) => `${alias}.${column}`).join(', ');

/** A row with all columns of its table except some, for statements that list nearly all of them. */
export type RowWithout<Table extends keyof Database, Columns extends keyof Selectable<Database[Table]> = never> = Omit<
  Selectable<Database[Table]>,
  Columns
>;
