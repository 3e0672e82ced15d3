import { GitError, type GitProgram, startGit } from '../cache/index.ts';
import { inMebibytes, longestCheckMs } from './limits.ts';
import { PushRefused } from './push-refused.ts';

/** Longest chain of tags. A tag of a tag is a mistake or a signature. Nobody needs ten in a chain. */
const longestChain = 10;
const maxBytes = 256 * 1024 * 1024;

type Target = { sha: string; type: string };

/**
 * The final target of each tag, by its id. A tag that leads to a missing tag is left out. Each tag is read once. Git
 * itself follows the whole chain for every tag, so thousands of tags in one chain would cost millions of reads.
 */
export async function peelTags(
  git: GitProgram,
  directory: string,
  tags: readonly string[],
): Promise<Map<string, string>> {
  const targets = new Map<string, Target>();
  let unread = [...tags];
  for (let round = 0; unread.length > 0; round++) {
    if (round === longestChain) throw chainTooLong();
    const read = await readTags(git, directory, unread);
    for (const [tag, target] of read) targets.set(tag, target);
    const next = [...read.values()].filter(({ sha, type }) => type === 'tag' && !targets.has(sha));
    unread = [...new Set(next.map(({ sha }) => sha))];
  }
  const peeled = new Map<string, string>();
  for (const tag of tags) {
    const end = follow(targets, tag);
    if (end) peeled.set(tag, end.sha);
  }
  return peeled;
}

function follow(targets: ReadonlyMap<string, Target>, tag: string): Target | undefined {
  let target = targets.get(tag);
  for (let length = 1; target?.type === 'tag'; length++) {
    if (length === longestChain) throw chainTooLong();
    target = targets.get(target.sha);
  }
  return target;
}

const chainTooLong = () => new PushRefused(`a tag points to its object through more than ${longestChain} other tags`);

/** Reads tags. Keeps only the first lines of each, because the message after them may be long. */
async function readTags(git: GitProgram, directory: string, shas: readonly string[]): Promise<Map<string, Target>> {
  const reading = await startGit(git, [`--git-dir=${directory}`, 'cat-file', '--batch', '--buffer'], {
    timeoutMs: longestCheckMs,
  });
  reading.stdin.end(shas.map((sha) => `${sha}\n`).join(''));
  const targets = new Map<string, Target>();
  let [rest, skip, bytes] = [Buffer.alloc(0), 0, 0];
  try {
    for await (const chunk of reading.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new PushRefused(`the tags are larger than ${inMebibytes(maxBytes)}`);
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const skipped = Math.min(skip, rest.length);
        rest = rest.subarray(skipped);
        skip -= skipped;
        const entry = entryStart.exec(rest.toString('latin1', 0, 200));
        if (!entry) break;
        const [all, tag = '', size, sha, type] = entry;
        if (sha && type) targets.set(tag, { sha, type });
        skip = sha ? all.indexOf('\n') + 1 + Number(size) + 1 : all.length;
      }
    }
    const { ok, words } = await reading.ended;
    if (!ok) throw new GitError(words);
    return targets;
  } finally {
    reading.kill();
  }
}

const entryStart = /^([0-9a-f]{40}) (?:missing|tag (\d+)\nobject ([0-9a-f]{40})\ntype (\w+))\n/;
