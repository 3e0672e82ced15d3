import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { paletteWords } from './palette.words.ts';
import { shellWords } from './shell.words.ts';
import { shortcutWords } from './shortcuts.words.ts';

/** The keyboard shortcuts, shown by the question mark key. */
export function ShortcutsDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const words = useWords(shellWords);
  const { run } = useWords(paletteWords);
  const keys = useWords(shortcutWords);
  const shortcuts: [keys: string[], word: string][] = [
    [['Ctrl', 'K'], words.search],
    [['G'], words.projects],
    [['N'], words.newProject],
    [[','], words.settings],
    [['/'], keys.searchProjects],
    [['Ctrl', 'P'], keys.openFile],
    [['Ctrl', 'Shift', 'F'], keys.searchFiles],
    [['Ctrl', 'S'], words.save],
    [['Ctrl', 'J'], run],
    [['Ctrl', '\\'], keys.split],
    [['Ctrl', 'Alt', 'K'], keys.nextThread],
    [['?'], words.shortcuts],
  ];
  const inReview: typeof shortcuts = [
    [['J', 'K'], keys.nextFile],
    [['N', 'P'], keys.nextStop],
    [['X'], keys.markViewed],
    [['↑', '↓'], keys.moveLine],
    [['C'], keys.commentLine],
  ];
  return (
    <Modal opened={isOpen} onClose={close} title={words.shortcuts}>
      <Shortcuts shortcuts={shortcuts} />
      <Title order={3} mt="lg" mb="xs">
        {keys.inReview}
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
