import type { LogEntry } from '@bottega/sdk';
import { type Colours, printable } from './text.ts';

/** A line of a log, in the colour of its level. */
export function logLine({ level, message, stream }: LogEntry, colours: Colours): string {
  const text = printable(message, { keepColours: colours.bold('') !== '' });
  if (level === 'error') return colours.red(text);
  if (level === 'warn') return colours.yellow(text);
  return stream === 'system' ? colours.dim(text) : text;
}
