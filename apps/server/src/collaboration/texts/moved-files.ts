import { type MovedFile, readMoved } from '../../events/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { LiveText } from './live-text.ts';
import type { Room } from './room.ts';

/** What has changed since the last read. */
export type Moved = {
  projects: ReadonlySet<string>;
  hasFileOf(room: Room, text: LiveText): boolean;
};

export type FollowedEvents = {
  read(): Promise<Moved>;
  /** Call this after the last read was handled. The next read continues from there. */
  done(): void;
  /**
   * Call this while nobody has a text open. The next opening compares the text with its file, and reading continues
   * from then on.
   */
  pause(): void;
};

/**
 * Reads events to find changed files, because every change of a file or a project appends an event in the same
 * transaction. So the cost depends on the number of changes, and not on the number of open texts.
 */
export function followEvents(db: Db): FollowedEvents {
  let position: string | null = null;
  let read: string | null = null;
  return {
    async read() {
      const since = position;
      const { seen, files } = await readMoved(db, since);
      read = seen;
      const names = new Set(files.flatMap(namesOf));
      return {
        projects: new Set(files.map(({ project_id }) => project_id)),
        hasFileOf: ({ projectId }, { fileId, path }) =>
          since === null || names.has(`${projectId} ${fileId}`) || names.has(`${projectId} ${path}`),
      };
    },
    done() {
      position = read;
    },
    pause() {
      position = null;
    },
  };
}

const namesOf = ({ project_id, file_id, path, former_path }: MovedFile): string[] =>
  [file_id, path, former_path].map((name) => `${project_id} ${name}`);
