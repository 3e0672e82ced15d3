import type { MailContent } from '../../foundation/mail/index.ts';
import type { WritableProject } from '../index.ts';
import type { CollaboratorRow } from './collaborators.sql.ts';

const roleNames = { admin: 'an admin', editor: 'an editor', viewer: 'a viewer' } as const;

const until = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function invitationMail(project: WritableProject, row: CollaboratorRow, url: string): MailContent {
  const { actor } = project;
  return {
    subject: `${actor.name} invites you to ${project.name}`,
    greeting: row.user_name ? `Hello ${row.user_name},` : 'Hello,',
    paragraphs: [
      `${actor.name} (${actor.email}) invites you to collaborate on “${project.name}” as ${roleNames[row.role]} ` +
        `(${row.permissions.join(', ')}).`,
      ...(row.message ? [row.message] : []),
    ],
    action: { label: 'Open the invitation', url },
    closing: [
      ...(row.expires_at ? [`The invitation can be accepted until ${until(row.expires_at)}.`] : []),
      'If you do not know what this is about, ignore this e-mail. Nothing happens unless you accept.',
    ],
  };
}

export function transferMail(
  project: WritableProject,
  to: { name: string; url: string; expiresAt: Date },
): MailContent {
  const { actor } = project;
  return {
    subject: `${actor.name} offers you the project ${project.name}`,
    greeting: `Hello ${to.name},`,
    paragraphs: [
      `${actor.name} (${actor.email}) offers you the ownership of “${project.name}”. If you accept, the project counts ` +
        `towards your plan, and ${actor.name} remains an admin of it.`,
    ],
    action: { label: 'See your invitations', url: to.url },
    closing: [`The offer can be accepted until ${until(to.expiresAt)}.`],
  };
}
