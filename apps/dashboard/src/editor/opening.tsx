import type { File } from '@bottega/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import type { Place } from '../api/project.ts';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { contentLink, contentQuery, downloadLink, type FileContent } from './file-content.ts';
import type { ChangeTabs } from './tabs.ts';

const LargeText = lazy(() => import('./large-text.tsx'));

type Props = { place: Place; file: File; change: ChangeTabs; isOpen: boolean };

/** Reads the file in the URL into a tab. A file that is not text is shown here, or offered for download. */
export function Opening({ place, file, change, isOpen }: Props) {
  const content = useQuery(contentQuery(place, file));
  const { data } = content;
  useEffect(() => {
    if (data?.kind !== 'text') return;
    change({ type: 'loaded', tab: { path: file.path, fileId: file.id, stored: data.text, etag: data.etag } });
  }, [data, file.path, file.id, change]);
  if (content.error) return <Refusal error={content.error} retry={content.refetch} />;
  if (!data) return isOpen ? null : <Loading />;
  if (data.kind === 'large') {
    return (
      <Suspense fallback={<Loading />}>
        <LargeText place={place} file={file} />
      </Suspense>
    );
  }
  return data.kind === 'text' ? null : <NoText kind={data.kind} place={place} file={file} />;
}

function NoText({ kind, place, file }: { kind: FileContent['kind']; place: Place; file: File }) {
  const words = useWords(editorWords);
  return (
    <Stack align="center" justify="center" style={{ flex: 1, minHeight: 0, overflow: 'auto' }} p="lg">
      {kind === 'image' ? (
        <img src={contentLink(place, file.id)} alt={file.name} style={{ maxWidth: '100%', maxHeight: '60dvh' }} />
      ) : (
        <Text>{kind === 'huge' ? words.huge : words.binary}</Text>
      )}
      <Button component="a" href={downloadLink(place, file.id)} variant="default">
        {words.download}
      </Button>
    </Stack>
  );
}
