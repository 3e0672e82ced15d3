import { type Static, Type } from 'typebox';
import { linesOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { emailOfPerson } from './projects.ts';
import { acceptingReadOnly } from './read-only.ts';

export const permissions = ['read', 'write', 'comment', 'manage'] as const;
export type Permission = (typeof permissions)[number];

export const roles = ['admin', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The permissions of each role, unless `permissions` says otherwise. */
export const permissionsOfRole: Readonly<Record<Role, readonly Permission[]>> = {
  admin: ['read', 'write', 'comment', 'manage'],
  editor: ['read', 'write', 'comment'],
  viewer: ['read', 'comment'],
};

const nullable = Type.Union([Type.String(), Type.Null()]);
const Permissions = Type.Array(Type.Enum(permissions));

const collaboratorFields = {
  id: Type.String({ examples: ['col_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  user: Type.Object(
    {
      id: nullable,
      name: nullable,
      username: Type.Union([Type.String(), Type.Null()], {
        description: 'Name for mentions, as in `@username`; null unless you are a member of the project',
      }),
      email: emailOfPerson,
      avatar_url: nullable,
    },
    { description: 'Until the invitation is accepted, only `email`, the invited address, is set' },
  ),
  role: Type.Enum(roles),
  permissions: Permissions,
  invited_by: Type.Union([Type.String(), Type.Null()], {
    description: 'User id; null unless you are a member of the project',
  }),
  invited_at: Timestamp,
  joined_at: NullableTimestamp,
  status: Type.Enum(['pending', 'active', 'expired'], {
    description: '`expired`: the invitation was not accepted in time. You can send it again.',
  }),
  expires_at: NullableTimestamp,
};

export const Collaborator = named('Collaborator', collaboratorFields);
export type Collaborator = Static<typeof Collaborator>;

export const CollaboratorList = Type.Object({ data: Type.Array(Collaborator) });

/** The invitation as the inviter sees it. */
export const SentInvitation = named('SentInvitation', {
  ...collaboratorFields,
  message: Type.String(),
  invitation_url: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description:
      'The link to send to the invitee if the service sends no e-mail; otherwise null. Returned only in this response.',
  }),
});
export type SentInvitation = Static<typeof SentInvitation>;

/** Addresses are compared in lower case; surrounding white space is removed. */
const email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] });

const wantedRole = Type.Enum(roles, { default: 'viewer' });
const wantedPermissions = Type.Array(Type.Enum(permissions), {
  uniqueItems: true,
  minItems: 1,
  maxItems: permissions.length,
  description: "Overrides the role's permissions; always includes `read`. Default: the role's permissions.",
});

export const InviteCollaborator = strict({
  email,
  role: Type.Optional(wantedRole),
  permissions: Type.Optional(wantedPermissions),
  message: Type.Optional(Type.String({ maxLength: 2000, pattern: linesOfText })),
});
export type InviteCollaborator = Static<typeof InviteCollaborator>;

export const PatchCollaborator = acceptingReadOnly(
  {
    role: Type.Optional(
      Type.Enum(roles, { description: "Also resets the permissions to the role's, unless you specify `permissions`" }),
    ),
    permissions: Type.Optional(
      Type.Union([wantedPermissions, Type.Null()], { description: "null means the role's permissions" }),
    ),
  },
  SentInvitation,
);
export type PatchCollaborator = Static<typeof PatchCollaborator>;

const person = { id: Type.String(), name: Type.String(), email: Type.String() };

/** The invitation as the invitee sees it. */
export const Invitation = named('Invitation', {
  id: Type.String({ examples: ['col_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  project: Type.Object({ id: Type.String(), name: Type.String() }),
  inviter: Type.Union([Type.Object({ ...person, avatar_url: Type.String() }), Type.Null()]),
  email: Type.String({ description: 'The invited address' }),
  role: Type.Enum(roles),
  permissions: Permissions,
  message: Type.String(),
  status: Type.Enum(['pending', 'expired']),
  invited_at: Timestamp,
  expires_at: NullableTimestamp,
});
export type Invitation = Static<typeof Invitation>;

/** What a visitor who has not signed in sees with the link. */
export const InvitationPreview = named('InvitationPreview', {
  project: Type.Object({ name: Type.String() }),
  inviter: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
  role: Type.Enum(roles),
  status: Type.Enum(['pending', 'expired']),
});
export type InvitationPreview = Static<typeof InvitationPreview>;

export const InvitationList = Type.Object({ data: Type.Array(Invitation) });

export const CreateTransfer = Type.Object(
  {
    email: Type.Optional(email),
    user_id: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { additionalProperties: false, description: 'The e-mail address or the id of the new owner' },
);
export type CreateTransfer = Static<typeof CreateTransfer>;

export const Transfer = named('Transfer', {
  project: Type.Object({ id: Type.String(), name: Type.String() }),
  from: Type.Object(person),
  to: Type.Object(
    { id: nullable, name: nullable, email: nullable },
    { description: 'Until the transfer is accepted, the owner sees only the specified address or id' },
  ),
  status: Type.Enum(['pending', 'expired']),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type Transfer = Static<typeof Transfer>;

export const TransferList = Type.Object({ data: Type.Array(Transfer) });
