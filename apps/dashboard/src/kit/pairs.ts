/**
 * A name and its value in a form. The `id` belongs to the row, so that typed text stays in its row when other rows are
 * added or removed.
 */
export type Pair = { id: string; name: string; value: string };

let rows = 0;
export const newPair = (name = '', value = ''): Pair => ({ id: `row-${++rows}`, name, value });
