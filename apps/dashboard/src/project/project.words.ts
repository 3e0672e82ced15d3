import { dictionary } from '../words/words.tsx';

export const projectWords = dictionary({
  en: {
    sections: 'Sections of the project',
    files: 'Files',
    history: 'History',
    people: 'People',
    settings: 'Settings',
    archived: 'Archived',
    public: 'Public',
    archivedHint: 'This project is archived: it can be read, and nothing in it can be changed.',
    clone: 'Clone',
    cloneHint: 'Any user name; the password is an API key of yours with the scope for files.',
    makeKey: 'Make an API key',
    archive: 'Download as ZIP',
    address: 'Address for git',
  },
  de: {
    sections: 'Bereiche des Projekts',
    files: 'Dateien',
    history: 'Verlauf',
    people: 'Personen',
    settings: 'Einstellungen',
    archived: 'Archiviert',
    public: 'Öffentlich',
    archivedHint: 'Dieses Projekt ist archiviert: Es lässt sich lesen, aber nicht ändern.',
    clone: 'Klonen',
    cloneHint: 'Beliebiger Benutzername; das Passwort ist ein API-Schlüssel von dir, der Dateien darf.',
    makeKey: 'API-Schlüssel anlegen',
    archive: 'Als ZIP herunterladen',
    address: 'Adresse für git',
  },
});
