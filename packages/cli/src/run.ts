import type { Command } from 'commander';
import { runWith } from './commands/command.ts';
import { createProgram } from './program.ts';
import { endingOf } from './terminal/failure.ts';
import type { Io } from './terminal/io.ts';
import { visible } from './terminal/text.ts';

/** Runs one command line. Returns the exit code; never throws. */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const program = createProgram(runWith(io));
  for (const command of commandsOf(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    });
  }
  try {
    const asksForVersion = args.length === 1 && ['-v', 'version'].includes(args[0] ?? '');
    await program.parseAsync(asksForVersion ? ['--version'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    const { code, lines } = endingOf(error, io.signal);
    const [first, ...rest] = lines;
    if (first !== undefined) io.stderr.write(`btg: ${visible([first, ...rest].join('\n     '))}\n`);
    return code;
  }
}

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)];
