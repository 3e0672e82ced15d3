import { Button, FileButton } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Place } from '../api/project.ts';
import { toastRefusal } from '../kit/toast.ts';
import type { EditorWords } from './editor.words.ts';
import { uploadBytes } from './file-content.ts';

/** Uploads files from the user's machine, which were selected with a button or dropped. */
export function createUploads(place: Place, words: EditorWords, refresh: () => Promise<void>) {
  async function upload(files: readonly globalThis.File[], directory = '') {
    const id = notifications.show({ message: words.uploading(0, files.length), loading: true, autoClose: false });
    let done = 0;
    try {
      for (const file of files) {
        await uploadBytes(place, directory + droppedPath(file), file);
        done += 1;
        notifications.update({ id, message: words.uploading(done, files.length), loading: true, autoClose: false });
      }
    } catch (error) {
      toastRefusal(error);
    } finally {
      notifications.update({ id, message: words.uploaded(done), loading: false, autoClose: 4000 });
      await refresh();
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
        root: { border: 'none', background: 'none', padding: 0, cursor: 'default', flex: '1 0 auto' },
        inner: { pointerEvents: 'auto' },
      }}
    >
      <Dropzone.Accept>{words.dropHere}</Dropzone.Accept>
      {children}
    </Dropzone>
  );
  return { upload, UploadButton, Dropping };
}

/** A dropped folder keeps its structure. */
function droppedPath(file: globalThis.File & { path?: string }): string {
  const path = (file.path ?? file.webkitRelativePath) || file.name;
  return `/${path.replace(/^(\.?\/)+/, '')}`;
}
