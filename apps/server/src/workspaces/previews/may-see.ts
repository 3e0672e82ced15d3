import type { Db } from '../../foundation/db/index.ts';
import { projectOfMember } from '../../projects/index.ts';
import { findPort, findWorkspaceAnywhere, type WorkspaceRow } from '../state/index.ts';
import type { Pass } from './passes.ts';
import type { PortAddress } from './port-address.ts';

export type Seen = { workspace: WorkspaceRow; isPublic: boolean; needsPass: boolean; isAllowed: boolean };

type Tools = { db: Db; isHeld(pass: Pass): Promise<boolean> };

/** Whether a visitor may see a port. Null if there is no such workspace. */
export async function maySee(
  { db, isHeld }: Tools,
  { workspaceId, port }: PortAddress,
  pass: Pass | null,
): Promise<Seen | null> {
  const workspace = await findWorkspaceAnywhere(db, workspaceId);
  if (!workspace) return null;
  const visibility = (await findPort(db, workspaceId, port))?.visibility ?? 'owner';
  const isPublic = visibility === 'public';
  if (isPublic) return { workspace, isPublic, needsPass: false, isAllowed: true };
  // A sign-out ends the pass, so the browser must sign in again.
  if (pass === null || !(await isHeld(pass))) return { workspace, isPublic, needsPass: true, isAllowed: false };
  // A member who has left the project does not see the port any more.
  const isMember = await projectOfMember(db, workspace.project_id, pass.user).then(
    () => true,
    () => false,
  );
  const isAllowed = isMember && (visibility === 'members' || pass.user === workspace.created_by);
  return { workspace, isPublic, needsPass: false, isAllowed };
}
