import type { LogEntry } from '@bottega/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Look, piecesOf, plainLook } from './ansi.ts';

/** `look` is the style at the start of the line, because colours continue from one line of a stream to the next. */
export type LogLine = LogEntry & { look: Look };
export type LogState = 'connecting' | 'following' | 'lost' | 'complete';
export type Log = { lines: LogLine[]; state: LogState; readOn: () => void };

/** Interval between updates of the screen, in milliseconds. Thousands of lines may arrive in a second. */
const showEvery = 60;
const firstPause = 1000;
const longestPause = 30_000;

type Options = {
  onEnd: () => void;
  /** Called when the service wrote a line about the app, whose state may have changed. */
  onLine?: () => void;
};

/**
 * Follows the log as server-sent events. The browser reopens a broken connection itself and sends the number of the
 * last line that it has. After a refusal, the browser gives up, and this hook requests the log again from that line.
 * `linkAfter` is the URL of the lines after a number.
 */
export function useLog(linkAfter: (seq: number) => string, { onEnd, onLine }: Options): Log {
  const whole = linkAfter(0);
  const [lines, setLines] = useState<LogLine[]>([]);
  const [state, setState] = useState<LogState>('connecting');
  const [round, setRound] = useState(0);
  const last = useRef({ seq: 0, looks: new Map<string, Look>() });
  const told = useRef({ linkAfter, onEnd, onLine });
  told.current = { linkAfter, onEnd, onLine };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another log starts from its beginning
  useEffect(() => {
    last.current = { seq: 0, looks: new Map() };
    setLines([]);
  }, [whole]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round opens the stream again
  useEffect(() => {
    let fresh: LogLine[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let pause = firstPause;
    let events: EventSource;
    setState('connecting');
    const show = () => {
      timer = undefined;
      const shown = fresh;
      fresh = [];
      if (shown.length > 0) setLines((before) => before.concat(shown));
    };
    const open = () => {
      events = new EventSource(told.current.linkAfter(last.current.seq));
      events.onopen = () => {
        pause = firstPause;
        setState('following');
      };
      events.addEventListener('log', ({ data }: MessageEvent<string>) => {
        const line = received(JSON.parse(data) as LogEntry, last.current);
        if (line) fresh.push(line);
        if (line?.stream === 'system') told.current.onLine?.();
        timer ??= setTimeout(show, showEvery);
      });
      events.addEventListener('end', () => {
        events.close();
        show();
        setState('complete');
        told.current.onEnd();
      });
      events.onerror = () => {
        setState('lost');
        if (events.readyState !== EventSource.CLOSED) return;
        again = setTimeout(open, pause);
        pause = Math.min(longestPause, pause * 2);
      };
    };
    open();
    return () => {
      events.close();
      clearTimeout(timer);
      clearTimeout(again);
    };
  }, [whole, round]);

  return { lines, state, readOn: useCallback(() => setRound((now) => now + 1), []) };
}

/** Prepares a line that was received. Null if the line is already shown. */
function received(entry: LogEntry, last: { seq: number; looks: Map<string, Look> }): LogLine | null {
  if (entry.seq <= last.seq) return null;
  last.seq = entry.seq;
  const look = last.looks.get(entry.stream) ?? plainLook;
  last.looks.set(entry.stream, piecesOf(entry.message, look).look);
  // A row is one line high, so a command of several lines is shown in one line.
  return { ...entry, message: entry.message.replaceAll(/\r?\n/g, ' ⏎ '), look };
}
