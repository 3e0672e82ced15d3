import { Type } from 'typebox';
import {
  Collaborator,
  CollaboratorList,
  CreateTransfer,
  Invitation,
  InvitationList,
  InvitationPreview,
  InviteCollaborator,
  PatchCollaborator,
  SentInvitation,
  Transfer,
  TransferList,
} from '../collaborators.ts';
import { Project } from '../projects.ts';
import { defineRoutes, noContent } from './route.ts';

export const collaboratorRoutes = defineRoutes('Collaborators', {
  listCollaborators: {
    address: 'GET /projects/{project_id}/collaborators',
    access: 'read:projects',
    summary: "List a project's collaborators and, if you manage the project, its invitations",
    responses: { 200: CollaboratorList },
  },
  inviteCollaborator: {
    address: 'POST /projects/{project_id}/collaborators',
    access: 'write:projects',
    summary: 'Invite a user to a project',
    body: InviteCollaborator,
    responses: { 201: SentInvitation },
  },
  changeCollaborator: {
    address: 'PATCH /projects/{project_id}/collaborators/{collaborator_id}',
    access: 'write:projects',
    summary: "Change a collaborator's or an invitation's role or permissions",
    body: PatchCollaborator,
    responses: { 200: Collaborator },
  },
  removeCollaborator: {
    address: 'DELETE /projects/{project_id}/collaborators/{collaborator_id}',
    access: 'write:projects',
    summary: 'Remove a collaborator, withdraw an invitation, or leave a project',
    responses: { 204: noContent },
  },
  resendInvitation: {
    address: 'POST /projects/{project_id}/collaborators/{collaborator_id}/resend',
    access: 'write:projects',
    summary: 'Send an invitation again, with a new link and a new expiry date',
    responses: { 200: SentInvitation },
  },
});

const byToken = Type.Object({
  token: Type.String({
    description: 'The last part of the invitation link. Invitees can use the invitation id instead.',
  }),
});

export const invitationRoutes = defineRoutes('Invitations', {
  listOwnInvitations: {
    address: 'GET /user/invitations',
    access: 'read:projects',
    summary: 'List your open invitations',
    responses: { 200: InvitationList },
  },
  readInvitation: {
    address: 'GET /invitations/{token}',
    access: 'read:projects',
    summary: 'Read an invitation with the token from its link',
    params: byToken,
    responses: { 200: Invitation },
  },
  previewInvitation: {
    address: 'GET /invitations/{token}/preview',
    access: 'anyone',
    summary: 'Preview the project and the inviter of an invitation before you sign in',
    params: Type.Object({ token: Type.String({ description: 'The last part of the invitation link' }) }),
    responses: { 200: InvitationPreview },
  },
  acceptInvitationOfLink: {
    address: 'POST /invitations/{token}/accept',
    access: 'write:projects',
    summary: 'Accept an invitation with the token from its link',
    params: byToken,
    responses: { 200: Collaborator },
  },
  declineInvitationOfLink: {
    address: 'POST /invitations/{token}/decline',
    access: 'write:projects',
    summary: 'Decline an invitation with the token from its link',
    params: byToken,
    responses: { 204: noContent },
  },
  acceptInvitation: {
    address: 'POST /projects/{project_id}/collaborators/{collaborator_id}/accept',
    access: 'write:projects',
    summary: 'Accept an invitation',
    responses: { 200: Collaborator },
  },
  declineInvitation: {
    address: 'POST /projects/{project_id}/collaborators/{collaborator_id}/decline',
    access: 'write:projects',
    summary: 'Decline an invitation',
    responses: { 204: noContent },
  },
});

export const transferRoutes = defineRoutes('Ownership', {
  offerProject: {
    address: 'POST /projects/{project_id}/transfer',
    access: 'write:projects',
    summary: 'Offer a project to a new owner, who must accept it',
    body: CreateTransfer,
    responses: { 201: Transfer },
  },
  readTransfer: {
    address: 'GET /projects/{project_id}/transfer',
    access: 'read:projects',
    summary: "Read a project's pending transfer",
    responses: { 200: Transfer },
  },
  cancelTransfer: {
    address: 'DELETE /projects/{project_id}/transfer',
    access: 'write:projects',
    summary: "Withdraw a project's pending transfer",
    responses: { 204: noContent },
  },
  acceptTransfer: {
    address: 'POST /projects/{project_id}/transfer/accept',
    access: 'write:projects',
    summary: 'Accept the transfer of a project to you',
    responses: { 200: Project },
  },
  declineTransfer: {
    address: 'POST /projects/{project_id}/transfer/decline',
    access: 'write:projects',
    summary: 'Decline the transfer of a project to you',
    responses: { 204: noContent },
  },
  listTransfers: {
    address: 'GET /user/transfers',
    access: 'read:projects',
    summary: 'List the projects that are offered to you',
    responses: { 200: TransferList },
  },
});
