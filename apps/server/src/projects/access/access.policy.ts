import type { Permission } from '../../foundation/db/schema.ts';
import { conflict, forbidden, notFound } from '../../foundation/http/index.ts';

/** What determines a caller's rights in a project, including the caller's own row among the active collaborators. */
export type ProjectAccess = {
  owner_id: string;
  public: boolean;
  status: 'active' | 'archived';
  my_permissions: Permission[] | null;
};

const everything: Permission[] = ['read', 'write', 'comment', 'manage'];

export function permissionsOf(project: ProjectAccess, userId: string): readonly Permission[] {
  if (project.owner_id === userId) return everything;
  const granted = project.my_permissions ?? [];
  // A collaborator never has fewer rights than everybody else.
  return project.public && !granted.includes('read') ? ['read', ...granted] : granted;
}

type Standing = Pick<ProjectAccess, 'owner_id' | 'my_permissions'>;

/**
 * Whether the user is the owner, or a collaborator who may read. A public project shows its content to everybody. How
 * the project is built and run is shown only to members.
 */
export const isMember = (project: Standing, userId: string): boolean =>
  project.owner_id === userId || (project.my_permissions ?? []).includes('read');

/** Throws if the caller is not a member. The refusal is a 403, because the caller can already see the project. */
export function mustBeMember(project: Standing, userId: string): void {
  if (!isMember(project, userId)) throw forbidden('Only members of the project can see how it is built and run');
}

/** Throws a 404 if the caller may not see the project, so that its existence is not revealed. */
export function mustSee<Project extends ProjectAccess>(project: Project | undefined, userId: string): Project {
  if (!project || !permissionsOf(project, userId).includes('read')) throw notFound('Project');
  return project;
}

const reasons: Record<Permission, string> = {
  read: 'You do not have permission to read this project',
  write: 'You do not have permission to write to this project',
  comment: 'You do not have permission to comment in this project',
  manage: 'You do not have permission to manage this project',
};

export function mustHave(project: ProjectAccess, userId: string, permission: Permission): void {
  if (!permissionsOf(project, userId).includes(permission)) throw forbidden(reasons[permission]);
}

export function mustOwn(project: ProjectAccess, userId: string): void {
  if (project.owner_id !== userId) throw forbidden('Only the owner can do this');
}

export function mustBeActive(project: ProjectAccess): void {
  if (project.status === 'archived') throw conflict('The project is archived; set its status to active first');
}
