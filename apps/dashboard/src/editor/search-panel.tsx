import type { File } from '@bottega/contract';
import { ActionIcon, Box, Code, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { ReplaceForm } from './replace-form.tsx';
import { hitIn } from './search-hit.ts';

/** The field takes the focus when a key or a button opens the panel. */
const maxMatches = 100;

const focusOnce = (input: HTMLInputElement | null): void => input?.focus();

type Props = {
  place: Place;
  open: (path: string, line: number) => void;
  close: () => void;
  /** Null if the reader cannot edit the files. */
  replace: { files: readonly File[]; unsaved: readonly string[] } | null;
};

export function SearchPanel({ place, open, close, replace }: Props) {
  const { projectId, ...on } = place;
  const words = useWords(editorWords);
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const results = useQuery({
    queryKey: ['projects', projectId, 'search', q, on],
    queryFn: ({ signal }) => {
      const params = { project_id: projectId };
      return call('GET /projects/{project_id}/search', { params, query: { q, limit: maxMatches, ...on }, signal });
    },
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const filesWithMatches = Object.entries(Object.groupBy(results.data?.data ?? [], ({ path }) => path));
  return (
    <Box p={6} role="search">
      <Group gap={4} wrap="nowrap" mb="xs">
        <TextInput
          aria-label={words.searchHint}
          placeholder={words.search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && close()}
          ref={focusOnce}
          maxLength={200}
          style={{ flex: 1 }}
        />
        <ActionIcon variant="subtle" color="gray" onClick={close} aria-label={words.close(words.search)}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      {replace && results.data && filesWithMatches.length > 0 && (
        <ReplaceForm
          place={place}
          sought={q}
          files={replace.files.filter(({ path }) => filesWithMatches.some(([found]) => found === path))}
          isAll={!results.data.truncated && !results.isPlaceholderData}
          unsaved={replace.unsaved}
        />
      )}
      <Refusal error={results.error} retry={results.refetch} />
      {results.isLoading && <Loading lines={4} />}
      <div aria-live="polite">
        {q !== '' && results.data && filesWithMatches.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {words.noMatch}
          </Text>
        )}
      </div>
      {filesWithMatches.map(([path, matches]) => (
        <Stack key={path} gap={0} mb="xs">
          <Text size="xs" fw={600} px={6} className="cut-start" title={path}>
            <bdi>{path}</bdi>
          </Text>
          {matches?.map((match) => (
            <UnstyledButton
              key={`${match.line}:${match.column}`}
              className="tree-row"
              onClick={() => open(path, match.line)}
            >
              <Text span size="xs" c="dimmed" miw={24} ta="right">
                {match.line}
              </Text>
              <Hit {...hitIn(match, q)} />
            </UnstyledButton>
          ))}
        </Stack>
      ))}
      {results.data?.truncated && (
        <Text size="xs" c="dimmed" p="xs">
          {results.data.data.length < maxMatches ? words.tooLarge : words.truncated}
        </Text>
      )}
    </Box>
  );
}

function Hit({ before, hit, after }: ReturnType<typeof hitIn>) {
  return (
    <Code bg="transparent" className="cut-end">
      {before}
      <mark>{hit}</mark>
      {after}
    </Code>
  );
}
