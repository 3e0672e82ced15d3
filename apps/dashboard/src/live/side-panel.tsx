import './live.css';
import { Box, CloseButton, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

type Props = { title: string; close: () => void; children: ReactNode };

/** A panel next to the editor. When it is closed, what had the focus before gets it again. */
export function SidePanel({ title, close, children }: Props) {
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    opener.current = document.activeElement;
  }, []);
  const leave = () => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
    close();
  };
  return (
    <Box component="aside" className="live-side" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" mb="sm">
        <Text fw={600}>{title}</Text>
        <CloseButton size="sm" onClick={leave} />
      </Group>
      {children}
    </Box>
  );
}
