import type { File, WrittenFile } from '@bottega/contract';
import { Button, FileButton } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef } from 'react';
import { api } from '../api/client.ts';
import { filesQuery } from '../api/project.ts';
import { confirm } from '../kit/confirm.tsx';
import { toast, toastRefusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { createText, uploadBytes } from './file-content.ts';
import { PathForm } from './path-form.tsx';

type After = {
  created: (file: WrittenFile) => void;
  moved: (from: string, to: string) => void;
  deleted: (path: string) => void;
};

/** Everything that changes which files there are. Each asks what it needs, does it, and reads the tree anew. */
export function useFileChanges(projectId: string, after: After) {
  const words = useWords(editorWords);
  const client = useQueryClient();
  const latest = useRef(after);
  latest.current = after;

  return useMemo(() => {
    const { queryKey } = filesQuery(projectId);
    const readAnew = () => client.invalidateQueries({ queryKey });

    function askForPath(title: string, path: string, act: (path: string) => Promise<void>) {
      const id = modals.open({
        title,
        children: (
          <PathForm
            path={path}
            submit={title}
            act={async (wanted) => {
              await act(wanted);
              modals.close(id);
            }}
          />
        ),
      });
    }

    const create = (directory: string) =>
      askForPath(words.newFile, directory.endsWith('/') ? directory : `${directory}/`, async (path) => {
        const file = await createText(projectId, path);
        await readAnew();
        latest.current.created(file);
      });

    const move = (file: File) =>
      askForPath(words.move, file.path, async (path) => {
        const moved = await api.post<WrittenFile>(`/projects/${projectId}/files/${file.id}/move`, { path });
        await readAnew();
        latest.current.moved(file.path, moved.path);
      });

    async function remove(file: File) {
      const hint = file.type === 'directory' ? words.deleteFolderHint : words.deleteHint;
      const question = { title: words.deleteTitle(file.path), hint, yes: words.delete, isDangerous: true };
      if (!(await confirm(question))) return;
      const before = client.getQueryData(queryKey);
      // Gone at once; back again where the service refuses.
      client.setQueryData(queryKey, (files) =>
        files?.filter(({ path }) => path !== file.path && !path.startsWith(`${file.path}/`)),
      );
      try {
        await api.delete(`/projects/${projectId}/files/${file.id}`);
        latest.current.deleted(file.path);
        toast(words.deleted(file.path));
      } catch (error) {
        client.setQueryData(queryKey, before);
        toastRefusal(error);
      }
      await readAnew();
    }

    async function upload(files: readonly globalThis.File[], directory = '') {
      const id = notifications.show({ message: words.uploading(0, files.length), loading: true, autoClose: false });
      let done = 0;
      try {
        for (const file of files) {
          await uploadBytes(projectId, directory + droppedPath(file), file);
          done += 1;
          notifications.update({ id, message: words.uploading(done, files.length), loading: true, autoClose: false });
        }
      } catch (error) {
        toastRefusal(error);
      } finally {
        notifications.update({ id, message: words.uploaded(done), loading: false, autoClose: 4000 });
        await readAnew();
      }
    }

    const UploadButton = () => (
      <FileButton multiple onChange={(files) => void upload(files)}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={14} />}>
            {words.upload}
          </Button>
        )}
      </FileButton>
    );
    const Dropping = ({ children }: { children: ReactNode }) => (
      <Dropzone
        onDrop={(files) => void upload(files)}
        activateOnClick={false}
        activateOnKeyboard={false}
        tabIndex={-1}
        inputProps={{ 'aria-label': words.upload, tabIndex: -1 }}
        styles={{
          root: { border: 'none', background: 'none', padding: 0, cursor: 'default', minHeight: '100%' },
          inner: { pointerEvents: 'auto' },
        }}
      >
        <Dropzone.Accept>{words.dropHere}</Dropzone.Accept>
        {children}
      </Dropzone>
    );
    return { create, move, remove, upload, UploadButton, Dropping };
  }, [projectId, client, words]);
}

/** A dropped folder keeps its structure. */
function droppedPath(file: globalThis.File & { path?: string }): string {
  const path = (file.path ?? file.webkitRelativePath) || file.name;
  return `/${path.replace(/^(\.?\/)+/, '')}`;
}
