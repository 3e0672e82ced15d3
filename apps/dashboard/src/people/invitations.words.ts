import { dictionary } from '../words/dictionary.ts';

export const invitationWords = dictionary('people/invitation', {
  title: ['Invitations', 'Einladungen'],
  hint: [
    'Projects that others want to share with you or transfer to you.',
    'Projekte, die andere mit dir teilen oder an dich übertragen möchten.',
  ],
  none: ['No invitations', 'Keine Einladungen'],
  noneHint: [
    'When somebody invites you to a project, the invitation appears here.',
    'Wenn dich jemand zu einem Projekt einlädt, erscheint die Einladung hier.',
  ],
  unproven: [
    'Your e-mail address is not confirmed, so invitations to this address do not appear here. Open the invitation link, or ask the person who invited you for the link.',
    'Deine E-Mail-Adresse ist nicht bestätigt, deshalb erscheinen Einladungen an diese Adresse nicht hier. Öffne den Einladungslink, oder bitte die Person, die dich eingeladen hat, um den Link.',
  ],
  one: ['You are invited', 'Du bist eingeladen'],
  to: [(project: string, role: string) => `${project}, as ${role}`, (project, role) => `${project}, als ${role}`],
  by: [(name: string) => `${name} invited you.`, (name) => `${name} hat dich eingeladen.`],
  somebody: ['Somebody', 'Jemand'],
  expires: ['Expires', 'Läuft ab'],
  accept: ['Accept', 'Annehmen'],
  decline: ['Decline', 'Ablehnen'],
  declined: ['Invitation declined', 'Einladung abgelehnt'],
  transfers: ['Project transfers', 'Projektübertragungen'],
  from: [
    (name: string) => `${name} wants to transfer this project to you.`,
    (name) => `${name} möchte dir dieses Projekt übertragen.`,
  ],
  takeOver: ['Become the owner', 'Eigentümer werden'],
});
