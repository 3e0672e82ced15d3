import type { Io } from './io.ts';
import { type Colours, coloursFor, visible, visibleJson } from './text.ts';

/** Data goes to standard output, words about it to standard error. */
export type Output = {
  isJson: boolean;
  colours: Colours;
  /** What the command was called for: as JSON where that was asked for, else in words. */
  result(data: unknown, words: () => string): void;
  /** One of many that come one after the other: a line of JSON, or of words. */
  line(data: unknown, words: () => string): void;
  /** For whoever looks on. */
  note(text: string): void;
  /** Says what is going on, in place on a terminal. `done` clears it. */
  progress(text: string): { done(): void };
};

export function createOutput(io: Io, { isJson, noColour }: { isJson: boolean; noColour: boolean }): Output {
  const hasColours = (stream: { isTTY?: boolean }) =>
    stream.isTTY === true && !noColour && !io.env.NO_COLOR && io.env.TERM !== 'dumb';
  const isColoured = !isJson && hasColours(io.stdout) && hasColours(io.stderr);
  const colours = coloursFor(isColoured);
  const shown = (text: string) => visible(text, isColoured);
  const inJson = (data: unknown, indent?: number) => visibleJson(JSON.stringify(data, null, indent));
  const print = (text: string) => void io.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return {
    isJson,
    colours,
    result: (data, words) => print(isJson ? inJson(data, 2) : shown(words())),
    line: (data, words) => print(isJson ? inJson(data) : shown(words())),
    note: (text) => void io.stderr.write(`${shown(text)}\n`),
    progress(text) {
      if (io.stderr.isTTY !== true) {
        io.stderr.write(`${shown(text)}\n`);
        return { done: () => undefined };
      }
      io.stderr.write(`${colours.dim(shown(text))}\r`);
      return { done: () => void io.stderr.write('\u001b[2K') };
    },
  };
}
