import type { ErrorBody } from '@bottega/contract';
import type { Language } from '../words/dictionary.ts';

type Code = ErrorBody['error']['code'] | 'NETWORK';

/**
 * What each code of the service means. The service speaks English and says more than its code does, so its own words are
 * the title in that language, and stand below in the others.
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

/** Null where the service's own words are the best ones: in English, and for a code that came later than this page. */
export function wordsOfCode(code: string, language: Language): string | null {
  if (language === 'en') return null;
  return (ofCodes[language] as Record<string, string>)[code] ?? null;
}
