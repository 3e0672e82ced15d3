import type { Scope } from '../scopes.ts';

/**
 * What can happen, and the name of it in each of the three webhook taxonomies. A null means that the taxonomy has no
 * word for it. The key is the name under which the event is stored.
 */
export const eventCatalogue = {
  'project.created': { reference: 'project.created', core: 'project.created', guide: 'project.created' },
  'project.updated': { reference: 'project.updated', core: 'project.updated', guide: 'project.updated' },
  'project.deleted': { reference: 'project.deleted', core: 'project.deleted', guide: 'project.deleted' },
  'collaboration.invited': {
    reference: 'collaboration.invited',
    core: 'collaborator.invited',
    guide: 'project.shared',
  },
  'collaboration.joined': { reference: 'collaboration.joined', core: 'collaborator.joined', guide: null },
  'collaboration.left': { reference: 'collaboration.left', core: 'collaborator.removed', guide: null },
  'file.created': { reference: 'file.created', core: 'file.created', guide: 'file.uploaded' },
  'file.updated': { reference: 'file.updated', core: 'file.updated', guide: 'file.uploaded' },
  'file.deleted': { reference: 'file.deleted', core: 'file.deleted', guide: 'file.deleted' },
  'file.downloaded': { reference: null, core: null, guide: 'file.downloaded' },
  'file.shared': { reference: null, core: null, guide: 'file.shared' },
  'build.started': { reference: 'build.started', core: null, guide: null },
  'build.completed': { reference: 'build.completed', core: null, guide: null },
  'build.failed': { reference: 'build.failed', core: null, guide: null },
  'deployment.started': { reference: 'deployment.started', core: 'deployment.started', guide: null },
  'deployment.completed': { reference: 'deployment.completed', core: 'deployment.completed', guide: null },
  'deployment.failed': { reference: 'deployment.failed', core: 'deployment.failed', guide: null },
  'user.registered': { reference: 'user.registered', core: null, guide: 'user.created' },
  'user.updated': { reference: null, core: null, guide: 'user.updated' },
  'user.deleted': { reference: null, core: null, guide: 'user.deleted' },
  'user.login': { reference: 'user.login', core: null, guide: 'user.login' },
  'user.logout': { reference: 'user.logout', core: null, guide: 'user.logout' },
  'security.alert': { reference: 'security.alert', core: null, guide: null },
} as const;

export type EventType = keyof typeof eventCatalogue;

type Family = EventType extends `${infer Name}.${string}` ? Name : never;

const scopeOfFamily: Record<Family, Scope> = {
  project: 'read:projects',
  collaboration: 'read:projects',
  file: 'read:files',
  build: 'read:deployments',
  deployment: 'read:deployments',
  user: 'read:user',
  security: 'read:user',
};

/** What a credential has to be allowed to read if it is to be told of the event. */
export const scopeToHear = (type: EventType): Scope => scopeOfFamily[type.slice(0, type.indexOf('.')) as Family];
