import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createProgram } from '../program.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { manualOf } from './manual.ts';
import { argumentsOf, leavesOf, optionsOf } from './tree.ts';

const page = new URL('../../../../docs/cli.md', import.meta.url).pathname;
const program = createProgram(() => async () => undefined);

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |\n`;
const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\.$/, '');

const tables: [head: string, rows: string[]][] = [
  [
    '| command | what it does |\n|---|---|\n',
    leavesOf(program).map(({ name, command }) => {
      const options = optionsOf(command).map(({ long, flags }) => (long ? flags.slice(flags.indexOf(long)) : flags));
      const called = ['btg', name, argumentsOf(command)].filter(Boolean).join(' ');
      const all = [called, ...options].map(code).join(' ');
      return row(all, cell(command.summary() || command.description()));
    }),
  ],
  [
    '| option | meaning |\n|---|---|\n',
    optionsOf(program).map(({ flags, description }) => row(code(flags), cell(description))),
  ],
  [
    '| exit code | meaning |\n|---|---|\n',
    Object.values(exitCodes).map(([number, meaning]) => row(`${number}`, meaning)),
  ],
];

test('the tables in docs/cli.md list the commands, options and exit codes; vitest with -u updates them', async () => {
  let text = readFileSync(page, 'utf8');
  for (const [head, rows] of tables) {
    const [before = '', after = ''] = text.split(head);
    const rest = after.startsWith('|') ? after.slice(after.indexOf('\n\n') + 1) : after;
    text = `${before}${head}${rows.join('')}${rest}`;
  }
  await expect(text).toMatchFileSnapshot(page);
});

test('every command, argument and option has a description, and no command has two equal options', () => {
  for (const { name, command } of leavesOf(program)) {
    expect(command.description(), name).toMatch(/^[A-Z].*\.$/s);
    const flags = [...optionsOf(command), ...optionsOf(program)].flatMap(({ short, long }) =>
      [short, long].filter(Boolean),
    );
    expect(new Set(flags).size, name).toBe(flags.length);
  }
});

test('the manual page lists every command, option, exit code and variable', () => {
  const manual = manualOf(program).replaceAll('\\-', '-');
  for (const { name, command } of leavesOf(program)) {
    expect(manual).toContain(`.SS btg ${name}`);
    for (const { flags } of optionsOf(command)) expect(manual).toContain(flags);
  }
  for (const [, meaning] of Object.values(exitCodes)) expect(manual).toContain(meaning);
  expect(manual).toContain('BOTTEGA_TOKEN');
});
