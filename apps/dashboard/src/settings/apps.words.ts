import { dictionary } from '../words/dictionary.ts';

export const appsWords = dictionary('settings/apps', {
  title: ['OAuth apps', 'OAuth-Apps'],
  hint: [
    'Your programs that act for other users with their permission.',
    'Deine Programme, die mit Erlaubnis anderer Benutzer in deren Namen handeln.',
  ],
  none: ['No apps yet', 'Noch keine Apps'],
  noneHint: [
    'Register an app below. It gets a client ID and a secret and can then ask users for access.',
    'Registriere unten eine App. Sie erhält eine Client-ID und ein Secret und kann dann Benutzer um Zugriff bitten.',
  ],
  nameHint: [
    'Users see this name when the app asks for access.',
    'Benutzer sehen diesen Namen, wenn die App um Zugriff bittet.',
  ],
  confidential: ['Server app', 'Server-Anwendung'],
  confidentialHint: ['The app can keep a secret.', 'Die App kann ein Secret sicher verwahren.'],
  public: ['Device or browser app', 'App auf einem Gerät oder im Browser'],
  publicHint: [
    'The app cannot keep a secret and uses PKCE instead.',
    'Die App kann kein Secret sicher verwahren und verwendet stattdessen PKCE.',
  ],
  redirects: ['Redirect URLs', 'Weiterleitungs-URLs'],
  redirectsHint: [
    'One per line. Must match exactly. Use https, or http on localhost.',
    'Eine pro Zeile. Sie müssen genau übereinstimmen. Verwende https, oder http auf localhost.',
  ],
  clientId: ['Client ID', 'Client-ID'],
  secrets: ['Secrets', 'Secrets'],
  made: ['Created', 'Erstellt'],
  ends: ['expires', 'läuft ab'],
  new: ['Register an app', 'App registrieren'],
  create: ['Register app', 'App registrieren'],
  created: [
    'The app is registered. Copy its secret now. It is not shown again.',
    'Die App ist registriert. Kopiere ihr Secret jetzt: Es wird nicht noch einmal angezeigt.',
  ],
  createdPublic: ['The app is registered. This is its client ID.', 'Die App ist registriert. Das ist ihre Client-ID.'],
  done: ['I have saved it', 'Ich habe es gespeichert'],
  back: ['All apps', 'Alle Apps'],
  rotate: ['New secret', 'Neues Secret'],
  rotateHint: [
    'The current secret stays valid for one day, so you have time to replace it.',
    'Das bisherige Secret bleibt noch einen Tag gültig, damit du es ersetzen kannst.',
  ],
  rotated: [
    'This is the new secret. Copy it now. It is not shown again. The previous secret stays valid for one day.',
    'Das ist das neue Secret. Kopiere es jetzt: Es wird nicht noch einmal angezeigt. Das bisherige bleibt noch einen Tag gültig.',
  ],
  publicNoSecret: ['This app has no secret.', 'Diese App hat kein Secret.'],
  delete: ['Delete app', 'App löschen'],
  deleteTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  deleteHint: [
    'All its tokens stop working immediately, for every user.',
    'Alle ihre Token werden sofort ungültig, für alle Benutzer.',
  ],
  deleted: [(name: string) => `Deleted ${name}`, (name) => `${name} gelöscht`],
  authorize: ['Authorization URL', 'Autorisierungs-URL'],
  token: ['Token URL', 'Token-URL'],
  addresses: ['OAuth URLs', 'OAuth-URLs'],
});
