import type { ErrorBody } from '@bottega/contract';
import { dictionary } from '../words/dictionary.ts';

type Code = ErrorBody['error']['code'] | 'NETWORK';

/** The meaning of each error code. In English, the service's own messages are shown instead. */
export const refusalWords = dictionary('kit/refusal', {
  AUTHENTICATION_ERROR: ['The sign-in failed or has expired', 'Anmeldung fehlgeschlagen oder abgelaufen'],
  AUTHORIZATION_ERROR: ['You do not have the right to do this', 'Dazu fehlt dir die Berechtigung'],
  VALIDATION_ERROR: ['The input is not valid', 'Die Eingabe ist ungültig'],
  NOT_FOUND: ['Not found, or you have no access', 'Nicht gefunden, oder du hast keinen Zugriff'],
  CONFLICT: ['This is not possible in the current state', 'Das ist beim jetzigen Stand nicht möglich'],
  RATE_LIMIT_EXCEEDED: ['Too many requests. Try again later', 'Zu viele Anfragen. Versuche es später erneut'],
  INTERNAL_ERROR: ['An error occurred in the service', 'Im Dienst ist ein Fehler aufgetreten'],
  SERVICE_UNAVAILABLE: ['The service is not available now', 'Der Dienst ist gerade nicht verfügbar'],
  INVALID_SESSION: ['This session does not exist or has ended', 'Diese Sitzung gibt es nicht, oder sie ist beendet'],
  NETWORK: ['The service cannot be reached', 'Der Dienst ist nicht erreichbar'],
} satisfies Record<Code, readonly [en: string, de: string]>);
