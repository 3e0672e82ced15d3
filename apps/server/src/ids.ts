import { typeidUnboxed } from 'typeid-js';

export type IdPrefix = 'usr' | 'key' | 'svc' | 'prj' | 'col' | 'fil' | 'dir' | 'evt' | 'req';

/** A TypeID: prefix and time-ordered UUID, so new rows land at the end of their indexes. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** What cannot be an id of ours is answered 404 without asking the database, NUL bytes included. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && /^[0-9a-z]{26}$/.test(text.slice(-26));
}
