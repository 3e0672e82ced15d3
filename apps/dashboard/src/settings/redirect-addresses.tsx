import { Textarea, type TextareaProps } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { appsWords } from './apps.words.ts';

export function RedirectAddresses(props: TextareaProps) {
  const words = useWords(appsWords);
  return (
    <Textarea
      label={words.redirects}
      description={words.redirectsHint}
      placeholder="https://app.example.com/callback"
      required
      autosize
      minRows={2}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      {...props}
    />
  );
}

export const uris = (lines: string): string[] => [
  ...new Set(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** The service names the refused URI by its index: `redirect_uris.0`. */
export function urisError(fields: Record<string, string>): string | undefined {
  const refused = Object.entries(fields).filter(([name]) => /^redirect_uris(\.\d+)?$/.test(name));
  if (refused.length === 0) return undefined;
  return refused
    .map(([name, message]) => (name.includes('.') ? `${Number(name.split('.')[1]) + 1}: ${message}` : message))
    .join(', ');
}
