/** The threads of one merge request on lines of one file. `text` is the file in the newest version. */
type OfFile = { text: string; threads: readonly { id: string; line: number }[] };

/**
 * Creates the store through which editors get threads, and the panel gets the places of threads in editors. It is
 * needed because the editors are not part of React.
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

    /**
     * Stores the current line of each thread, by the id of the thread. A thread whose lines are gone is not in the map.
     */
    note(path: string, lines: ReadonlyMap<string, number>): void {
      const former = places.get(path);
      if (former?.size === lines.size && [...lines].every(([id, line]) => former.get(id) === line)) return;
      places.set(path, lines);
      tell(readers);
    },
    linesOf: (path: string): ReadonlyMap<string, number> => places.get(path) ?? nowhere,
    onMove: listening(readers),

    /** Requests that the line of a thread is scrolled into view as soon as an editor has it. */
    seek(id: string, takesFocus: boolean): void {
      sought = { id, takesFocus };
      tell(editors);
    },
    /** Returns the request of `seek` if it is for this thread, and ends it, because the thread was found. */
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
