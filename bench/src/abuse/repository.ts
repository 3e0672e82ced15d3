import { type Attacker, git, repositoryUrl } from './attacker.ts';

/** Repositories made with git's plumbing commands, small on the wire whatever they contain. */

const branch = 'refs/heads/main';

export async function emptyRepository({ directory }: Attacker): Promise<void> {
  await git(directory, ['init', '--quiet', '--bare', '.']);
}

export const blobOf = async ({ directory }: Attacker, content: string): Promise<string> =>
  (await git(directory, ['hash-object', '-w', '--stdin'], { input: content })).stdout;

export const treeOf = async ({ directory }: Attacker, entries: string[]): Promise<string> =>
  (await git(directory, ['mktree'], { input: entries.map((entry) => `${entry}\n`).join('') })).stdout;

export async function commitOf({ directory }: Attacker, tree: string, message = 'x'): Promise<string> {
  const { stdout } = await git(directory, ['commit-tree', tree, '-F', '-'], { input: message });
  await git(directory, ['update-ref', branch, stdout]);
  return stdout;
}

export const push = (attacker: Attacker, project: string, signal?: AbortSignal) =>
  git(attacker.directory, ['push', '--quiet', repositoryUrl(attacker, project), `${branch}:${branch}`], {
    ...(signal && { signal }),
  });

export const many = (count: number, entry: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => entry(index));

export const outcome = ({ code, stderr }: { code: unknown; stderr: string }): string => {
  if (code === 0) return 'the push was taken';
  if (code === 'ABORT_ERR') return 'the push had no answer in time';
  return `the push was refused: ${/remote: (.*)/.exec(stderr)?.[1] ?? stderr.trim().split('\n').at(-1) ?? code}`;
};
