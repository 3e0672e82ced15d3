import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeWith } from '../../../../apps/server/src/testing/parts/programs.ts';
import { useBtg } from '../testing/btg.fixture.ts';

const run = promisify(execFile);
const btg = useBtg();
const completed = ['projects', 'files', '--json'];

test('bash completes commands, their subcommands and options, also after other options', async () => {
  const { stdout: script } = await btg(['completion', 'bash']);
  const ask = async (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const asking = `COMP_WORDS=(btg ${typed}); COMP_CWORD=${words.length}; _btg; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await run('bash', ['-c', `${script}\n${asking}`])).stdout.trim().split('\n');
  };
  expect(await ask('')).toEqual(expect.arrayContaining(completed));
  expect(await ask('pro')).toEqual(['projects']);
  expect(await ask('projects', '')).toEqual(expect.arrayContaining(['ls', 'create', 'rm', 'open']));
  expect(await ask('--json', 'projects', 'create', '--temp')).toEqual(['--template']);
  expect(await ask('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  expect(await ask('')).not.toContain('git-credential');
});

describeWith(['zsh'], 'zsh', () => {
  test('completes commands and their subcommands', async () => {
    const { stdout: script } = await btg(['completion', 'zsh']);
    // Acts as the completion system, which needs a terminal.
    const around = 'compdef() { : }; _files() { : }; _describe() { print -l $choices }';
    const { stdout } = await run('zsh', ['-fc', `${around}\n${script}\nwords=(btg projects ""); CURRENT=3; _btg`]);
    expect(stdout).toContain('create:Create a project');
  });
});

describeWith(['fish'], 'fish', () => {
  test('completes commands and their subcommands', async () => {
    const { stdout: script } = await btg(['completion', 'fish']);
    const { stdout } = await run('fish', ['-c', `${script}\ncomplete -C 'btg projects '`]);
    expect(stdout).toContain('create\t');
  });
});

test('completions for an unknown shell are refused', async () => {
  expect((await btg(['completion', 'tcsh'])).code).toBe(2);
});
