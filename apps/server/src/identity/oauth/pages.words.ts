import { type Scope, scopeMeanings, scopeMeaningsInGerman } from '@bottega/contract';
import type { Language } from '../../foundation/http/answers/accepted-language.ts';
import { type Html, html } from '../../foundation/http/answers/html.ts';

type Words = {
  failed: string;
  unanswerable: string;
  invalid: string;
  tellMakers: (error: Html) => Html;
  signIn: string;
  goOnTo: (app: Html) => Html;
  email: string;
  password: string;
  code: string;
  cancel: string;
  allow: string;
  allowTitle: (app: string) => string;
  allowHeading: (app: Html) => Html;
  asksTo: string;
  scopes: Record<Scope, string>;
  sentTo: (host: Html) => Html;
  signedInAs: (who: string) => string;
  notYou: string;
};

export const words: Record<Language, Words> = {
  en: {
    failed: 'This did not work',
    unanswerable: 'This request cannot be processed',
    invalid: 'The request is not valid.',
    tellMakers: (error) =>
      html`Nothing was allowed and nothing was changed. If an app sent you here, give its developers this code: ${error}`,
    signIn: 'Sign in',
    goOnTo: (app) => html`Sign in to continue to ${app}.`,
    email: 'E-mail address',
    password: 'Password',
    code: 'Code from your authenticator app, or a recovery code',
    cancel: 'Cancel',
    allow: 'Allow',
    allowTitle: (app) => `Allow ${app}?`,
    allowHeading: (app) => html`Allow ${app} to act for you?`,
    asksTo: 'The app asks for permission to:',
    scopes: scopeMeanings,
    sentTo: (host) => html`You will be sent to ${host}. You can revoke this at any time.`,
    signedInAs: (who) => `Signed in as ${who}.`,
    notYou: 'Not you?',
  },
  de: {
    failed: 'Das hat nicht geklappt',
    unanswerable: 'Diese Anfrage kann nicht beantwortet werden',
    invalid: 'Die Anfrage ist ungültig.',
    tellMakers: (error) =>
      html`Es wurde nichts erlaubt und nichts geändert. Wenn dich eine App hierher geschickt hat, nenne ihren Entwicklern: ${error}`,
    signIn: 'Anmelden',
    goOnTo: (app) => html`Melde dich an, um mit ${app} fortzufahren.`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    code: 'Code deiner Authenticator-App oder ein Wiederherstellungscode',
    cancel: 'Abbrechen',
    allow: 'Erlauben',
    allowTitle: (app) => `${app} erlauben?`,
    allowHeading: (app) => html`${app} erlauben, in deinem Namen zu handeln?`,
    asksTo: 'Die App bittet um diese Berechtigungen:',
    scopes: scopeMeaningsInGerman,
    sentTo: (host) => html`Du wirst zu ${host} weitergeleitet. Du kannst die Erlaubnis jederzeit widerrufen.`,
    signedInAs: (who) => `Angemeldet als ${who}.`,
    notYou: 'Nicht du?',
  },
};

/**
 * German texts for the English texts of refusals. The list contains only refusals that the user of the page can fix.
 */
const german: [english: RegExp, german: string][] = [
  [/^The e-mail address or the password is not correct$/, 'Die E-Mail-Adresse oder das Passwort stimmt nicht'],
  [/^The password is correct; the second factor.*$/, 'Das Passwort stimmt; es fehlt noch der zweite Faktor'],
  [/^The code is not correct, or was already used$/, 'Der Code stimmt nicht oder wurde schon verwendet'],
  [/^The account is suspended$/, 'Das Konto ist gesperrt'],
  [
    /^The e-mail address is not confirmed yet.*$/,
    'Die E-Mail-Adresse ist noch nicht bestätigt; öffne den Link, der an sie geschickt wurde',
  ],
  [/^Too many attempts; try again in (\d+) seconds$/, 'Zu viele Versuche; versuche es in $1 Sekunden noch einmal'],
  [
    /^The service is temporarily unavailable.*$/,
    'Der Dienst ist gerade nicht erreichbar; versuche es gleich noch einmal',
  ],
  [/^Something went wrong on our side$/, 'Bei uns ist etwas schiefgegangen'],
  [/^The request came from a page on another site$/, 'Die Anfrage kam von einer Seite einer anderen Website'],
  [
    /^This authorization has expired or was started.*$/,
    'Diese Autorisierung ist abgelaufen oder wurde in einem anderen Browser begonnen. Gehe zurück zur App und versuche es noch einmal',
  ],
];

/** The refusal as a sentence. Text for the developers of an app stays unchanged and is marked as English. */
export function refusalIn(language: Language, message: string): Html {
  const text = message.replace(/\.$/, '');
  if (language === 'en') return html`${text}.`;
  const [english, own] = german.find(([known]) => known.test(text)) ?? [];
  return english && own ? html`${text.replace(english, own)}.` : html`<span lang="en">${text}.</span>`;
}
