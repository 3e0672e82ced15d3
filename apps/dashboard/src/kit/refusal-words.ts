import type { ErrorBody } from '@bottega/contract';
import type { Language } from '../words/dictionary.ts';

type Code = ErrorBody['error']['code'] | 'NETWORK';

/**
 * The meaning of each error code. The service's messages are in English and say more than the code. So they are the
 * title in English, and are shown below the title in other languages.
 */
const ofCodes: Record<Exclude<Language, 'en'>, Record<Code, string>> = {
  de: {
    AUTHENTICATION_ERROR: 'Anmeldung fehlgeschlagen oder abgelaufen',
    AUTHORIZATION_ERROR: 'Dazu fehlt dir die Berechtigung',
    VALIDATION_ERROR: 'Die Eingabe ist ungültig',
    NOT_FOUND: 'Nicht gefunden, oder du hast keinen Zugriff',
    CONFLICT: 'Das ist beim jetzigen Stand nicht möglich',
    RATE_LIMIT_EXCEEDED: 'Zu viele Anfragen. Versuche es später erneut',
    INTERNAL_ERROR: 'Im Dienst ist ein Fehler aufgetreten',
    SERVICE_UNAVAILABLE: 'Der Dienst ist gerade nicht verfügbar',
    INVALID_SESSION: 'Diese Sitzung gibt es nicht oder nicht mehr',
    NETWORK: 'Der Dienst ist nicht erreichbar',
  },
};

/** Null if the service's own message is better: in English, or for a code that is newer than this page. */
export function wordsOfCode(code: string, language: Language): string | null {
  if (language === 'en') return null;
  return (ofCodes[language] as Record<string, string>)[code] ?? null;
}
