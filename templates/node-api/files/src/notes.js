import { randomUUID } from 'node:crypto';

/** The example's data, in memory. A database has the same four functions. */
export function createNotes() {
  const notes = new Map();
  return {
    list: () => [...notes.values()],
    find: (id) => notes.get(id),
    add(text) {
      const note = { id: randomUUID(), text, created_at: new Date().toISOString() };
      notes.set(note.id, note);
      return note;
    },
    remove: (id) => notes.delete(id),
  };
}
