import { permissions as allPermissions, type Permission, permissionsOfRole, type Role } from '@bottega/contract';
import { forbidden, invalid } from '../../foundation/http/index.ts';
import { type ProjectAccess, permissionsOf } from '../access/index.ts';

/**
 * Three rules in addition to those of projects. Nobody can grant what they do not have, neither a permission nor a role
 * that includes one. Only the owner can change or remove people who manage, so that admins cannot remove each other.
 * Everyone who manages can change or revoke an invitation.
 */

export type Rights = { role: Role; permissions: Permission[] };

/** The given permissions, or those of the role if none are given. They are always in the same order. */
export function rightsOf(role: Role, given: readonly Permission[] | null | undefined): Rights {
  const chosen: readonly Permission[] = given ?? permissionsOfRole[role];
  if (!chosen.includes('read'))
    throw invalid('permissions', 'must include read, because the other permissions require it');
  return { role, permissions: allPermissions.filter((permission) => chosen.includes(permission)) };
}

/**
 * Throws if the caller may not grant these rights. `before` are the rights that the other user already has, which are
 * not granted again.
 */
export function mustBeAbleToGrant(
  project: ProjectAccess,
  userId: string,
  { before, after }: { before: Rights | null; after: Rights },
): void {
  const own = permissionsOf(project, userId);
  const wanted = [...after.permissions, ...(before?.role === after.role ? [] : permissionsOfRole[after.role])];
  const given = wanted.filter((permission) => !before?.permissions.includes(permission));
  const beyond = given.find((permission) => !own.includes(permission));
  if (beyond) throw forbidden(`You cannot grant the permission ${beyond}, because you do not have it`);
}

type Subject = { status: 'pending' | 'active' | 'expired'; permissions: readonly Permission[] };

export function mustBeWithinReach(project: ProjectAccess, userId: string, subject: Subject): void {
  if (project.owner_id === userId || subject.status !== 'active') return;
  if (subject.permissions.includes('manage'))
    throw forbidden('Only the owner can change or remove a collaborator who manages the project');
}
