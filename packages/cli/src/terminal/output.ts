import type { Io } from './io.ts';
import { type Colours, coloursFor, visible, visibleJson } from './text.ts';

/** Data goes to standard output, and messages about it go to standard error. */
export type Output = {
  isJson: boolean;
  colours: Colours;
  /** The result of the command: JSON if requested, otherwise text. */
  result(data: unknown, words: () => string): void;
  /** One of several results in a row: a line of JSON, or of text. */
  line(data: unknown, words: () => string): void;
  /** A message for the user. */
  note(text: string): void;
  /** Shows progress, in place on a terminal. `done` clears it. */
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
