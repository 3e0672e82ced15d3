import { transaction } from '../../foundation/db/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { askGit } from '../cache/index.ts';
import { mergeTrees, setPlainAttributes } from '../merging/index.ts';
import { branchPrefix } from '../objects/ref-names.ts';
import { isAncestor, type Pusher } from '../quarantine/index.ts';
import { findCommits, newCommit, type Ref, type RefUpdate, resolveBranch } from '../store/index.ts';
import type { Combine, Pushes } from './push.service.ts';

/**
 * A branch as the service shows it to the client: with its tip, or with an older commit of its history that the client
 * has. Null if the branch is new.
 */
export type Shown = { name: string; sha: Buffer | null };

export type Combining = Pushes & { canMerge: () => Promise<boolean> };

const maxAttempts = 5;
const mostCompared = 10;
const longestStepMs = 30_000;

/**
 * Finds the commit that the client is shown as the tip of the branch. Git's client refuses to push onto a tip that it
 * does not have, although the service could merge both. So the client is shown the newest of its own commits that is on
 * the branch.
 */
export async function shownOf(
  { db, git, caches }: Combining,
  projectId: string,
  refs: readonly Pick<Ref, 'name' | 'sha'>[],
  { branch, commits }: { branch: string; commits: readonly Buffer[] },
): Promise<Shown | null> {
  const name = branchPrefix + branch;
  const tip = refs.find((ref) => ref.name === name)?.sha;
  // Even if the client has the tip, a workspace may save a file on the branch, or create it, before the push arrives.
  if (!tip || commits.some((commit) => commit.equals(tip))) return { name, sha: tip ?? null };
  const known = await findCommits(db, projectId, [...commits]);
  return caches.withCache(projectId, async (directory) => {
    for (const { sha } of known.slice(0, mostCompared)) {
      if (await isAncestor(git, directory, sha, tip)) return { name, sha };
    }
    return null;
  });
}

/**
 * Handles a push to a branch of which the client was shown an older commit. If the branch has other commits since, they
 * are merged with the pushed ones, so that neither side loses anything. A conflict refuses the push.
 */
export function combineWith(pushes: Combining, pusher: Pusher, shown: Shown): Combine {
  return async (directory, commands, store) => {
    const others = commands.filter(({ name }) => name !== shown.name);
    const own = commands.find(({ name, from }) => name === shown.name && isSame(from, shown.sha));
    if (!own) return store(commands);
    for (let attempt = 1; ; attempt++) {
      const tip = await resolveBranch(pushes.db, pusher.projectId, shown.name.slice(branchPrefix.length));
      const merged = tip ? await ontoTip(pushes, pusher, { directory, own, shown, tip }) : own;
      if (typeof merged === 'string') {
        return new Map([...(others.length > 0 ? await store(others) : []), [shown.name, merged]]);
      }
      const refused = await store(attempt === 1 ? [...others, merged] : [merged]);
      const now = await resolveBranch(pushes.db, pusher.projectId, shown.name.slice(branchPrefix.length));
      const isMoved = refused.has(shown.name) && tip && now && !now.equals(tip);
      // Other references were stored in the first attempt, unless the push was all or nothing.
      if (!isMoved || attempt === maxAttempts || refused.size > 1) return refused;
    }
  };
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other);

type Onto = { directory: string; own: RefUpdate; shown: Shown; tip: Buffer };

/** The update from the present tip of the branch, or the reason why it is refused. */
async function ontoTip(
  pushes: Combining,
  pusher: Pusher,
  { directory, own, shown, tip }: Onto,
): Promise<RefUpdate | string> {
  const { git, caches } = pushes;
  if (!own.to || isSame(tip, shown.sha)) return { ...own, from: tip };
  // The quarantine borrows the cache's objects, which must include the tip.
  await caches.withCache(pusher.projectId, async () => undefined);
  const isForced = shown.sha !== null && !(await isAncestor(git, directory, shown.sha, own.to));
  if (isForced || (await isAncestor(git, directory, tip, own.to))) return { ...own, from: tip };
  if (!(await pushes.canMerge())) return 'the branch has commits that the push does not include; fetch first';
  await setPlainAttributes(directory);
  const { tree, conflicts } = await mergeTrees(git, directory, { ours: tip, theirs: own.to });
  const [first] = conflicts;
  if (first) return `${first.path} conflicts with a change on the branch; pull first`;
  const to = await commitMerge(pushes, pusher, { directory, tree, parents: [tip, own.to], name: own.name });
  return { ...own, from: tip, to };
}

type MergeCommit = { directory: string; tree: string; parents: Buffer[]; name: string };

async function commitMerge(
  { db, git }: Combining,
  { projectId, userId, cause }: Pusher,
  { directory, tree, parents, name }: MergeCommit,
): Promise<Buffer> {
  const { actor } = await transaction(db, (trx) => lockWritableProject(trx, projectId, userId));
  const { content } = newCommit(actor, {
    tree: Buffer.from(tree, 'hex'),
    // The generation is computed when the commit is stored.
    parents: parents.map((sha) => ({ sha, generation: 0 })),
    message: `Merge a push into ${name.slice(branchPrefix.length)}`,
    now: new Date(),
    ...cause,
  });
  const args = [`--git-dir=${directory}`, 'hash-object', '-w', '-t', 'commit', '--stdin'];
  return Buffer.from((await askGit(git, args, { input: content, timeoutMs: longestStepMs })).trim(), 'hex');
}
