import type { Static } from 'typebox';
import type { Scope } from '../scopes.ts';
import { buildEvents } from './build.ts';
import { checkEvents } from './check.ts';
import { collaborationEvents } from './collaboration.ts';
import { commentEvents } from './comment.ts';
import { deploymentEvents } from './deployment.ts';
import { domainEvents } from './domain.ts';
import { fileEvents } from './file.ts';
import type { WebhookFormat } from './formats.ts';
import { mergeRequestEvents, reviewEventFamily } from './merge-request.ts';
import { notificationEvents } from './notification.ts';
import { projectEvents } from './project.ts';
import { repositoryEvents } from './repository.ts';
import { securityEvents } from './security.ts';
import { userEvents } from './user.ts';
import { variableEvents } from './variable.ts';
import { workspaceEvents } from './workspace.ts';

/** All events. The key is the name under which the event is stored. */
export const eventCatalogue = {
  ...projectEvents,
  ...collaborationEvents,
  ...fileEvents,
  ...repositoryEvents,
  ...buildEvents,
  ...deploymentEvents,
  ...variableEvents,
  ...domainEvents,
  ...workspaceEvents,
  ...mergeRequestEvents,
  ...reviewEventFamily,
  ...checkEvents,
  ...commentEvents,
  ...userEvents,
  ...securityEvents,
  ...notificationEvents,
};

export type EventType = keyof typeof eventCatalogue;
export type EventData = { [Type in EventType]: Static<(typeof eventCatalogue)[Type]['data']> };

export const eventTypes = Object.keys(eventCatalogue) as EventType[];

/** The scope that a credential needs to receive the event. */
export const scopeToReceive = (type: EventType): Scope => eventCatalogue[type].scope;

/** Every name that the event may arrive under, whatever the subscription says. */
export function namesOf(type: EventType): string[] {
  const { reference, core, guide } = eventCatalogue[type].names;
  return [...new Set([reference, core, guide])].filter((name) => name !== null);
}

/** The name of the event in the format's own taxonomy, otherwise in the reference, and otherwise its only name. */
export function ownNameOf(type: EventType, format: WebhookFormat): string {
  const { names } = eventCatalogue[type];
  return names[format] ?? names.reference ?? type;
}
