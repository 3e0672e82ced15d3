import { dictionary } from '../words/dictionary.ts';

export const authorizedWords = dictionary('settings/authorized', {
  title: ['Authorized apps', 'Autorisierte Apps'],
  hint: ['Apps and devices that can act for you.', 'Apps und Geräte, denen du erlaubt hast, für dich zu handeln.'],
  none: ['No authorized apps', 'Keine autorisierten Apps'],
  noneHint: [
    'Apps that you allow to act for you appear here. You can revoke their access at any time.',
    'Hier erscheinen Apps, die für dich handeln dürfen. Du kannst ihren Zugriff jederzeit widerrufen.',
  ],
  since: ['Authorized', 'Autorisiert'],
  used: ['last token issued', 'letztes Token ausgestellt'],
  neverUsed: ['no token issued yet', 'noch kein Token ausgestellt'],
  may: ['Scopes', 'Berechtigungen'],
  revokeTitle: [(name: string) => `Revoke the access of ${name}?`, (name) => `Zugriff von ${name} widerrufen?`],
  revokeHint: [
    'Its tokens stop working immediately. It can ask you for access again.',
    'Die Token der App werden sofort ungültig. Sie kann dich erneut um Zugriff bitten.',
  ],
  revoked: [(name: string) => `Revoked the access of ${name}`, (name) => `Zugriff von ${name} widerrufen`],
});
