import type { Db } from '../../foundation/db/index.ts';
import { checksPrefix } from '../objects/ref-names.ts';
import type { Pusher } from '../quarantine/index.ts';
import { listRefs, type RefUpdate } from '../store/index.ts';

/** Stores the updates. Returns the names of the references that were not updated, each with the reason. */
export type Store = (commands: readonly RefUpdate[]) => Promise<Map<string, string>>;

/**
 * Handles a push to `refs/checks/{commit}`. It only makes a commit known, so that its checks can run before it is on a
 * branch. The stored reference contains the id of the pusher, and people do not see it.
 */
export function storeForChecks(db: Db, { projectId, userId }: Pusher, store: Store): Store {
  return async (commands) => {
    const own = commands.filter(({ name }) => name.startsWith(checksPrefix));
    if (own.length === 0) return store(commands);
    const others = commands.filter(({ name }) => !name.startsWith(checksPrefix));
    const prefix = `${checksPrefix}${userId}/`;
    const present = new Set((await listRefs(db, projectId, prefix)).map(({ name }) => name));
    const named = own.filter(isNamedByItsCommit).map((command) => ownName(command, prefix, present));
    const refused = new Map<string, string>();
    for (const command of own) if (!isNamedByItsCommit(command)) refused.set(command.name, misnamed);
    const later = await store([...others, ...named.map(({ stored }) => stored)]);
    for (const [name, reason] of later)
      refused.set(named.find(({ stored }) => stored.name === name)?.from ?? name, reason);
    return refused;
  };
}

const misnamed = `commits to check are pushed to ${checksPrefix} and their own id, and cannot be deleted`;

const isNamedByItsCommit = ({ name, to }: RefUpdate): boolean => name === `${checksPrefix}${to?.toString('hex')}`;

/**
 * The update of the stored reference. If the commit was pushed before, the update renews its reference, so that the
 * commit is kept longer.
 */
function ownName({ name: from, to }: RefUpdate, prefix: string, present: ReadonlySet<string>) {
  const name = prefix + from.slice(checksPrefix.length);
  return { from, stored: { name, from: present.has(name) ? to : null, to } };
}
