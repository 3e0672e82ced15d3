import type { Argument, Command, Option } from 'commander';

/** A command with its name in full, such as `projects ls`; empty for the program itself. */
export type Leaf = { name: string; command: Command };

/** Every command that can be called and is not hidden, in the order in which help tells them. */
export function leavesOf(program: Command): Leaf[] {
  const help = program.createHelp();
  const below = (command: Command, name: string): Leaf[] =>
    help
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help')
      .flatMap((one) => {
        const full = [name, one.name()].filter(Boolean).join(' ');
        return one.commands.length > 0 ? below(one, full) : [{ name: full, command: one }];
      });
  return below(program, '');
}

export const optionsOf = (command: Command): Option[] => command.options.filter(({ hidden }) => !hidden);

/** As usage writes it: `<file> [path]`. */
export const argumentsOf = (command: Command): string =>
  command.registeredArguments.map((one: Argument) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)).join(' ');
