import { TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

type Props = { label: string; value: string | undefined; seek: (text: string | undefined) => void };

/**
 * Typed text goes into the URL after a pause, and a change of the URL (a link, the back button) into the field. The
 * field ignores its own change of the URL: more may have been typed meanwhile.
 */
export function SearchField({ label, value, seek }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value ?? '');
  const sent = useRef(value);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim() || undefined;
    seek(sent.current);
  }, 250);
  useHotkeys([['/', () => field.current?.focus()]]);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value ?? '');
  }, [value]);
  return (
    <TextInput
      ref={field}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      style={{ flex: '1 1 220px' }}
      maxLength={200}
    />
  );
}
