import type { Project, ProjectDetail } from '@bottega/contract';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { Section } from '../kit/page.tsx';
import { Refusal, toast, toastRefusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { projectSettingsWords } from './settings.words.ts';

/** Its name has to be typed; afterwards it can be brought back from the message, or by the API for 30 days. */
export function DeleteSection({ project }: { project: ProjectDetail }) {
  const words = useWords(projectSettingsWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState('');
  const listAnew = () => client.invalidateQueries({ queryKey: ['projects', 'list'] });

  async function bringBack() {
    try {
      await api.post<Project>(`/projects/${project.id}/restore`);
      toast(words.restored(project.name));
      await listAnew();
      await navigate({ to: '/projects/$projectId/settings', params: { projectId: project.id } });
    } catch (error) {
      toastRefusal(error);
    }
  }

  const remove = useMutation({
    mutationFn: () => api.delete<{ message: string }>(`/projects/${project.id}`),
    onSuccess: async () => {
      close();
      await navigate({ to: '/projects' });
      client.removeQueries({ queryKey: ['projects', project.id] });
      await listAnew();
      const id = notifications.show({
        title: words.deleted(project.name),
        autoClose: 15_000,
        message: (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id);
              void bringBack();
            }}
          >
            {words.undo}
          </Button>
        ),
      });
    },
  });

  return (
    <Section title={words.delete} hint={words.deleteHint}>
      <Button color="red.8" onClick={open}>
        {words.doDelete}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.deleteTitle(project.name)}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === project.name) remove.mutate();
          }}
        >
          <Stack>
            <Text size="sm">{words.deleteHint}</Text>
            <TextInput
              label={words.typeName(project.name)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
            <Refusal error={remove.error} />
            <Group justify="flex-end">
              <Button type="submit" color="red.8" disabled={typed !== project.name} loading={remove.isPending}>
                {words.doDelete}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Section>
  );
}
