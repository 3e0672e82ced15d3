import type { File, WrittenFile } from '@bottega/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ApiError, call } from '../api/client.ts';
import { filesQuery, type Place } from '../api/project.ts';
import { confirm } from '../kit/confirm.tsx';
import { openDialog } from '../kit/dialog.ts';
import { toast, toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { type EditorWords, editorWords } from './editor.words.ts';
import { createText } from './file-content.ts';
import { PathForm } from './path-form.tsx';
import { createUploads } from './uploads.tsx';

type After = {
  created: (file: WrittenFile) => void;
  moved: (from: string, to: string) => void;
  deleted: (path: string) => void;
};

/** All operations that change the list of files. Each asks for its input, runs, and reloads the tree. */
export function useFileChanges(place: Place, after: After) {
  const words = useWords(editorWords);
  const client = useQueryClient();
  const latest = useRef(after);
  latest.current = after;
  return useMemo(() => {
    const { projectId, ...on } = place;
    const { queryKey } = filesQuery(place);
    const refresh = () => client.invalidateQueries({ queryKey });
    const move = async (file: File, path: string): Promise<void> => {
      const isTaken = client.getQueryData(queryKey)?.some((other) => other.path === path);
      if (isTaken) throw new Error(words.exists);
      const params = { project_id: projectId, file_id: file.id };
      const moved = await call('POST /projects/{project_id}/files/{file_id}/move', { params, body: { path, ...on } });
      await refresh();
      latest.current.moved(file.path, moved.path);
    };
    return {
      ...createUploads(place, words, refresh),
      remove: createRemoval({ place, client, words, deleted: (path) => latest.current.deleted(path) }),
      create: (directory: string) =>
        askForPath(words.newFile, directory.endsWith('/') ? directory : `${directory}/`, async (path) => {
          const file = await createText(place, path).catch(wordedAt(412, words.exists));
          await refresh();
          latest.current.created(file);
        }),
      move: (file: File) => askForPath(words.move, file.path, (path) => move(file, path)),
      moveTo: (file: File, path: string) => void move(file, path).then(() => toast(words.moved(path)), toastRefusal),
    };
  }, [place, client, words]);
}

/** For `catch`: replaces the message of a refusal with this status by one in the user's language. */
const wordedAt =
  (status: number, message: string) =>
  (error: unknown): never => {
    throw error instanceof ApiError && error.status === status ? new Error(message) : error;
  };

function askForPath(title: string, path: string, act: (path: string) => Promise<void>): void {
  const dialog = openDialog({
    title,
    children: (
      <PathForm
        path={path}
        submit={title}
        act={async (wanted) => {
          await act(wanted);
          dialog.close();
        }}
      />
    ),
  });
}

type Removal = Pick<After, 'deleted'> & { place: Place; client: QueryClient; words: EditorWords };

function createRemoval({ place, client, words, deleted }: Removal) {
  const { projectId, ...on } = place;
  const { queryKey } = filesQuery(place);
  return async (file: File): Promise<void> => {
    const hint = file.type === 'directory' ? words.deleteFolderHint : words.deleteHint;
    const question = { title: words.deleteTitle(file.path), hint, yes: words.delete, isDangerous: true };
    if (!(await confirm(question))) return;
    const before = client.getQueryData(queryKey);
    // The file disappears immediately. It is shown again if the service refuses.
    client.setQueryData(queryKey, (files) =>
      files?.filter(({ path }) => path !== file.path && !path.startsWith(`${file.path}/`)),
    );
    try {
      const params = { project_id: projectId, file_id: file.id };
      await call('DELETE /projects/{project_id}/files/{file_id}', { params, query: on });
      deleted(file.path);
      toast(words.deleted(file.path));
    } catch (error) {
      client.setQueryData(queryKey, before);
      toastRefusal(error);
    }
    await client.invalidateQueries({ queryKey });
  };
}
