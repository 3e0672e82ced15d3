import { TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

type Props = { label: string; value: string | undefined; seek: (text: string | undefined) => void };

/**
 * A search field that is connected with the URL. Typed text goes into the URL after a pause. If a link or the back
 * button changes the URL, the field changes too. The field ignores changes of the URL that it made itself, because the
 * user may have typed more since.
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
