import { dictionary } from '../words/words.tsx';

export const peopleWords = dictionary({
  title: ['People', 'Personen'],
  person: ['Person', 'Person'],
  role: ['Role', 'Rolle'],
  since: ['Joined', 'Dabei seit'],
  owner: ['owner', 'Eigentümer'],
  admin: ['admin', 'Admin'],
  editor: ['editor', 'Bearbeiter'],
  viewer: ['viewer', 'Betrachter'],
  pending: ['invited', 'eingeladen'],
  expired: ['invitation expired', 'Einladung abgelaufen'],
  invite: ['Invite', 'Einladen'],
  inviteTitle: ['Invite a collaborator', 'Mitarbeiter einladen'],
  roles: [
    'Viewers can read, editors can also write, admins can also manage the project.',
    'Betrachter können lesen, Bearbeiter auch schreiben, Admins auch das Projekt verwalten.',
  ],
  message: ['Message (optional)', 'Nachricht (optional)'],
  sent: [(email: string) => `Invitation sent to ${email}`, (email) => `Einladung an ${email} gesendet`],
  link: [
    'This service does not send e-mail. Pass this link on yourself: it is not shown again.',
    'Dieser Dienst versendet keine E-Mails. Gib diesen Link selbst weiter: Er wird nicht noch einmal angezeigt.',
  ],
  linkLabel: ['Invitation link', 'Einladungslink'],
  resend: ['Invite again', 'Erneut einladen'],
  removeTitle: [(name: string) => `Remove ${name}?`, (name) => `${name} entfernen?`],
  removeHint: ['They lose access immediately.', 'Die Person verliert sofort den Zugriff.'],
  leave: ['Leave project', 'Projekt verlassen'],
  leaveTitle: ['Leave this project?', 'Dieses Projekt verlassen?'],
  leaveHint: [
    'You lose access until somebody invites you again.',
    'Du verlierst den Zugriff, bis dich jemand erneut einlädt.',
  ],
  roleOf: [(name: string) => `Role of ${name}`, (name) => `Rolle von ${name}`],
  transfer: ['Transfer project', 'Projekt übertragen'],
  transferHint: [
    'The new owner has to accept. You stay in the project as an admin.',
    'Der neue Eigentümer muss zustimmen. Du bleibst als Admin im Projekt.',
  ],
  newOwner: ['E-mail of the new owner', 'E-Mail des neuen Eigentümers'],
  offer: ['Offer transfer', 'Übertragung anbieten'],
  offered: [
    (name: string) => `Offered to ${name}. Waiting for an answer.`,
    (name) => `${name} angeboten. Antwort steht aus.`,
  ],
  takeBack: ['Cancel transfer', 'Übertragung abbrechen'],
});
