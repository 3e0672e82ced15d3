import { Type } from 'typebox';
import { NullableTimestamp, Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { Author, ada, exactly, grace, inExampleProject, inProject, orNull, text } from './fields.ts';

const rights = { role: text, permissions: Type.Array(text) };
const exampleRights = { role: 'editor', permissions: ['read', 'write', 'comment'] };

const membership = {
  invitation_id: text,
  ...inProject,
  collaborator: exactly({ id: orNull(text), name: orNull(text), email: text, username: orNull(text) }),
  ...rights,
};
const example = {
  invitation_id: 'col_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...inExampleProject,
  collaborator: { id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ac', ...grace },
  ...exampleRights,
};

export const collaborationEvents = eventFamily(
  {
    scope: 'read:projects',
    subject: 'collaborator',
    fieldNames: { invitation_id: 'id', inviter: 'invited_by', invitee: 'user', collaborator: 'user' },
  },
  {
    'collaboration.invited': {
      description: 'Someone was invited to a project',
      names: { reference: 'collaboration.invited', core: 'collaborator.invited', guide: 'project.shared' },
      data: exactly({
        invitation_id: text,
        ...inProject,
        inviter: Author,
        invitee: exactly({ email: orNull(text), name: orNull(text) }),
        ...rights,
        message: orNull(text),
        expires_at: NullableTimestamp,
        invitation_url: orNull(text),
      }),
      example: {
        invitation_id: example.invitation_id,
        ...inExampleProject,
        inviter: ada,
        invitee: { email: grace.email, name: grace.name },
        ...exampleRights,
        message: 'Come and see',
        expires_at: '2026-01-10T03:04:05.678Z',
        invitation_url: `https://bottega.example.com/invitations/${example.invitation_id}`,
      },
      // In the guide's terms, the project was shared.
      inGuide: {
        fieldNames: { project_id: 'id', project_name: 'name', inviter: 'shared_by', invitee: 'shared_with' },
      },
    },
    'collaboration.joined': {
      description: 'An invitation to a project was accepted',
      names: { reference: 'collaboration.joined', core: 'collaborator.joined', guide: null },
      data: exactly({ ...membership, joined_at: NullableTimestamp }),
      example: { ...example, joined_at: '2026-01-04T03:04:05.678Z' },
    },
    'collaboration.left': {
      description: 'A collaborator left a project or was removed',
      names: { reference: 'collaboration.left', core: 'collaborator.removed', guide: null },
      data: exactly({
        ...membership,
        reason: Type.Enum(['left', 'removed', 'became_owner']),
        removed_by: orNull(Author),
        left_at: Timestamp,
      }),
      example: { ...example, reason: 'removed', removed_by: ada, left_at: '2026-01-05T03:04:05.678Z' },
    },
  },
);
