import { dictionary } from '../words/words.tsx';

export const authorizedWords = dictionary({
  en: {
    title: 'Authorized apps',
    hint: 'Apps that you have allowed to act for you.',
    none: 'No authorized apps',
    noneHint: 'Apps that you allow to act for you appear here. You can revoke their access at any time.',
    since: 'Authorized',
    used: 'last token issued',
    neverUsed: 'no token issued yet',
    may: 'Scopes',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke access of ${name}?`,
    revokeHint: 'Its tokens stop working immediately. It can ask you again.',
    revoked: (name: string) => `Revoked access of ${name}`,
  },
  de: {
    title: 'Autorisierte Apps',
    hint: 'Apps, denen du erlaubt hast, für dich zu handeln.',
    none: 'Keine autorisierten Apps',
    noneHint: 'Hier erscheinen Apps, die für dich handeln dürfen. Du kannst ihren Zugriff jederzeit widerrufen.',
    since: 'Autorisiert',
    used: 'letztes Token ausgestellt',
    neverUsed: 'noch kein Token ausgestellt',
    may: 'Berechtigungen',
    revoke: 'Widerrufen',
    revokeTitle: (name) => `Zugriff von ${name} widerrufen?`,
    revokeHint: 'Ihre Token werden sofort ungültig. Sie kann dich erneut um Zugriff bitten.',
    revoked: (name) => `Zugriff von ${name} widerrufen`,
  },
});
