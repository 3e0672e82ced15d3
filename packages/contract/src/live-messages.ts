import { type Static, type TProperties, Type } from 'typebox';
import { type ErrorCode, errorCodes } from './errors.ts';
import { branchName } from './files.ts';
import { Timestamp } from './primitives.ts';
import { SessionComment, TextPosition } from './session-comments.ts';
import { Participant } from './sessions.ts';

/*
 * The text frames of a live session. Binary frames belong to Hocuspocus and need no schema. The service sets `user_id`
 * and `timestamp`, whatever a client sends.
 */

const filePath = Type.String({ minLength: 1, maxLength: 1024 });
const seq = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A number that the client chooses. The acknowledgement contains the same number.',
  }),
);
const revision = Type.Integer({ minimum: 0 });

/**
 * `end` is exclusive. The positions of all changes in a message refer to the text before the message. They are sorted
 * and do not overlap.
 */
export const CodeChange = Type.Union([
  Type.Object({ type: Type.Literal('insert'), position: TextPosition, text: Type.String() }),
  Type.Object({ type: Type.Literal('delete'), position: TextPosition, end: TextPosition }),
  Type.Object({ type: Type.Literal('replace'), position: TextPosition, end: TextPosition, text: Type.String() }),
]);
export type CodeChange = Static<typeof CodeChange>;

export const fileOperations = ['create', 'delete', 'rename'] as const;

export const ClientMessage = Type.Union([
  Type.Object({
    type: Type.Literal('cursor_move'),
    file_path: filePath,
    position: TextPosition,
    selection_end: Type.Optional(TextPosition),
  }),
  Type.Object({
    type: Type.Literal('code_change'),
    file_path: filePath,
    changes: Type.Array(CodeChange, { minItems: 1, maxItems: 1000 }),
    base_revision: Type.Optional(revision),
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'A unique id that the client chooses. The service applies a change once, even if it is sent again after a lost connection.',
      }),
    ),
    seq,
  }),
  Type.Object({
    type: Type.Literal('file_operation'),
    operation: Type.Enum(fileOperations),
    file_path: filePath,
    new_path: Type.Optional(filePath),
    content: Type.Optional(Type.String({ description: 'Content of the created file' })),
    seq,
  }),
  Type.Object({
    type: Type.Literal('open_file'),
    file_path: filePath,
    branch: Type.Optional(Type.String({ ...branchName, description: 'The branch of the session' })),
    seq,
  }),
  Type.Object({ type: Type.Literal('close_file'), file_path: filePath, seq }),
  Type.Object({ type: Type.Literal('save'), file_path: Type.Optional(filePath), seq }),
  Type.Object({
    type: Type.Literal('comment'),
    comment: Type.Object({}, { additionalProperties: true, description: 'Same as the body of POST …/comments' }),
    seq,
  }),
  Type.Object({ type: Type.Literal('ping'), seq }),
]);
export type ClientMessage = Static<typeof ClientMessage>;

const by = { user_id: Type.String(), timestamp: Timestamp };
const message = <T extends string, F extends TProperties>(type: T, fields: F) =>
  Type.Object({ type: Type.Literal(type), ...fields });

export const ServerMessage = Type.Union([
  message('cursor_move', {
    ...by,
    file_path: Type.String(),
    position: TextPosition,
    selection_end: Type.Optional(TextPosition),
    username: Type.String(),
    color: Type.String(),
  }),
  message('code_change', { ...by, file_path: Type.String(), changes: Type.Array(CodeChange), revision }),
  message('file_operation', {
    ...by,
    operation: Type.Enum(fileOperations),
    file_path: Type.String(),
    new_path: Type.Optional(Type.String()),
  }),
  message('file_state', {
    file_path: Type.String(),
    content: Type.String(),
    revision,
    checksum: Type.String({ description: '`sha256:` followed by the hex digest of the content in UTF-8' }),
    timestamp: Timestamp,
    seq,
  }),
  message('ack', {
    seq,
    file_path: Type.Optional(Type.String()),
    revision: Type.Optional(revision),
    changes: Type.Optional(Type.Array(CodeChange)),
    durable: Type.Boolean(),
  }),
  message('resync', { file_path: Type.String(), content: Type.String(), revision, checksum: Type.String(), seq }),
  message('saved', { file_path: Type.String(), commit_sha: Type.Union([Type.String(), Type.Null()]), revision, seq }),
  message('error', {
    code: Type.Enum(Object.keys(errorCodes) as ErrorCode[]),
    message: Type.String(),
    details: Type.Object({}, { additionalProperties: true }),
    seq,
  }),
  message('pong', { timestamp: Timestamp, seq }),
  message('participant_joined', { participant: Participant, timestamp: Timestamp }),
  message('participant_updated', { participant: Participant, timestamp: Timestamp }),
  message('participant_left', { user_id: Type.String(), timestamp: Timestamp }),
  message('comment_created', { comment: SessionComment, timestamp: Timestamp }),
  message('comment_updated', { comment: SessionComment, timestamp: Timestamp }),
  message('comment_deleted', { comment_id: Type.String(), timestamp: Timestamp }),
  message('session_expiring', { expires_at: Timestamp, timestamp: Timestamp }),
  message('session_ended', { reason: Type.String(), timestamp: Timestamp }),
]);
export type ServerMessage = Static<typeof ServerMessage>;

/** Why the service closed a socket. Codes below 4000 are defined in RFC 6455. */
export const liveCloseCodes = {
  goingAway: 1001,
  badFrame: 1003,
  tooLarge: 1009,
  restarting: 1012,
  sessionEnded: 4000,
  credentialGone: 4001,
  removed: 4003,
  invalidSession: 4004,
  idle: 4008,
  tooSlow: 4009,
  ownerMoved: 4010,
  tooManyMessages: 4029,
} as const;
