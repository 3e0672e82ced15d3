import type { File } from '@bottega/contract';
import { NativeSelect, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { Form, Submit } from '../kit/form.tsx';
import { exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { shareWords } from './share.words.ts';

const seconds = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 } as const;
const spans = Object.keys(seconds) as (keyof typeof seconds)[];

/** Creates a link for people without an account. The link is shown only once, because the service does not store it. */
export function ShareForm({ projectId, file }: { projectId: string; file: File }) {
  const words = useWords(shareWords);
  const language = useLanguage();
  const [span, setSpan] = useState<keyof typeof seconds>('day');
  const share = useMutation({
    mutationFn: () => {
      const params = { project_id: projectId, file_id: file.id };
      const body = { expires_in: seconds[span] };
      return call('POST /projects/{project_id}/files/{file_id}/share', { params, body, ...once() });
    },
  });
  return (
    <Form submit={share.mutate}>
      <Text size="sm">{words.hint}</Text>
      <NativeSelect
        label={words.expires}
        data={spans.map((value) => ({ value, label: words[value] }))}
        value={span}
        onChange={(event) => setSpan(event.currentTarget.value as typeof span)}
        data-autofocus
      />
      {share.data && (
        <div role="status">
          <CopyLine label={words.link} value={share.data.url} />
          <Text size="xs" c="dimmed">
            {words.until} {exactly(share.data.expires_at, language)}
          </Text>
        </div>
      )}
      <Submit sending={share} at="flex-end">
        {words.create}
      </Submit>
    </Form>
  );
}
