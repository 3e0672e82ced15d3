/**
 * A name and its value in a form. `id` belongs to the row, so that typed text stays in place while rows come and go.
 */
export type Pair = { id: string; name: string; value: string };

let rows = 0;
export const newPair = (name = '', value = ''): Pair => ({ id: `row-${++rows}`, name, value });
