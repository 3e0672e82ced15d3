import type { ProjectDetail } from '@bottega/contract';
import { Button, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { Form, Submit } from '../kit/form.tsx';
import { Section } from '../kit/page.tsx';
import { toast, toastRefusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { projectSettingsWords } from './settings.words.ts';

/** Its name has to be typed; afterwards it can be brought back from the message, or by the API for 30 days. */
export function DeleteSection({ project }: { project: ProjectDetail }) {
  const words = useWords(projectSettingsWords);
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState('');
  const remove = useRemoval(project, close);
  return (
    <Section title={words.delete} hint={words.deleteHint}>
      <Button color="red.8" onClick={open}>
        {words.doDelete}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.deleteTitle(project.name)}>
        <Form submit={() => typed === project.name && remove.mutate()}>
          <Text size="sm">{words.deleteHint}</Text>
          <TextInput
            label={words.typeName(project.name)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Submit sending={remove} at="flex-end" color="red.8" disabled={typed !== project.name}>
            {words.doDelete}
          </Submit>
        </Form>
      </Modal>
    </Section>
  );
}

function useRemoval({ id: projectId, name }: ProjectDetail, done: () => void) {
  const words = useWords(projectSettingsWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const refreshList = () => client.invalidateQueries({ queryKey: ['projects', 'list'] });

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
