import { type Static, Type } from 'typebox';

export const scopeAreas = [
  'projects',
  'files',
  'checks',
  'deployments',
  'webhooks',
  'collaboration',
  'workspaces',
  'user',
] as const;

export type Scope = `${'read' | 'write'}:${(typeof scopeAreas)[number]}`;

export const allScopes = scopeAreas.flatMap((area): Scope[] => [`read:${area}`, `write:${area}`]);

/** What each scope allows, for the user who is asked to grant it. */
export const scopeMeanings: Record<Scope, string> = {
  'read:projects': 'See your projects, their settings and collaborators',
  'write:projects': 'Create, change and delete your projects and invite collaborators',
  'read:files': 'Read the files and the history of your projects, and clone them with git',
  'write:files': 'Change the files of your projects, and push to them with git',
  'read:checks': 'See the checks of your projects and their logs',
  'write:checks': 'Run checks, and report the results of checks that other systems ran',
  'read:deployments': 'See your deployments and their logs',
  'write:deployments': 'Start, cancel and roll back deployments',
  'read:webhooks': 'See your webhooks and their deliveries',
  'write:webhooks': 'Create, change and delete webhooks, and see their secrets',
  'read:collaboration': 'Follow live sessions and read comments',
  'write:collaboration': 'Take part in live sessions and write comments',
  'read:workspaces': 'See your workspaces, their terminals and the output of their commands',
  'write:workspaces': 'Start and stop workspaces, and run commands in them',
  'read:user': 'See your profile, your e-mail address and your usage',
  'write:user': 'Change your profile and preferences',
};

export const scopeMeaningsInGerman: Record<Scope, string> = {
  'read:projects': 'Deine Projekte, ihre Einstellungen und Mitarbeiter sehen',
  'write:projects': 'Deine Projekte anlegen, ändern und löschen und andere dazu einladen',
  'read:files': 'Die Dateien und den Verlauf deiner Projekte lesen und sie mit git klonen',
  'write:files': 'Die Dateien deiner Projekte ändern und mit git pushen',
  'read:checks': 'Die Prüfungen deiner Projekte und ihre Logs sehen',
  'write:checks': 'Prüfungen ausführen und Prüfungen anderer Systeme melden',
  'read:deployments': 'Deine Deployments und ihre Logs sehen',
  'write:deployments': 'Deployments starten, abbrechen und zurücksetzen',
  'read:webhooks': 'Deine Webhooks und ihre Zustellungen sehen',
  'write:webhooks': 'Webhooks anlegen, ändern und löschen und ihre Secrets sehen',
  'read:collaboration': 'Live-Sitzungen verfolgen und Kommentare lesen',
  'write:collaboration': 'An Live-Sitzungen teilnehmen und Kommentare schreiben',
  'read:workspaces': 'Deine Workspaces, ihre Terminals und die Ausgaben ihrer Befehle sehen',
  'write:workspaces': 'Workspaces starten und anhalten und Befehle darin ausführen',
  'read:user': 'Dein Profil, deine E-Mail-Adresse und deine Nutzung sehen',
  'write:user': 'Dein Profil und deine Einstellungen ändern',
};

export const Scopes = Type.Array(Type.Enum(allScopes), {
  // More items cannot be unique, and comparing items takes quadratic time.
  maxItems: allScopes.length,
  uniqueItems: true,
  description: 'An empty list grants all scopes. write:x includes read:x.',
});
export type Scopes = Static<typeof Scopes>;

/** An empty list means an unrestricted credential. `write:x` includes `read:x`. */
export function scopeAllows(granted: readonly Scope[], needed: Scope): boolean {
  if (granted.length === 0 || granted.includes(needed)) return true;
  return needed.startsWith('read:') && granted.includes(needed.replace('read:', 'write:') as Scope);
}

/** True if `wanted` grants nothing that `granted` does not. */
export function scopesWithin(wanted: readonly Scope[], granted: readonly Scope[]): boolean {
  if (granted.length === 0) return true;
  return wanted.length > 0 && wanted.every((scope) => scopeAllows(granted, scope));
}
