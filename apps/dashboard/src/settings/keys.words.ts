import { dictionary } from '../words/dictionary.ts';

export const keysWords = dictionary('settings/keys', {
  title: ['API keys', 'API-Schlüssel'],
  hint: [
    'For scripts, git and other programs that act as you.',
    'Für Skripte, git und andere Programme, die in deinem Namen handeln.',
  ],
  none: ['No API keys yet', 'Noch keine API-Schlüssel'],
  noneHint: [
    'Create an API key below. You can also use it as the password for git clone and git push.',
    'Lege unten einen API-Schlüssel an. Er dient auch als Passwort für git clone und git push.',
  ],
  key: ['Key', 'Schlüssel'],
  scopes: ['Scopes', 'Berechtigungen'],
  everything: ['all', 'alle'],
  used: ['Last used', 'Zuletzt verwendet'],
  never: ['never', 'nie'],
  ends: ['Expires', 'Läuft ab'],
  new: ['New API key', 'Neuer API-Schlüssel'],
  create: ['Create key', 'Schlüssel anlegen'],
  created: [
    'This is your new API key. Copy it now. It is not shown again.',
    'Das ist dein neuer API-Schlüssel. Kopiere ihn jetzt: Er wird nicht noch einmal angezeigt.',
  ],
  newKey: ['New API key', 'Neuer API-Schlüssel'],
  days: ['Expires after', 'Läuft ab nach'],
  noEnd: ['never', 'nie'],
  inDays: [(days: number) => `${days} days`, (days) => `${days} Tagen`],
  allScopes: ['All scopes', 'Alle Berechtigungen'],
  some: ['Only selected scopes', 'Nur ausgewählte Berechtigungen'],
  access: ['Scopes', 'Berechtigungen'],
  rotate: ['Replace', 'Ersetzen'],
  rotateTitle: [(name: string) => `Replace ${name}?`, (name) => `${name} ersetzen?`],
  rotateHint: [
    'You get a new key with the same name and scopes. The current key stays valid for one day, so you have time to replace it.',
    'Du erhältst einen neuen Schlüssel mit demselben Namen und denselben Berechtigungen. Der bisherige bleibt noch einen Tag gültig, damit du ihn ersetzen kannst.',
  ],
  revokeTitle: [(name: string) => `Revoke ${name}?`, (name) => `${name} widerrufen?`],
  revokeHint: [
    'Programs that use this key lose access immediately.',
    'Programme, die diesen Schlüssel verwenden, verlieren sofort den Zugriff.',
  ],
  revoked: [(name: string) => `Revoked ${name}`, (name) => `${name} widerrufen`],
  done: ['I have saved it', 'Ich habe ihn gespeichert'],
});
