import type { WebhookFormat } from '@bottega/contract';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useWords } from '../words/words.tsx';
import { formWords } from './form.words.ts';
import { eventTypesQuery } from './webhooks-query.ts';

/** Shown until an event is chosen. */
const usualType = 'file.updated';

/** An example of the first chosen event, from the catalogue. */
export function MessageExample({ format, chosen }: { format: WebhookFormat; chosen: readonly string[] }) {
  const words = useWords(formWords);
  const id = useId();
  const { data: types } = useQuery(eventTypesQuery);
  const [first] = chosen;
  const type =
    types?.find(({ formats }) => formats[format].name === first) ??
    types?.find(({ formats }) => first?.endsWith('.*') && formats[format].name.startsWith(first.slice(0, -1))) ??
    types?.find(({ type }) => type === usualType);
  if (!type) return null;
  return (
    <Stack component="section" gap={6} miw={0} aria-labelledby={id}>
      <Text size="sm" fw={500} id={id}>
        {words.example}: {type.formats[format].name}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className="code-block message-example" tabIndex={0}>
        {JSON.stringify(type.formats[format].example, null, 2)}
      </pre>
    </Stack>
  );
}
