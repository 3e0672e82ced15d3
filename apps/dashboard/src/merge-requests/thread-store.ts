/** The threads of one request on lines of one file, as the newest version has it. */
type OfFile = { text: string; threads: readonly { id: string; line: number }[] };

/**
 * What the editors know about threads, and the panel about the places in editors. The editors are not parts of React, so
 * this is between them.
 */
export function newThreadStore() {
  const given = new Map<string, Map<number, OfFile>>();
  const places = new Map<string, ReadonlyMap<string, number>>();
  const [editors, readers] = [new Set<() => void>(), new Set<() => void>()];
  const listening = (to: Set<() => void>) => (listener: () => void) => {
    to.add(listener);
    return () => void to.delete(listener);
  };
  const tell = (all: Set<() => void>) => {
    for (const one of all) one();
  };
  let sought: { id: string; takesFocus: boolean } | null = null;
  return {
    put(path: string, number: number, threads: OfFile | null): void {
      const ofFile = given.get(path) ?? new Map<number, OfFile>();
      if (threads) ofFile.set(number, threads);
      else ofFile.delete(number);
      given.set(path, ofFile);
      tell(editors);
    },
    of: (path: string): readonly OfFile[] => [...(given.get(path)?.values() ?? [])],
    onChange: listening(editors),

    /** The lines on the screen, by the id of the thread. A thread whose lines are gone has none. */
    note(path: string, lines: ReadonlyMap<string, number>): void {
      const former = places.get(path);
      if (former?.size === lines.size && [...lines].every(([id, line]) => former.get(id) === line)) return;
      places.set(path, lines);
      tell(readers);
    },
    linesOf: (path: string): ReadonlyMap<string, number> => places.get(path) ?? nowhere,
    onMove: listening(readers),

    /** Brings the line of a thread into view, as soon as an editor has it. */
    seek(id: string, takesFocus: boolean): void {
      sought = { id, takesFocus };
      tell(editors);
    },
    /** Whether this thread is sought. Then it is found, and sought no more. */
    found(id: string): { takesFocus: boolean } | null {
      if (sought?.id !== id) return null;
      const was = sought;
      sought = null;
      return was;
    },
  };
}

const nowhere: ReadonlyMap<string, number> = new Map();

export type ThreadStore = ReturnType<typeof newThreadStore>;
