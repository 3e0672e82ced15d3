import { scopeAllows } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { forbidden, type Principal } from '../../foundation/http/index.ts';
import { mustNotBeProtected } from '../../projects/access/index.ts';
import { mustNotBeRemoved, personOf, rightsOf } from './sessions.policy.ts';
import { mustFindOpen } from './sessions.service.ts';

export type SessionRight = 'read' | 'write' | 'comment' | 'admin';
export type SessionAccess = {
  sessionId: string;
  projectId: string;
  branch: string;
  userId: string;
  username: string;
  may(right: SessionRight): boolean;
  /** Throws if the user may not write, or the branch is protected. */
  mustWriteTo(branch: string): void;
};

/** A user's rights in a session, for other slices such as comments. */
export async function sessionAccess(db: Db, principal: Principal, sessionId: string): Promise<SessionAccess> {
  const session = await mustFindOpen(db, sessionId, principal.userId);
  mustNotBeRemoved(session, principal.userId);
  const rights = rightsOf(session, personOf(session, principal.userId));
  const writes = scopeAllows(principal.scopes, 'write:collaboration');
  const may = (right: SessionRight): boolean => rights[right] && (right === 'read' || writes);
  return {
    sessionId: session.id,
    projectId: session.project_id,
    branch: session.branch,
    userId: principal.userId,
    username: session.my_username ?? '',
    may,
    mustWriteTo(branch) {
      mustNotBeProtected(session, branch);
      if (!may('write')) throw forbidden('You do not have permission to write in this session');
    },
  };
}
