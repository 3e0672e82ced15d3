import { Type } from 'typebox';
import { ErrorBody } from '../errors.ts';
import {
  CreateSession,
  ExtendSession,
  JoinedSession,
  JoinSession,
  Participant,
  ParticipantList,
  PreviewSession,
  Session,
  SessionFileList,
  SessionFileQuery,
  SessionList,
  SessionListQuery,
  SessionPreview,
  SocketTicket,
  UpdateParticipant,
} from '../sessions.ts';
import { defineRoutes, noContent } from './route.ts';

const tag = 'Collaboration';

export const sessionRoutes = defineRoutes(tag, {
  listSessions: {
    address: 'GET /collaboration/sessions',
    access: 'read:collaboration',
    summary: 'List the open sessions that you are in or that belong to your projects',
    query: SessionListQuery,
    responses: { 200: SessionList },
  },
  createSession: {
    address: 'POST /collaboration/sessions',
    access: 'write:collaboration',
    summary: 'Start a session',
    body: CreateSession,
    responses: { 201: Session },
  },
  readSession: {
    address: 'GET /collaboration/sessions/{session_id}',
    access: 'read:collaboration',
    summary: 'Read a session',
    responses: { 200: Session },
  },
  endSession: {
    address: 'DELETE /collaboration/sessions/{session_id}',
    access: 'write:collaboration',
    summary: 'End a session',
    responses: { 204: noContent },
  },
  extendSession: {
    address: 'POST /collaboration/sessions/{session_id}/extend',
    access: 'write:collaboration',
    summary: 'Extend a session',
    body: Type.Union([ExtendSession, Type.Null()]),
    responses: { 200: Session },
  },
  rotateInvite: {
    address: 'POST /collaboration/sessions/{session_id}/invite/rotate',
    access: 'write:collaboration',
    summary: "Replace a session's invite link; the previous link stops working",
    responses: { 200: Session },
  },
  createTicket: {
    address: 'POST /collaboration/sessions/{session_id}/ticket',
    access: 'read:collaboration',
    summary: 'Create a ticket to open one WebSocket connection to a session within a minute',
    responses: { 201: SocketTicket },
  },
  /** Only between nodes of the service: a program in a workspace changed a file that is edited live. */
  mergeLiveText: {
    address: 'POST /projects/{project_id}/live-texts',
    access: 'write:files',
    hidden: true,
    body: Type.Object({ branch: Type.String(), path: Type.String(), base: Type.String(), content: Type.String() }),
    responses: { 204: noContent },
  },
  /** Not in the OpenAPI document, which cannot describe the messages after the upgrade: see docs/live.md. */
  openSocket: {
    address: 'GET /collaboration/sessions/{session_id}/ws',
    access: 'read:collaboration',
    hidden: true,
    query: Type.Object({
      ticket: Type.Optional(Type.String()),
      frames: Type.Optional(Type.Enum(['json', 'yjs'])),
    }),
    responses: {},
  },
});

export const participantRoutes = defineRoutes(tag, {
  previewSession: {
    address: 'POST /collaboration/sessions/{session_id}/preview',
    access: 'anyone',
    summary: 'Preview a session, its project and its host before you sign in',
    body: PreviewSession,
    responses: { 200: SessionPreview },
  },
  joinSession: {
    address: 'POST /collaboration/sessions/{session_id}/join',
    access: 'write:collaboration',
    summary: 'Join a session; users who can read its project need no invite token',
    body: Type.Union([JoinSession, Type.Null()]),
    responses: { 200: JoinedSession },
  },
  leaveSession: {
    address: 'POST /collaboration/sessions/{session_id}/leave',
    access: 'write:collaboration',
    summary: 'Leave a session and close your sockets',
    responses: { 204: noContent },
  },
  listParticipants: {
    address: 'GET /collaboration/sessions/{session_id}/participants',
    access: 'read:collaboration',
    summary: "List a session's participants",
    responses: { 200: ParticipantList },
  },
  listSessionFiles: {
    address: 'GET /collaboration/sessions/{session_id}/files',
    access: 'read:collaboration',
    summary: "List the files that a session's participants, including guests, can open",
    query: SessionFileQuery,
    responses: { 200: SessionFileList, 422: ErrorBody },
  },
  changeParticipant: {
    address: 'PUT /collaboration/sessions/{session_id}/participants/{user_id}',
    access: 'write:collaboration',
    summary: "Change a participant's rights in a session",
    body: UpdateParticipant,
    responses: { 200: Participant },
  },
  removeParticipant: {
    address: 'DELETE /collaboration/sessions/{session_id}/participants/{user_id}',
    access: 'write:collaboration',
    summary: "Remove a participant from a session, or leave the session yourself; the participant's sockets are closed",
    responses: { 204: noContent },
  },
});
