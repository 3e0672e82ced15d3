import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { shellWords } from './shell.words.ts';

/** The keyboard shortcuts, shown by the question mark key. */
export function ShortcutsDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const words = useWords(shellWords);
  const shortcuts: [keys: string[], word: string][] = [
    [['Ctrl', 'K'], words.search],
    [['G'], words.projects],
    [['N'], words.newProject],
    [[','], words.settings],
    [['/'], words.searchProjects],
    [['Ctrl', 'P'], words.openFile],
    [['Ctrl', 'Shift', 'F'], words.searchFiles],
    [['Ctrl', 'S'], words.save],
    [['Ctrl', 'J'], words.run],
    [['?'], words.shortcuts],
  ];
  const inReview: typeof shortcuts = [
    [['J', 'K'], words.nextFile],
    [['N', 'P'], words.nextStop],
    [['X'], words.markViewed],
    [['↑', '↓'], words.moveLine],
    [['C'], words.commentLine],
  ];
  return (
    <Modal opened={isOpen} onClose={close} title={words.shortcuts}>
      <Shortcuts shortcuts={shortcuts} />
      <Title order={3} mt="lg" mb="xs">
        {words.inReview}
      </Title>
      <Shortcuts shortcuts={inReview} />
    </Modal>
  );
}

function Shortcuts({ shortcuts }: { shortcuts: [keys: string[], word: string][] }) {
  return (
    <Stack gap="xs">
      {shortcuts.map(([keys, word]) => (
        <Group key={word} justify="space-between" wrap="nowrap">
          <Text size="sm">{word}</Text>
          <Group gap={4} wrap="nowrap">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Stack>
  );
}
