import { type Static, Type } from 'typebox';
import { branchName, FileListQuery } from './files.ts';
import { defaulted, lineOfText, linesOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';

export const sessionRoles = ['admin', 'collaborator'] as const;

const SessionPermissions = Type.Object({ read: Type.Boolean(), write: Type.Boolean(), admin: Type.Boolean() });
export type SessionPermissions = Static<typeof SessionPermissions>;

const WantedPermissions = strict({
  read: Type.Optional(Type.Boolean()),
  write: Type.Optional(Type.Boolean()),
  admin: Type.Optional(Type.Boolean()),
});

const read_only_reason = Type.Optional(
  Type.String({ description: 'Why nobody can write in the session: its branch is protected. Absent otherwise' }),
);

const sessionFields = {
  session_id: Type.String({ examples: ['ses_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  description: Type.String(),
  workspace_id: Type.String({ description: 'Project id' }),
  created_at: Timestamp,
  expires_at: Timestamp,
  permissions: SessionPermissions,
  branch: Type.Optional(
    Type.String({ description: 'The branch whose files the session edits. Absent if it is `main`' }),
  ),
  read_only_reason,
};

export const Session = named('Session', {
  ...sessionFields,
  invite_link: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'Link to join the session; null if you cannot invite users',
  }),
  ended_at: NullableTimestamp,
});
export type Session = Static<typeof Session>;

export const SessionList = Type.Object({ sessions: Type.Array(Session), total: Type.Integer() });

export const CreateSession = strict({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }),
  description: Type.Optional(Type.String({ maxLength: 2000, pattern: linesOfText })),
  workspace_id: Type.String({ maxLength: 64, examples: ['prj_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  permissions: Type.Optional(WantedPermissions),
  branch: Type.Optional(Type.String({ ...branchName, description: 'The branch to edit; default: `main`' })),
});
export type CreateSession = Static<typeof CreateSession>;

export const Participant = named('Participant', {
  user_id: Type.String(),
  username: Type.String(),
  name: Type.String(),
  color: Type.String({ description: 'Cursor color as #rrggbb; each user always has the same color' }),
  role: Type.Enum(sessionRoles),
  status: Type.Enum(['active', 'away', 'left', 'removed'], { description: '`away`: joined but not connected' }),
  permissions: SessionPermissions,
  joined_at: Timestamp,
  last_seen: Timestamp,
});
export type Participant = Static<typeof Participant>;

export const ParticipantList = Type.Object({ participants: Type.Array(Participant) });

export const SessionFile = named('SessionFile', {
  path: Type.String({ examples: ['/src/main.ts'] }),
  type: Type.Enum(['file', 'directory']),
  size: Type.Optional(Type.Integer({ description: 'Size in bytes; files only' })),
});
export type SessionFile = Static<typeof SessionFile>;

export const SessionFileList = Type.Object({ files: Type.Array(SessionFile) });
export const SessionFileQuery = Type.Omit(FileListQuery, ['ref', 'branch']);

export const UpdateParticipant = strict({
  role: Type.Optional(Type.Enum(sessionRoles)),
  permissions: Type.Optional(WantedPermissions),
});
export type UpdateParticipant = Static<typeof UpdateParticipant>;

export const JoinSession = strict({ invite_token: Type.Optional(Type.String({ maxLength: 200 })) });
export type JoinSession = Static<typeof JoinSession>;

export const PreviewSession = strict({ invite_token: Type.String({ maxLength: 200 }) });

/** What a visitor who has not signed in sees with the link. */
export const SessionPreview = named('SessionPreview', {
  name: Type.String(),
  project: Type.Object({ name: Type.String() }),
  host: Type.Object({ name: Type.String() }),
});
export type SessionPreview = Static<typeof SessionPreview>;

export const JoinedSession = named('JoinedSession', {
  success: Type.Boolean(),
  session_info: Type.Object({
    session_id: Type.String(),
    name: Type.String(),
    participants: Type.Array(
      Type.Object({
        user_id: Type.String(),
        username: Type.String(),
        role: Type.Enum(sessionRoles),
        joined_at: Timestamp,
      }),
    ),
    permissions: SessionPermissions,
    read_only_reason,
  }),
  ws_url: Type.String({ description: 'Includes a ticket that is valid for one connection and for one minute' }),
});
export type JoinedSession = Static<typeof JoinedSession>;

export const ExtendSession = strict({
  seconds: Type.Optional(
    Type.Integer({ minimum: 60, description: 'Seconds from now. Default: the duration of a new session.' }),
  ),
});
export type ExtendSession = Static<typeof ExtendSession>;

export const SocketTicket = named('SocketTicket', {
  ticket: Type.String(),
  ws_url: Type.String({ description: 'Includes the ticket' }),
  expires_at: Timestamp,
});
export type SocketTicket = Static<typeof SocketTicket>;

export const SessionListQuery = Type.Object({
  workspace_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only sessions of this project' })),
  branch: Type.Optional(Type.String({ ...branchName, description: 'Only sessions on this branch' })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  offset: defaulted(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
});
