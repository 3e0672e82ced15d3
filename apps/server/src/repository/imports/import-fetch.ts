import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonSentence } from '@bottega/contract';
import { askGit, feedGit, GitError, GitMissing, type GitProgram, GitSaidTooMuch, sizeOfPacks } from '../cache/index.ts';
import { inMebibytes, type PushLimits } from '../quarantine/index.ts';
import { ImportError, type ImportSource } from './import-source.ts';

export type Fetched = { tip: Buffer; tags: { name: string; sha: Buffer }[] };

const longestMs = 15 * 60_000;
const lookEveryMs = 250;
const imported = 'refs/imported/branch';

/** Restricts git's HTTP client: no redirects, no other transports, no prompts, and no very slow transfers. */
const careful = [
  'http.followRedirects=false',
  'http.lowSpeedLimit=10000',
  'http.lowSpeedTime=30',
  'fetch.fsckObjects=true',
  'fetch.unpackLimit=1',
  'fetch.fsck.badTimezone=ignore',
  'fetch.fsck.missingSpaceBeforeDate=ignore',
  'fetch.fsck.zeroPaddedFilemode=ignore',
  'fetch.recurseSubmodules=false',
  // With this version of the protocol, a server lists only the requested references. With older versions, it lists all
  // of them.
  'protocol.version=2',
  'core.packedGitLimit=256m',
];

/** Memory limit of git's client, which keeps the server's whole list of references in memory. */
const memory = 1024 ** 3;

/** Fetches one branch and its tags into a repository in quarantine, which borrows the project's objects. */
export async function fetchBranch(
  git: GitProgram,
  directory: string,
  { source, branch, limits }: { source: ImportSource; branch: string; limits: PushLimits },
): Promise<Fetched> {
  const known = await tagsIn(git, directory);
  const settings = [...careful, ...source.pinned].flatMap((setting) => ['-c', setting]);
  const fetch = ['fetch', '--quiet', '--no-write-fetch-head', source.url, `refs/heads/${branch}:${imported}`];
  const tooLarge = new AbortController();
  const watch = setInterval(async () => {
    if ((await sizeOfPacks(directory)) > limits.pack) tooLarge.abort();
  }, lookEveryMs);
  try {
    await feedGit(git, [...settings, `--git-dir=${directory}`, ...fetch], {
      environment: { GIT_ALLOW_PROTOCOL: 'http:https' },
      signal: tooLarge.signal,
      timeoutMs: longestMs,
      memory,
    });
  } catch (error) {
    if (tooLarge.signal.aborted) throw largerThan(limits.pack);
    if (error instanceof GitMissing) throw new ImportError(error.message);
    throw error instanceof GitError ? new ImportError(inOwnWords(error.message, branch)) : error;
  } finally {
    clearInterval(watch);
  }
  // The pack may have arrived faster than its size could be checked.
  if ((await sizeOfPacks(directory)) > limits.pack) throw largerThan(limits.pack);
  const tip = Buffer.from((await askGit(git, [`--git-dir=${directory}`, 'rev-parse', imported])).trim(), 'hex');
  const tags = await tagsIn(git, directory);
  const names = new Set(known.map(({ name }) => name));
  // The fetched references do not belong to the project yet. If they stayed here, their objects would count as stored.
  await rm(join(directory, 'refs'), { recursive: true });
  await mkdir(join(directory, 'refs'));
  return { tip, tags: tags.filter(({ name }) => !names.has(name)) };
}

async function tagsIn(git: GitProgram, directory: string): Promise<Fetched['tags']> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags'];
  const listing = await askGit(git, [`--git-dir=${directory}`, ...args]).catch((error: unknown) => {
    throw error instanceof GitSaidTooMuch ? new ImportError(reasonSentence('repository_too_many_tags')) : error;
  });
  return listing
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      sha: Buffer.from(line.slice(0, 40), 'hex'),
      name: Buffer.from(line.slice(41), 'latin1').toString('utf8'),
    }));
}

const largerThan = (bytes: number) =>
  new ImportError(reasonSentence('repository_too_large', { size: inMebibytes(bytes) }));

/** Git's message, or a simpler one for common failures. */
function inOwnWords(words: string, branch: string): string {
  if (/couldn't find remote ref/.test(words)) return reasonSentence('branch_missing', { branch });
  if (/could not read Username|Authentication failed|terminal prompts disabled|error: 40[13]/.test(words)) {
    return reasonSentence('repository_private');
  }
  if (/not found|error: 404/.test(words)) return reasonSentence('repository_missing');
  if (/error: 30\d|redirect/i.test(words)) return reasonSentence('repository_moved');
  const [line] = words.split('\n').filter((one) => /^(fatal|error): /.test(one));
  const detail = (line ?? words).replace(/^(fatal|error): /, '').slice(0, 300);
  return reasonSentence('fetch_failed', { detail });
}
