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
    'For a user who has lost the password or the authenticator. The user gets a security alert, and the action appears in the audit log.',
    'Wenn jemand das Passwort oder den Authenticator verloren hat. Das Konto wird gewarnt, und es steht im Protokoll.',
  ],
  resetLink: ['Create reset link', 'Link für neues Passwort erstellen'],
  resetTitle: [(name: string) => `Reset link for ${name}`, (name) => `Link für ${name}`],
  resetHint: [
    'Anyone who opens the link can set a new password, which ends all sessions of the account. Send the link only to the owner of the account.',
    'Wer den Link öffnet, setzt ein neues Passwort, und alle Sitzungen des Kontos enden. Gib ihn nur dem Inhaber des Kontos.',
  ],
  link: ['Reset link', 'Link für neues Passwort'],
  linkHint: [
    'Send this link to the user. It works once, within four hours, and is not shown again.',
    'Gib diesen Link weiter. Er funktioniert einmal, vier Stunden lang, und wird nicht noch einmal angezeigt.',
  ],
  done: ['Done', 'Fertig'],
  removeFactor: ['Remove second factor', 'Zweiten Faktor entfernen'],
  removeTitle: [
    (name: string) => `Remove the second factor for ${name}?`,
    (name) => `Zweiten Faktor von ${name} entfernen?`,
  ],
  removeHint: [
    'Signing in then requires only the password, until the user sets up another second factor.',
    'Zur Anmeldung reicht dann das Passwort, bis das Konto einen neuen einrichtet.',
  ],
  removed: [
    (name: string) => `${name} no longer has a second factor`,
    (name) => `${name} hat keinen zweiten Faktor mehr`,
  ],
  noFactor: ['This account has no second factor.', 'Dieses Konto hat keinen zweiten Faktor.'],
  suspended: ['Reinstate the account first.', 'Entsperre zuerst das Konto.'],
});
