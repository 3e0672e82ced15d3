import { dictionary } from '../words/dictionary.ts';

export const servicesWords = dictionary('settings/services', {
  title: ['Services', 'Dienste'],
  hint: [
    'Your programs that sign their own short-lived JWTs (HS256) instead of sending an API key.',
    'Deine Programme, die kurzlebige JWTs (HS256) selbst signieren, statt einen API-Schlüssel zu senden.',
  ],
  none: ['No services yet', 'Noch keine Dienste'],
  noneHint: [
    'Register a service below with the issuer (iss) of its tokens.',
    'Registriere unten einen Dienst mit dem Aussteller (iss) seiner Token.',
  ],
  issuer: ['Issuer', 'Aussteller'],
  issuerHint: [
    "The iss claim of the service's tokens, for example ci.example.com. It must be unique and contain no spaces.",
    'Der Claim iss in den Token des Dienstes, zum Beispiel ci.example.com. Er muss eindeutig sein und darf keine Leerzeichen enthalten.',
  ],
  ends: ['expires', 'läuft ab'],
  made: ['Created', 'Erstellt'],
  new: ['Register a service', 'Dienst registrieren'],
  create: ['Register service', 'Dienst registrieren'],
  created: [
    'Use the bytes of this text as the HS256 key. Copy it now. It is not shown again.',
    'Verwende die Bytes dieses Textes als HS256-Schlüssel. Kopiere ihn jetzt: Er wird nicht noch einmal angezeigt.',
  ],
  kid: ['Key ID (kid)', 'Schlüssel-ID (kid)'],
  subject: ['Your user ID (sub)', 'Deine Benutzer-ID (sub)'],
  audience: ['Audience (aud)', 'Empfänger (aud)'],
  done: ['I have saved it', 'Ich habe es gespeichert'],
  rotate: ['New key', 'Neuer Schlüssel'],
  rotateTitle: [
    (issuer: string) => `Create a new key for ${issuer}?`,
    (issuer) => `Neuen Schlüssel für ${issuer} erstellen?`,
  ],
  rotateHint: [
    'The current key stays valid for one day, so you have time to replace it.',
    'Der bisherige Schlüssel bleibt noch einen Tag gültig, damit du ihn ersetzen kannst.',
  ],
  removeTitle: [(issuer: string) => `Remove ${issuer}?`, (issuer) => `${issuer} entfernen?`],
  removeHint: ['Its tokens stop working immediately.', 'Seine Token werden sofort ungültig.'],
  removed: [(issuer: string) => `Removed ${issuer}`, (issuer) => `${issuer} entfernt`],
});
