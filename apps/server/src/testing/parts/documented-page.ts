import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { guidePages } from '../guide/guide-pages.ts';

const repository = new URL('../../../../../', import.meta.url);

type Language = 'sh' | 'js';

/** All commands, or programs, of a page of the guide, block by block. */
export function allBlocksOf(page: string, language: Language = 'sh'): string[] {
  const text = readFileSync(new URL(page, repository), 'utf8');
  const blocks = text.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm);
  return [...blocks].flatMap(([, named, block = '']) => (named === language ? [block] : []));
}

/** The commands that the page's test runs. */
export function blocksOf(page: string): string[] {
  const leftOut = Object.keys(guidePages[page]?.except ?? {});
  return allBlocksOf(page).filter((block) => !leftOut.some((beginning) => block.startsWith(beginning)));
}

const person = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@b.c',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@b.c',
};

/**
 * Runs commands in one shell, because later commands use variables of earlier ones. A command that fails ends the
 * shell.
 */
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

/** A refused request prints its response, and counts as a failing command. */
const strictCurl = 'curl() { command curl --fail-with-body "$@"; }';

/** Replaces names in a script of a page with those of this machine. */
const filledIn = (script: string, names: Record<string, string>): string =>
  Object.entries(names).reduce((text, [name, value]) => text.replaceAll(name, value), script);

type Following = {
  cwd: string;
  variables: Record<string, string>;
  /** Names on the page, and what replaces them on this machine. */
  names?: Record<string, string>;
  /** The service, if there is one already. */
  url?: string;
};

/** Runs blocks of a page one after the other, and returns what they print. Throws if one of them fails. */
export async function follow(blocks: readonly string[], { cwd, variables, names, url }: Following): Promise<string> {
  const here = url === undefined ? {} : { 'localhost:3000': new URL(url).host };
  const script = filledIn([strictCurl, ...blocks].join('\n'), { ...names, ...here });
  const { output, code } = await inShell(script, cwd, { ...(url && { API: `${url}/v1` }), ...variables });
  if (code !== 0) throw new Error(`The commands exited with ${code}:\n${output}`);
  return output;
}
