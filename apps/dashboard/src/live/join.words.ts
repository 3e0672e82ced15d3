import { dictionary } from '../words/words.tsx';

export const joinWords = dictionary({
  en: {
    title: 'Live session',
    hint: 'You are invited to edit together. The others will see that you joined.',
    join: 'Join session',
    over: 'This session is not available',
    overHint: 'It has ended, or the link is no longer valid. Ask for a new link.',
    guest: 'You are a guest. You can open the files of this session, but nothing else in the project.',
    file: 'File path',
    open: 'Open',
    saved: 'Saved',
    where: 'Files that others have open',
    noFile: 'No file is open',
    noFileHint: 'Enter a path, or follow somebody to open the file they are in.',
  },
  de: {
    title: 'Live-Sitzung',
    hint: 'Du bist eingeladen, gemeinsam zu schreiben. Die anderen sehen, dass du beigetreten bist.',
    join: 'Sitzung beitreten',
    over: 'Diese Sitzung ist nicht verfügbar',
    overHint: 'Sie ist beendet, oder der Link ist nicht mehr gültig. Bitte um einen neuen Link.',
    guest: 'Du bist Gast. Du kannst die Dateien dieser Sitzung öffnen, aber sonst nichts im Projekt.',
    file: 'Dateipfad',
    open: 'Öffnen',
    saved: 'Gespeichert',
    where: 'Dateien, die andere geöffnet haben',
    noFile: 'Keine Datei ist geöffnet',
    noFileHint: 'Gib einen Pfad ein, oder folge jemandem, um dieselbe Datei zu öffnen.',
  },
});
