import type { File } from '@bottega/contract';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Place } from '../api/project.ts';
import { Form } from '../kit/form.tsx';
import { Problem, Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import { replaceWords } from './replace.words.ts';
import { staleIn } from './use-committing.ts';
import { useReplacing } from './use-replacing.ts';

type Props = {
  place: Place;
  sought: string;
  /** The files with matches. */
  files: readonly File[];
  /** Whether the search shows all matches. */
  isAll: boolean;
  /** Files with unsaved text. */
  unsaved: readonly string[];
};

/** Below the search: replaces what it found in all files. */
export function ReplaceForm({ place, sought, files, isAll, unsaved }: Props) {
  const words = useWords(replaceWords);
  const changes = useWords(changeWords);
  const [replacement, setReplacement] = useState('');
  const replacing = useReplacing(place);
  const stale = staleIn(replacing.error);
  const typed = files.find(({ path }) => unsaved.includes(path));
  const obstacle = !isAll ? words.notAll : typed ? words.unsaved(typed.path) : null;
  return (
    <Form submit={() => replacing.mutate({ files, sought, replacement })}>
      <Group gap={4} mb="xs" wrap="nowrap">
        <TextInput
          aria-label={words.with}
          placeholder={words.with}
          value={replacement}
          onChange={(event) => setReplacement(event.currentTarget.value)}
          maxLength={200}
          style={{ flex: 1 }}
        />
        <Button type="submit" variant="default" px="xs" disabled={obstacle !== null} loading={replacing.isPending}>
          {words.replace(files.length)}
        </Button>
      </Group>
      {obstacle && (
        <Text size="xs" c="dimmed" mb="xs">
          {obstacle}
        </Text>
      )}
      {stale === null ? <Refusal error={replacing.error} /> : <Problem title={changes.stale(stale)} />}
    </Form>
  );
}
