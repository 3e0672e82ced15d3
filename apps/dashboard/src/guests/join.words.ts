import { dictionary } from '../words/dictionary.ts';

export const joinWords = dictionary('guests/join', {
  title: ['Live session', 'Live-Sitzung'],
  hint: [
    'You are invited to edit together. The others will see that you joined.',
    'Du bist eingeladen, gemeinsam zu schreiben. Die anderen sehen, dass du beigetreten bist.',
  ],
  join: ['Join session', 'Sitzung beitreten'],
  over: ['This session is not available', 'Diese Sitzung ist nicht verfügbar'],
  overHint: [
    'It has ended, or the link is no longer valid. Ask for a new link.',
    'Sie ist beendet, oder der Link ist nicht mehr gültig. Bitte um einen neuen Link.',
  ],
  guest: [
    'You are a guest. You can open the files of this session, but nothing else in the project.',
    'Du bist Gast. Du kannst die Dateien dieser Sitzung öffnen, aber sonst nichts im Projekt.',
  ],
  file: ['File path', 'Dateipfad'],
  where: ['Files that others have open', 'Dateien, die andere geöffnet haben'],
  noFile: ['No file is open', 'Keine Datei ist geöffnet'],
  noFileHint: [
    'Choose a file, or follow a participant to open their current file.',
    'Wähle eine Datei, oder folge jemandem, um dieselbe Datei zu öffnen.',
  ],
});
