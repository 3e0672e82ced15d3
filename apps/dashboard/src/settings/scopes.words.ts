import { type Scope, scopeMeanings } from '@bottega/contract';
import type { Dictionary } from '../words/words.tsx';

/** What each scope allows, in the words of the page that asks for it. */
export const scopeWords: Dictionary<Record<Scope, string>> = {
  en: scopeMeanings,
  de: {
    'read:projects': 'Deine Projekte, ihre Einstellungen und Mitarbeiter sehen',
    'write:projects': 'Deine Projekte anlegen, ändern und löschen und andere dazu einladen',
    'read:files': 'Die Dateien und den Verlauf deiner Projekte lesen und sie mit git klonen',
    'write:files': 'Die Dateien deiner Projekte ändern und mit git pushen',
    'read:deployments': 'Deine Deployments und ihre Logs sehen',
    'write:deployments': 'Deployments starten, abbrechen und zurücksetzen',
    'read:webhooks': 'Deine Webhooks und ihre Zustellungen sehen',
    'write:webhooks': 'Webhooks anlegen, ändern und löschen und ihre Secrets sehen',
    'read:collaboration': 'Live-Sitzungen verfolgen und Kommentare lesen',
    'write:collaboration': 'An Live-Sitzungen teilnehmen und Kommentare schreiben',
    'read:user': 'Dein Profil, deine E-Mail-Adresse und deine Nutzung sehen',
    'write:user': 'Dein Profil und deine Einstellungen ändern',
  },
};
