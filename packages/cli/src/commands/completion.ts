import { Argument, type Command } from 'commander';
import type { Context } from '../context.ts';
import type { Run } from './command.ts';
import { withExamples } from './command.ts';
import { leavesOf, optionsOf } from './tree.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function addCompletionCommand(program: Command, run: Run): void {
  const command = program
    .command('completion')
    .summary('print shell completions')
    .description('Print the shell completions for this version of btg.')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(run(async ({ io }: Context, shell: Shell) => void io.stdout.write(completionFor(shell, program))));
  withExamples(
    command,
    'btg completion bash > ~/.local/share/bash-completion/completions/btg',
    'btg completion zsh > "$' + '{fpath[1]}/_btg"',
    'btg completion fish > ~/.config/fish/completions/btg.fish',
  );
}

/** What may follow the previous words: commands with their descriptions, and options. */
type Choice = { word: string; meaning: string };
type Step = { before: string; choices: Choice[] };

function stepsOf(program: Command): Step[] {
  const common = optionsOf(program).map(choiceOf);
  const step = (before: string, command: Command): Step => ({
    before,
    choices: [
      ...program
        .createHelp()
        .visibleCommands(command)
        .map((one) => ({ word: one.name(), meaning: one.summary() || firstSentence(one.description()) })),
      ...command.registeredArguments.flatMap(({ argChoices = [] }) =>
        argChoices.map((word) => ({ word, meaning: '' })),
      ),
      ...(command === program ? [] : optionsOf(command).map(choiceOf)),
      ...common,
    ],
  });
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  return [
    step('', program),
    ...groups.map((group) => step(group.name(), group)),
    ...leavesOf(program).map(({ name, command }) => step(name, command)),
  ];
}

const choiceOf = ({ long, description }: { long?: string | undefined; description: string }): Choice => ({
  word: long ?? '',
  meaning: description,
});

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0]?.replace(/\.$/, '') ?? '';

export function completionFor(shell: Shell, program: Command): string {
  const steps = stepsOf(program);
  if (shell === 'bash') return bash(steps);
  return shell === 'zsh' ? zsh(steps) : fish(steps);
}

/**
 * The completion for bash. It offers what may follow the words before the cursor, ignoring options. After unknown
 * words, it offers files.
 */
const bash = (steps: Step[]): string => `# bash completion of btg
_btg() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ "$word" == -* ]] && continue
    case "\${path:+$path }$word" in
${steps
  .filter(({ before }) => before !== '')
  .map(({ before }) => `      ${quoted(before)}) path=${quoted(before)} ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${steps
  .map(
    ({ before, choices }) =>
      `    ${quoted(before)}) COMPREPLY=($(compgen -W ${quoted(choices.map(({ word }) => word).join(' '))} -- "$current")) ;;`,
  )
  .join('\n')}
  esac
}
complete -o default -F _btg btg
`;

const zsh = (steps: Step[]): string => `#compdef btg
_btg() {
  local btg_path="" word
  local -a choices
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    [[ "$word" == -* ]] && continue
    case "\${btg_path:+$btg_path }$word" in
${steps
  .filter(({ before }) => before !== '')
  .map(({ before }) => `      ${quoted(before)}) btg_path=${quoted(before)} ;;`)
  .join('\n')}
    esac
  done
  case "$btg_path" in
${steps
  .map(
    ({ before, choices }) =>
      `    ${quoted(before)}) choices=(${choices.map(({ word, meaning }) => quoted(`${word}:${meaning}`)).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  _describe btg choices
  _files
}
if [ "$funcstack[1]" = "_btg" ]; then _btg "$@"; else compdef _btg btg; fi
`;

const fish = (steps: Step[]): string => `# fish completion of btg
function __btg_path
  set -l path
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; and continue
    switch "$path $word"
${steps
  .filter(({ before }) => before !== '')
  .map(({ before }) => `      case ${quoted(` ${before}`)}\n        set path ${quoted(` ${before}`)}`)
  .join('\n')}
    end
  end
  test "$path" = "$argv[1]"
end
${steps.flatMap(({ before, choices }) => choices.map((choice) => fishLine(before, choice))).join('\n')}
`;

function fishLine(before: string, { word, meaning }: Choice): string {
  const what = word.startsWith('--') ? `-l ${quoted(word.slice(2))}` : `-f -a ${quoted(word)}`;
  return `complete -c btg -n ${quoted(`__btg_path ${quoted(before && ` ${before}`)}`)} ${what} -d ${quoted(meaning)}`;
}

/** Quotes a text for all three shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
