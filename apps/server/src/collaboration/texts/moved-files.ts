import { type MovedFile, readMoved } from '../../events/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { LiveText } from './live-text.ts';
import type { Room } from './room.ts';

/** What was changed since it was last asked. */
export type Moved = {
  projects: ReadonlySet<string>;
  hasFileOf(room: Room, text: LiveText): boolean;
};

export type FollowedEvents = {
  read(): Promise<Moved>;
  /** What was read last has been seen to: the next read goes on from there. */
  done(): void;
  /** Nobody has a text open. Whoever is next compares it with its file, and goes on from then. */
  pause(): void;
};

/**
 * Every change of a file or of a project is an event, written in the same transaction. What became visible since the
 * last look tells what moved, at a cost that follows from what happens and not from how many texts are open.
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
