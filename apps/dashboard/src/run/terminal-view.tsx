import type { WorkspaceTerminal } from '@bottega/contract';
import { Box, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { linkTo } from '../api/client.ts';
import { useWords } from '../words/words.tsx';
import { KeyBar, withCtrl } from './key-bar.tsx';
import { runWords } from './run.words.ts';
import { openScreen, type Screen } from './screen.ts';
import { connectTerminal, type SocketState } from './terminal-socket.ts';
import type { Which } from './workspaces-query.ts';

type Props = {
  which: Which;
  terminal: WorkspaceTerminal;
  name: string;
  isShown: boolean;
  canWrite: boolean;
  /** Called when the shell may have ended, so that the list of terminals is read again. */
  changed: () => void;
};

/** One shared terminal. It stays connected while another tab is shown. */
export default function TerminalView({ which, terminal: { id, cols, rows }, name, isShown, canWrite, changed }: Props) {
  const words = useWords(runWords);
  const host = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | null>(null);
  const [[state, exitCode], setState] = useState<[SocketState, number | null]>(['connecting', null]);
  const latest = useRef({ changed, size: { cols, rows }, label: words.input(name) });
  latest.current.changed = changed;
  const hasKeys = useMediaQuery('(hover: none), (max-width: 48em)', false, { getInitialValueInEffect: false });
  const [hasCtrl, setCtrl] = useState(false);
  const ctrl = useRef(hasCtrl);
  ctrl.current = hasCtrl;
  const { project_id, workspace_id } = which;

  useEffect(() => {
    if (!host.current) return;
    const { label, size } = latest.current;
    const opened = openScreen(host.current, { label, isReadOnly: !canWrite, size: canWrite ? undefined : size });
    screen.current = opened;
    const { terminal } = opened;
    const params = { project_id, workspace_id, terminal_id: id };
    const path = linkTo('GET /projects/{project_id}/workspaces/{workspace_id}/terminals/{terminal_id}/ws', { params });
    const socket = connectTerminal({
      url: window.location.origin.replace(/^http/, 'ws') + path,
      received: (bytes) => terminal.write(bytes),
      size: () => (canWrite ? { cols: terminal.cols, rows: terminal.rows } : null),
      changed(next, code) {
        setState([next, code]);
        if (next !== 'open') latest.current.changed();
      },
    });
    const encoder = new TextEncoder();
    terminal.onData((text) => {
      socket.send(encoder.encode(ctrl.current ? withCtrl(text) : text));
      setCtrl(false);
    });
    terminal.onBinary((text) => socket.send(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    terminal.onResize(socket.tellSize);
    return () => {
      socket.close();
      opened.close();
    };
  }, [project_id, workspace_id, id, canWrite]);

  // Whoever only watches has the size that somebody else chooses.
  useEffect(() => {
    if (!canWrite) screen.current?.terminal.resize(cols, rows);
  }, [cols, rows, canWrite]);

  useEffect(() => {
    if (isShown && canWrite && mayTakeFocus()) screen.current?.terminal.focus();
  }, [isShown, canWrite]);

  const notice = {
    connecting: canWrite ? null : words.readOnly,
    open: canWrite ? null : words.readOnly,
    lost: words.lost,
    ended: words.ended(exitCode),
    over: words.over,
  }[state];
  return (
    <Box
      className="run-terminal"
      hidden={!isShown}
      role="group"
      aria-label={name}
      data-connection={state}
      onKeyDown={(event) => {
        // The shell gets the Tab key, so another key must move the focus out of the terminal.
        if (event.key !== 'F6') return;
        event.preventDefault();
        event.currentTarget.closest('.run')?.querySelector<HTMLElement>('.run-tabs [aria-current=true]')?.focus();
      }}
    >
      {notice !== null && (
        <Text size="xs" c="dimmed" role="status" px="sm" py={4}>
          {notice}
        </Text>
      )}
      <div ref={host} className="run-screen" data-watched={!canWrite || undefined} />
      {canWrite && hasKeys && <KeyBar terminal={() => screen.current?.terminal} hasCtrl={hasCtrl} setCtrl={setCtrl} />}
    </Box>
  );
}

/**
 * Whether the terminal may take the focus. A user who types elsewhere must not be interrupted. On a phone, the focus
 * would open the keyboard.
 */
function mayTakeFocus(): boolean {
  const { activeElement: focused, body } = document;
  if (!window.matchMedia('(hover: hover)').matches) return false;
  return focused === null || focused === body || focused.closest('.run, [data-opens-run]') !== null;
}
