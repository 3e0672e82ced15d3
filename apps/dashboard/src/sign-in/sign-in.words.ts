import { dictionary } from '../words/dictionary.ts';

export const signInWords = dictionary('sign-in/signIn', {
  signIn: ['Sign in', 'Anmelden'],
  signUp: ['Create account', 'Konto anlegen'],
  newPassword: ['New password', 'Neues Passwort'],
  passwordHint: [
    'At least 8 characters. A long phrase is best.',
    'Mindestens 8 Zeichen. Am besten ist ein langer Satz.',
  ],
  forgot: ['Forgot your password?', 'Passwort vergessen?'],
  noAccount: ['No account yet?', 'Noch kein Konto?'],
  haveAccount: ['Already have an account?', 'Schon ein Konto?'],
  code: ['Code', 'Code'],
  codeHint: [
    'Enter the six-digit code from your authenticator app, or a recovery code.',
    'Gib den sechsstelligen Code aus deiner Authenticator-App oder einen Wiederherstellungscode ein.',
  ],
  secondFactor: ['Second factor', 'Zweiter Faktor'],
  otherAccount: ['Use another account', 'Anderes Konto verwenden'],
  ended: [
    'Your session has ended: it was signed out elsewhere, your password was changed, or it was not used for a long time. Sign in again to continue where you were. Unsaved text is still in this browser.',
    'Deine Sitzung ist beendet: Sie wurde anderswo abgemeldet, dein Passwort wurde geändert, oder sie wurde lange nicht benutzt. Melde dich wieder an, um dort weiterzumachen, wo du warst. Nicht gespeicherter Text ist noch in diesem Browser.',
  ],
  closed: ['Only an administrator can create accounts here.', 'Hier kann nur ein Administrator Konten anlegen.'],
  sent: ['Check your e-mail', 'Sieh in dein Postfach'],
  sentVerification: [
    (email: string) => `We sent a link to ${email}. Open it to confirm the address, then sign in.`,
    (email) =>
      `Wir haben einen Link an ${email} gesendet. Öffne ihn, um die Adresse zu bestätigen, und melde dich dann an.`,
  ],
  sentReset: [
    (email: string) => `If ${email} has an account, you will get a link to set a new password.`,
    (email) => `Wenn es ein Konto für ${email} gibt, erhältst du einen Link, um ein neues Passwort zu setzen.`,
  ],
  forgotTitle: ['Reset your password', 'Passwort zurücksetzen'],
  forgotHint: [
    'We will e-mail you a link to set a new password.',
    'Wir senden dir per E-Mail einen Link, um ein neues Passwort zu setzen.',
  ],
  sendLink: ['Send link', 'Link senden'],
  resend: ['Send again', 'Erneut senden'],
  resent: [
    'If this address is not confirmed yet, you will get another link.',
    'Wenn diese Adresse noch nicht bestätigt ist, erhältst du einen weiteren Link.',
  ],
  resetTitle: ['Choose a new password', 'Neues Passwort wählen'],
  resetDone: [
    'Your new password is set. All other sessions have ended.',
    'Dein neues Passwort gilt jetzt. Alle anderen Sitzungen wurden beendet.',
  ],
  revoke: ['Also revoke API keys, services and apps', 'Auch API-Schlüssel, Dienste und Apps widerrufen'],
  revokeHint: [
    'They keep working after a password change. Revoke them if somebody else may know your old password.',
    'Sie funktionieren nach einer Passwortänderung weiter. Widerrufe sie, wenn jemand anderes dein altes Passwort kennen könnte.',
  ],
  save: ['Set password', 'Passwort setzen'],
  noToken: [
    'This link is incomplete. Open it from the e-mail again, or request a new one.',
    'Dieser Link ist unvollständig. Öffne ihn noch einmal aus der E-Mail, oder fordere einen neuen an.',
  ],
  verifyTitle: ['Confirm your e-mail address', 'E-Mail-Adresse bestätigen'],
  verifying: ['Confirming…', 'Wird bestätigt…'],
  verified: [
    (email: string) => `${email} is confirmed. You can sign in now.`,
    (email) => `${email} ist bestätigt. Du kannst dich jetzt anmelden.`,
  ],
  invited: [
    (project: string, inviter: string) => `${inviter} invited you to ${project}.`,
    (project, inviter) => `${inviter} hat dich zu ${project} eingeladen.`,
  ],
  somebody: ['Somebody', 'Jemand'],
  expired: [
    (project: string) => `The invitation to ${project} has expired. Ask for another one.`,
    (project) => `Die Einladung zu ${project} ist abgelaufen. Bitte um eine neue.`,
  ],
  session: [
    (name: string, host: string, project: string) => `${host} invited you to the live session ${name} in ${project}.`,
    (name, host, project) => `${host} hat dich zur Live-Sitzung ${name} in ${project} eingeladen.`,
  ],
  afterwards: ['Sign in or create an account to continue.', 'Melde dich an oder lege ein Konto an, um weiterzumachen.'],
  back: ['Back to sign-in', 'Zurück zur Anmeldung'],
  noMail: [
    'This service does not send e-mail. Ask your administrator for a reset link.',
    'Dieser Dienst versendet keine E-Mails. Bitte deinen Administrator um einen Link für ein neues Passwort.',
  ],
});
