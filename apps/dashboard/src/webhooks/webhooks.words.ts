import { dictionary } from '../words/dictionary.ts';

/** Words of the lists, the frame of one webhook, and the actions on it. */
export const webhooksWords = dictionary('webhooks/webhooks', {
  title: ['Webhooks', 'Webhooks'],
  hint: ['Send events to your own URLs.', 'Sende Ereignisse an deine eigenen URLs.'],
  new: ['New webhook', 'Neuer Webhook'],
  none: ['No webhooks yet', 'Noch keine Webhooks'],
  noneHint: [
    'A webhook sends a signed message to a URL for every event you choose.',
    'Ein Webhook sendet für jedes gewählte Ereignis eine signierte Nachricht an eine URL.',
  ],
  events: ['Events', 'Ereignisse'],
  state: ['Status', 'Status'],
  arrived: ['Success rate', 'Erfolgsquote'],
  last: ['Last delivery', 'Letzte Zustellung'],
  never: ['never', 'nie'],
  created_at: ['Newest first', 'Neueste zuerst'],
  updated_at: ['Recently changed', 'Zuletzt geändert'],
  byName: ['Name', 'Name'],
  any: ['All statuses', 'Alle Status'],
  active: ['Active', 'Aktiv'],
  inactive: ['Disabled', 'Deaktiviert'],
  paused: ['Paused', 'Pausiert'],
  notManaged: ['Only admins of this project can see its webhooks', 'Nur Projekt-Admins können die Webhooks sehen'],
  notManagedHint: ['Ask the owner for the admin role.', 'Bitte den Eigentümer um die Rolle Admin.'],
  ofProjectHint: [
    'These webhooks receive the events of this project. Account webhooks receive the events of all your projects.',
    'Diese Webhooks erhalten die Ereignisse dieses Projekts. Webhooks deines Kontos erhalten die Ereignisse aller deiner Projekte.',
  ],
  toAccount: ['Account webhooks', 'Webhooks deines Kontos'],
  // One webhook.
  all: ['All webhooks', 'Alle Webhooks'],
  allOfProject: ['All webhooks of this project', 'Alle Webhooks des Projekts'],
  sections: ['Webhook sections', 'Bereiche des Webhooks'],
  deliveries: ['Deliveries', 'Zustellungen'],
  figures: ['Statistics', 'Statistik'],
  turnedOff: ['This webhook was disabled automatically', 'Dieser Webhook wurde automatisch deaktiviert'],
  turnOn: ['Enable again', 'Wieder aktivieren'],
  pausedTitle: ['Paused after repeated failures', 'Nach wiederholten Fehlern pausiert'],
  pausedHint: [
    (when: string) => `Deliveries resume ${when}. Events are kept until then.`,
    (when) => `Die Zustellung geht ${when} weiter. Ereignisse bleiben bis dahin erhalten.`,
  ],
  isActive: ['Active', 'Aktiv'],
  secretHint: [
    'Messages are signed with this secret. The receiver uses it to verify the sender.',
    'Nachrichten werden mit diesem Secret signiert. Der Empfänger prüft damit den Absender.',
  ],
  secretNew: [
    'Copy the secret to your receiver. The receiver uses it to verify messages.',
    'Hinterlege das Secret in der Anwendung, die die Nachrichten empfängt. Sie prüft damit deren Echtheit.',
  ],
  secretRotated: [
    'This is the new secret. Messages are also signed with the previous secret until:',
    'Das ist das neue Secret. Nachrichten werden auch mit dem bisherigen Secret signiert bis:',
  ],
  secretShow: ['Show secret', 'Secret anzeigen'],
  secretHide: ['Hide secret', 'Secret ausblenden'],
  formerUntil: [
    'Messages are also signed with the previous secret until:',
    'Nachrichten werden auch mit dem bisherigen Secret signiert bis:',
  ],
  rotate: ['Rotate secret', 'Secret ersetzen'],
  rotateTitle: ['Rotate the secret?', 'Secret ersetzen?'],
  rotateHint: [
    'For one day the webhook-signature header contains signatures with both secrets. The other headers use the new secret immediately.',
    'Einen Tag lang enthält der Header webhook-signature Signaturen mit beiden Secrets. Die anderen Header verwenden sofort das neue.',
  ],
  delete: ['Delete webhook', 'Webhook löschen'],
  deleteTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  deleteHint: [
    'A deleted webhook receives no more events. Its deliveries and statistics are deleted too.',
    'Ein gelöschter Webhook erhält keine Ereignisse mehr. Auch seine Zustellungen und Statistiken werden gelöscht.',
  ],
  deleted: [(name: string) => `Deleted ${name}`, (name) => `${name} gelöscht`],
  done: ['Go to deliveries', 'Zu den Zustellungen'],
  isThere: ['Webhook created', 'Webhook angelegt'],
});
