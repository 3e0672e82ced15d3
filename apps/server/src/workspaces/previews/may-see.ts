import type { Db } from '../../foundation/db/index.ts';
import { projectOfMember } from '../../projects/index.ts';
import { findPort, findWorkspaceAnywhere, type WorkspaceRow } from '../state/index.ts';
import type { PortAddress } from './port-address.ts';

export type Seen = { workspace: WorkspaceRow; needsPass: boolean; isAllowed: boolean };

/** Whether a visitor may see a port. Null if there is no such workspace. */
export async function maySee(db: Db, { workspaceId, port }: PortAddress, userId: string | null): Promise<Seen | null> {
  const workspace = await findWorkspaceAnywhere(db, workspaceId);
  if (!workspace) return null;
  const visibility = (await findPort(db, workspaceId, port))?.visibility ?? 'owner';
  if (visibility === 'public') return { workspace, needsPass: false, isAllowed: true };
  if (userId === null) return { workspace, needsPass: true, isAllowed: false };
  // A member who has left the project does not see the port any more.
  const isMember = await projectOfMember(db, workspace.project_id, userId).then(
    () => true,
    () => false,
  );
  return {
    workspace,
    needsPass: false,
    isAllowed: isMember && (visibility === 'members' || userId === workspace.created_by),
  };
}
