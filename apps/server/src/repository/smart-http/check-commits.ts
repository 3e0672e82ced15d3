import type { Db } from '../../foundation/db/index.ts';
import { checksPrefix } from '../objects/ref-names.ts';
import type { Pusher } from '../quarantine/index.ts';
import { listRefs, type RefUpdate } from '../store/index.ts';

/** Stores the commands, and returns why references were not updated, by name. */
export type Store = (commands: readonly RefUpdate[]) => Promise<Map<string, string>>;

/**
 * A push to `refs/checks/{commit}` only makes a commit known, so that its checks can run before it is on a branch. The
 * reference gets the name of its pusher, and nobody sees it.
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

/** A commit that was pushed before is kept longer. */
function ownName({ name: from, to }: RefUpdate, prefix: string, present: ReadonlySet<string>) {
  const name = prefix + from.slice(checksPrefix.length);
  return { from, stored: { name, from: present.has(name) ? to : null, to } };
}
