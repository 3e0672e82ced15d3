import type { Argument, Command, Option } from 'commander';

/** A command with its full name, such as `projects ls`. The name is empty for the program itself. */
export type Leaf = { name: string; command: Command };

/** Every callable command that is not hidden, in the order of the help. */
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

/** The arguments in the form of the usage line: `<file> [path]`. */
export const argumentsOf = (command: Command): string =>
  command.registeredArguments.map((one: Argument) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)).join(' ');
