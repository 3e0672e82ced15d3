import { dictionary } from '../words/dictionary.ts';

/** Words of deliveries, tests and figures. */
export const deliveriesWords = dictionary('webhooks/deliveries', {
  success: ['Delivered', 'Zugestellt'],
  failed: ['Failed', 'Fehlgeschlagen'],
  pending: ['Pending', 'Ausstehend'],
  event: ['Event', 'Ereignis'],
  allEvents: ['All events', 'Alle Ereignisse'],
  answer: ['Response', 'Antwort'],
  attempts: ['Attempts', 'Versuche'],
  when: ['Time', 'Zeitpunkt'],
  none: ['No deliveries yet', 'Noch keine Zustellungen'],
  noneHint: [
    'Send a test, or wait for an event that this webhook is subscribed to.',
    'Sende einen Test, oder warte auf ein Ereignis, das dieser Webhook abonniert hat.',
  ],
  total: [
    (count: number, rate: string) =>
      count === 1 ? `1 delivery, ${rate} successful` : `${count} deliveries, ${rate} successful`,
    (count, rate) => (count === 1 ? `1 Zustellung, ${rate} erfolgreich` : `${count} Zustellungen, ${rate} erfolgreich`),
  ],
  found: [
    (count: number) => (count === 1 ? '1 delivery' : `${count} deliveries`),
    (count) => (count === 1 ? '1 Zustellung' : `${count} Zustellungen`),
  ],
  noAnswer: ['no response', 'keine Antwort'],
  milliseconds: [(count: string) => `${count} ms`, (count) => `${count} ms`],
  // Actions.
  test: ['Send test', 'Test senden'],
  failedAgain: ['Redeliver failed deliveries', 'Fehlgeschlagene erneut zustellen'],
  missed: ['Recover missed events', 'Verpasste Ereignisse nachholen'],
  failedHint: [
    'Retries every failed delivery that has not succeeded since.',
    'Sendet jede Zustellung erneut, die fehlgeschlagen ist und seitdem nicht erfolgreich war.',
  ],
  missedHint: [
    'Sends every event that was not delivered, including events from when the webhook was disabled.',
    'Sendet jedes Ereignis, das nicht zugestellt wurde, auch aus der Zeit, in der der Webhook deaktiviert war.',
  ],
  since: ['Since', 'Seit'],
  until: ['Until', 'Bis'],
  untilHint: ['Leave empty for the current time.', 'Leer heißt: bis jetzt.'],
  sinceHint: ['Leave empty for all.', 'Leer lassen für alle.'],
  onlyEvent: ['Only this event', 'Nur dieses Ereignis'],
  doIt: ['Deliver', 'Zustellen'],
  scheduled: [
    (count: number) =>
      count === 0
        ? 'There is nothing to deliver'
        : count === 1
          ? '1 delivery is scheduled'
          : `${count} deliveries are scheduled`,
    (count) =>
      count === 0
        ? 'Es gibt nichts zuzustellen'
        : count === 1
          ? '1 Zustellung ist geplant'
          : `${count} Zustellungen sind geplant`,
  ],
  more: [
    'There may be more. Deliver again to continue.',
    'Vielleicht gibt es noch mehr. Stelle noch einmal zu, um fortzufahren.',
  ],
  testHint: [
    'Makes one attempt now, even if the webhook is disabled. A failure has no effect on the webhook.',
    'Unternimmt sofort einen Versuch, auch wenn der Webhook deaktiviert ist. Ein Fehler wirkt sich nicht auf den Webhook aus.',
  ],
  testEvent: ['Event', 'Ereignis'],
  payload: ['Data', 'Daten'],
  payloadHint: [
    'A JSON object. Leave empty to send an example.',
    'Ein JSON-Objekt. Leer lassen, um ein Beispiel zu senden.',
  ],
  payloadWrong: ['This is not a JSON object', 'Das ist kein JSON-Objekt'],
  useExample: ['Insert example', 'Beispiel einfügen'],
  testArrived: ['The test was delivered', 'Der Test wurde zugestellt'],
  testFailed: ['The test failed', 'Der Test ist fehlgeschlagen'],
  seeDelivery: ['Show delivery', 'Zustellung anzeigen'],
  // One delivery.
  back: ['All deliveries', 'Alle Zustellungen'],
  redeliver: ['Redeliver', 'Erneut zustellen'],
  redelivered: ['Redelivery scheduled', 'Erneute Zustellung geplant'],
  kind: ['Type', 'Art'],
  kind_event: ['Event', 'Ereignis'],
  kind_test: ['Test', 'Test'],
  kind_redelivery: ['Redelivery', 'Erneute Zustellung'],
  kind_recovery: ['Recovery', 'Nachgeholt'],
  original: ['Original delivery', 'Ursprüngliche Zustellung'],
  eventId: ['Event ID', 'Ereignis-ID'],
  id: ['Delivery ID', 'Zustellungs-ID'],
  created: ['Created', 'Erstellt'],
  nextRetry: ['Next attempt', 'Nächster Versuch'],
  exhausted: ['All attempts failed.', 'Alle Versuche sind fehlgeschlagen.'],
  rejected: [
    'The receiver rejected the delivery with a status that does not cause a retry.',
    'Der Empfänger hat die Zustellung mit einem Status abgelehnt, bei dem nicht wiederholt wird.',
  ],
  refused: ['This service does not allow the URL.', 'Dieser Dienst erlaubt die URL nicht.'],
  gone: [
    'The receiver responded with 410 Gone. The webhook was disabled.',
    'Der Empfänger hat mit 410 Gone geantwortet. Der Webhook wurde deaktiviert.',
  ],
  inactive: [
    'The webhook was disabled before the message was sent.',
    'Der Webhook wurde deaktiviert, bevor die Nachricht gesendet wurde.',
  ],
  no_access: [
    'The owner of the webhook no longer has access to the project.',
    'Der Eigentümer des Webhooks hat keinen Zugriff mehr auf das Projekt.',
  ],
  message: ['Message', 'Nachricht'],
  attempt: [(number: number) => `Attempt ${number}`, (number) => `Versuch ${number}`],
  request: ['Request', 'Anfrage'],
  response: ['Response', 'Antwort'],
  noResponse: ['There was no response.', 'Es kam keine Antwort.'],
  headers: ['Headers', 'Header'],
  emptyBody: ['Empty body', 'Leerer Inhalt'],
  cut: ['Truncated after 16 KiB', 'Nach 16 KiB abgeschnitten'],
  waiting: ['No attempt has been made yet.', 'Es gab noch keinen Versuch.'],
  copyBody: ['Copy body', 'Inhalt kopieren'],
});
