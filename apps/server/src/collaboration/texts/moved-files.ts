import { type MovedFile, readMoved } from '../../events/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { LiveText } from './live-text.ts';
import type { Room } from './room.ts';

/** The changes since the last read. */
export type Moved = {
  projects: ReadonlySet<string>;
  hasFileOf(room: Room, text: LiveText): boolean;
};

export type FollowedEvents = {
  read(): Promise<Moved>;
  /** The last read was handled: the next one continues from there. */
  done(): void;
  /** Nobody has a text open. The next opening compares the text with its file, and reading continues from then. */
  pause(): void;
};

/**
 * Every change of a file or a project is an event, written in the same transaction. New events since the last read tell
 * what moved. The cost depends on how much happens, not on how many texts are open.
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
