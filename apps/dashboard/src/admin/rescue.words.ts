import { dictionary } from '../words/dictionary.ts';

export const rescueWords = dictionary('admin/rescue', {
  newAccount: ['New account', 'Neues Konto'],
  newHint: [
    'The user sets a password with a link that you send them.',
    'Die Person setzt ihr Passwort über einen Link, den du weitergibst.',
  ],
  isAdmin: ['Administrator', 'Administrator'],
  plan: ['Plan', 'Tarif'],
  create: ['Create account', 'Konto anlegen'],
  created: [(name: string) => `Created an account for ${name}`, (name) => `Konto von ${name} angelegt`],
  title: ['Sign-in help', 'Hilfe bei der Anmeldung'],
  hint: [
    'For users who have lost their password or authenticator. The user gets a security alert, and the action appears in the audit log.',
    'Für Personen, die ihr Passwort oder ihren Authenticator verloren haben. Die Person erhält eine Sicherheitswarnung, und die Aktion steht im Protokoll.',
  ],
  resetLink: ['Create reset link', 'Link für neues Passwort erstellen'],
  resetTitle: [(name: string) => `Reset link for ${name}`, (name) => `Passwort-Link für ${name}`],
  resetHint: [
    'Anyone who opens the link can set a new password, which ends all sessions of the account. Send the link only to the owner of the account.',
    'Wer den Link öffnet, kann ein neues Passwort setzen. Damit enden alle Sitzungen des Kontos. Gib den Link nur dem Inhaber des Kontos.',
  ],
  link: ['Reset link', 'Link für neues Passwort'],
  linkHint: [
    'Send this link to the user. It works once, within four hours, and is not shown again.',
    'Sende diesen Link der Person. Er funktioniert innerhalb von vier Stunden ein einziges Mal und wird nicht noch einmal angezeigt.',
  ],
  done: ['Done', 'Fertig'],
  removeFactor: ['Remove second factor', 'Zweiten Faktor entfernen'],
  removeTitle: [
    (name: string) => `Remove the second factor for ${name}?`,
    (name) => `Zweiten Faktor von ${name} entfernen?`,
  ],
  removeHint: [
    'Signing in then requires only the password, until the user sets up another second factor.',
    'Zur Anmeldung reicht dann das Passwort, bis die Person wieder einen zweiten Faktor einrichtet.',
  ],
  removed: [
    (name: string) => `${name} no longer has a second factor`,
    (name) => `${name} hat keinen zweiten Faktor mehr`,
  ],
  noFactor: ['This account has no second factor.', 'Dieses Konto hat keinen zweiten Faktor.'],
  suspended: ['Reinstate the account first.', 'Entsperre zuerst das Konto.'],
});
