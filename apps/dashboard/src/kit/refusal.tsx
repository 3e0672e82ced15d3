import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';
import { wordsOfCode } from './refusal-words.ts';

/** The parts of a query that a screen needs. */
export type Answer<Data> = { data: Data | undefined; error: unknown; isPending: boolean; refetch: () => unknown };

/** An error message, with the request id for the service's log. */
export function Refusal({ error, retry }: { error: unknown; retry?: (() => unknown) | undefined }) {
  const words = useWords(kitWords);
  const language = useLanguage();
  if (!error) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  const said = error instanceof ApiError ? wordsOfCode(error.code, language) : null;
  return (
    <Problem title={said ?? messageOf(error)}>
      {said && (
        <Text size="sm" lang="en">
          {messageOf(error)}
        </Text>
      )}
      <Group gap="sm" justify="space-between">
        {requestId && (
          <Text size="xs" c="dimmed">
            {words.requestId} <Code>{requestId}</Code>
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {words.again}
          </Button>
        )}
      </Group>
    </Problem>
  );
}

export function Problem({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle size={18} aria-hidden />} title={title}>
      {children}
    </Alert>
  );
}

export const messageOf = (error: unknown): string => {
  if (error instanceof ApiError) {
    const fields = Object.entries(error.fields).map(([field, message]) => `${field} ${message}`);
    return fields.length > 0 ? `${error.message}: ${fields.join(', ')}` : error.message;
  }
  return error instanceof Error ? error.message : String(error);
};

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
