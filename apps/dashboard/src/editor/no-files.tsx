import { Box, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Place } from '../api/project.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Empty, useTitle } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import type { useFileChanges } from './use-file-changes.tsx';

type Props = { place: Place; canWrite: boolean; changes: ReturnType<typeof useFileChanges>; notice: ReactNode };

export function NoFiles({ place, canWrite, changes, notice }: Props) {
  const words = useWords(editorWords);
  const title = place.branch === undefined ? words.empty : words.emptyBranch;
  return (
    <Box p="md">
      {notice}
      {canWrite ? (
        <changes.Dropping>
          <Empty title={title} hint={words.emptyHint}>
            <Group>
              <Button onClick={() => changes.create('/')}>{words.newFile}</Button>
              <changes.UploadButton />
            </Group>
          </Empty>
        </changes.Dropping>
      ) : (
        <Empty title={title} hint={words.emptyReader} />
      )}
    </Box>
  );
}

/** Shown if the branch in the URL does not exist. */
export function NoBranch({ place: { projectId, branch = 'main' } }: { place: Place }) {
  const words = useWords(editorWords);
  useTitle(words.noBranch(branch));
  return (
    <Box p="md">
      <Empty title={words.noBranch(branch)} hint={words.noBranchHint}>
        <ButtonLink to="/projects/$projectId/files" params={{ projectId }}>
          {words.toMain}
        </ButtonLink>
      </Empty>
    </Box>
  );
}
