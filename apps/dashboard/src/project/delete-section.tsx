import type { ProjectDetail } from '@bottega/contract';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { Section } from '../kit/page.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { TypedNameDialog } from '../kit/typed-name.tsx';
import { useWords } from '../words/words.tsx';
import { projectSettingsWords } from './settings.words.ts';

/** Deletes the project. The user can restore it from the message that appears, and from the trash. */
export function DeleteSection({ project }: { project: ProjectDetail }) {
  const words = useWords(projectSettingsWords);
  const [isOpen, { open, close }] = useDisclosure();
  const remove = useRemoval(project, close);
  return (
    <Section title={words.delete} hint={words.deleteHint}>
      <Button color="red.8" onClick={open}>
        {words.doDelete}
      </Button>
      {isOpen && (
        <TypedNameDialog
          name={project.name}
          title={words.deleteTitle(project.name)}
          hint={words.deleteHint}
          yes={words.doDelete}
          acting={remove}
          close={close}
        />
      )}
    </Section>
  );
}

function useRemoval({ id: projectId, name }: ProjectDetail, done: () => void) {
  const words = useWords(projectSettingsWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const refreshList = () =>
    Promise.all(['list', 'trash'].map((what) => client.invalidateQueries({ queryKey: ['projects', what] })));

  async function bringBack() {
    try {
      await call('POST /projects/{project_id}/restore', { params: { project_id: projectId } });
      toast(words.restored(name));
      await refreshList();
      await navigate({ to: '/projects/$projectId/settings', params: { projectId } });
    } catch (error) {
      toastRefusal(error);
    }
  }

  return useMutation({
    mutationFn: () => call('DELETE /projects/{project_id}', { params: { project_id: projectId } }),
    onSuccess: async () => {
      done();
      await navigate({ to: '/projects' });
      client.removeQueries({ queryKey: ['projects', projectId] });
      await refreshList();
      offerUndo(words.deleted(name), words.undo, () => void bringBack());
    },
  });
}

function offerUndo(title: string, undo: string, act: () => void): void {
  const id = notifications.show({
    title,
    autoClose: 15_000,
    message: (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => {
          notifications.hide(id);
          act();
        }}
      >
        {undo}
      </Button>
    ),
  });
}
