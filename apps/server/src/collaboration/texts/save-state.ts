/**
 * How a live text relates to its file.
 *
 *   saved ──change──▶ unsaved ──save──▶ saved, or unsaved again if it was changed meanwhile
 *                     ▲     │
 *               change│     │a save is refused
 *                     │     ▼
 *                     refused
 *
 * - `saved`: the file holds this text, or held it when the two were last compared.
 * - `unsaved`: the text was changed. It is saved when typing pauses, or after a while if it does not.
 * - `refused`: a save was refused, for instance by a quota. It is retried only after the text is changed, since most
 *   reasons do not go away by themselves.
 *
 * `base` is the file's content when the two last matched. A merge starts from it.
 */
export type Base = { sha: Buffer; content: string };

type State = { name: 'saved' } | { name: 'unsaved' | 'refused'; since: number };

export type SaveState = {
  readonly name: State['name'];
  base: Base;
  /**
   * Users who have changed the text since the last save, in the order of their first change, with the request that
   * opened their socket. The request is null if the change was before a restart.
   */
  authors: Map<string, string | null>;
  readonly lastChangeAt: number;
  changed(author: { userId: string; requestId: string } | null): void;
  saved(): void;
  /** Call this when a save has ended and the text was changed meanwhile. */
  changedDuringSave(): void;
  /** Call this when a save was refused. The last change before that save was at `asOf`. */
  refused(asOf: number): void;
  isDue(now: number, limits: { pauseMs: number; intervalMs: number }): boolean;
};

type Options = { base: Base; authors: string[]; isSaved: boolean };

export function createSaveState({ base, authors, isSaved }: Options): SaveState {
  let lastChangeAt = Date.now();
  let state: State = isSaved ? { name: 'saved' } : { name: 'unsaved', since: lastChangeAt };
  const saves: SaveState = {
    base,
    authors: new Map(authors.map((userId) => [userId, null])),
    get name() {
      return state.name;
    },
    get lastChangeAt() {
      return lastChangeAt;
    },
    changed(author) {
      lastChangeAt = Date.now();
      state = { name: 'unsaved', since: state.name === 'saved' ? lastChangeAt : state.since };
      if (author && !saves.authors.has(author.userId)) saves.authors.set(author.userId, author.requestId);
    },
    saved() {
      state = { name: 'saved' };
    },
    changedDuringSave() {
      state = { name: 'unsaved', since: Date.now() };
    },
    refused(asOf) {
      if (state.name === 'unsaved' && lastChangeAt === asOf) state = { name: 'refused', since: state.since };
    },
    isDue(now, { pauseMs, intervalMs }) {
      return state.name === 'unsaved' && now >= Math.min(lastChangeAt + pauseMs, state.since + intervalMs);
    },
  };
  return saves;
}
