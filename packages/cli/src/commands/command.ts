import { type Command, InvalidArgumentError } from 'commander';
import { type Context, contextOf } from '../context.ts';
import type { Io } from '../terminal/io.ts';

/** Turns a function that needs a context into an action of the parser. */
export type Run = <Given extends unknown[]>(
  act: (context: Context, ...given: Given) => Promise<void>,
) => (...given: [...Given, Command]) => Promise<void>;

export function runWith(io: Io): Run {
  return (act) =>
    async (...given) => {
      const command = given.pop() as Command;
      await act(contextOf(io, command.optsWithGlobals()), ...(given as never));
    };
}

/** Appends examples to the help of a command. */
export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`);
}

/** An option that can be repeated, or used once with commas. */
export const listOf = (value: string, former: string[] = []): string[] => [
  ...former,
  ...value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
];

export function countOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be an integer of at least 1.');
  return Number(text);
}

/** The number of a merge request, also as messages write it: `!7`. */
export function numberOf(text: string): string {
  const [, number] = /^!?([1-9]\d{0,8})$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('It must be the number of a merge request.');
  return number;
}
