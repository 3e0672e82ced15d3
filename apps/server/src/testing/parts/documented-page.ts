import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The commands of a page of the documentation, block by block. */
export function blocksOf(name: string): string[] {
  const page = readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8');
  return [...page.matchAll(/```sh\n([\s\S]*?)\n```\n/g)].map(([, script]) => script ?? '');
}

const person = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};

/** In one shell, because later commands use variables of earlier ones. A failing command ends it. */
export function inShell(script: string, cwd: string, variables: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_TERMINAL_PROMPT: '0', ...person, ...variables };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  return new Promise<{ output: string; code: number | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ output, code }));
  });
}
