/** A name and its value in a form. `id` is the row's own, so that what is typed stays where it is while rows come and go. */
export type Pair = { id: string; name: string; value: string };

let rows = 0;
export const newPair = (name = '', value = ''): Pair => ({ id: `row-${++rows}`, name, value });
