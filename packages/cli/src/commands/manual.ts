import type { Command } from 'commander';
import { exitCodes } from '../terminal/exit-codes.ts';
import { version } from '../version.ts';
import { argumentsOf, leavesOf, optionsOf } from './tree.ts';

/** The manual page, in the format of man(7). */
export function manualOf(program: Command): string {
  return [
    `.TH BTG 1 "" "btg ${version}" "Bottega"`,
    section('NAME', `btg ${dash} the Bottega command line`),
    section('SYNOPSIS', '.B btg\n.I command\n[\\fIoptions\\fR]'),
    section('DESCRIPTION', escaped(program.description())),
    section(
      'COMMANDS',
      leavesOf(program)
        .map(({ name, command }) => entryOf(name, command))
        .join('\n'),
    ),
    section('GLOBAL OPTIONS', optionsOf(program).map(optionEntry).join('\n')),
    section(
      'EXIT STATUS',
      Object.values(exitCodes)
        .map(([code, meaning]) => tagged(`${code}`, meaning))
        .join('\n'),
    ),
    section('ENVIRONMENT', environment.map(([name, meaning]) => tagged(name, meaning)).join('\n')),
    section('FILES', files.map(([name, meaning]) => tagged(name, meaning)).join('\n')),
    section('SEE ALSO', '.BR git (1),\n.BR gitcredentials (7)'),
    '',
  ].join('\n');
}

export const environment: [name: string, meaning: string][] = [
  ['BOTTEGA_URL', 'the address of the service'],
  ['BOTTEGA_TOKEN', 'an API key or an access token'],
  ['XDG_CONFIG_HOME', 'directory that contains btg/config.json; default: ~/.config'],
  ['XDG_STATE_HOME', 'directory where btg listen stores its position; default: ~/.local/state'],
  ['NO_COLOR', 'turns off colors'],
];

const files: [name: string, meaning: string][] = [
  ['~/.config/btg/config.json', 'the credentials for each service; only the owner of the file can read it'],
  ['.btg/project.json', 'the project to which a folder is linked'],
  ['.btgignore', 'files that a session ignores in addition to the files in .gitignore'],
];

const dash = '\\-';
const section = (title: string, body: string): string => `.SH ${title}\n${body}`;
const tagged = (tag: string, body: string): string => `.TP\n.B ${escaped(tag)}\n${escaped(body)}`;

function entryOf(name: string, command: Command): string {
  const head = `.SS ${escaped(['btg', name, argumentsOf(command)].filter(Boolean).join(' '))}`;
  return [head, escaped(command.description()), ...optionsOf(command).map(optionEntry)].join('\n');
}

const optionEntry = ({ flags, description }: { flags: string; description: string }): string =>
  tagged(flags, description);

/** Escapes text, because a line that begins with a dot or a quote would be a roff request. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');
