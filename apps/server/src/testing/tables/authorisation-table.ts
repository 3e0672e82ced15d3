import { ask } from '../samples/sample-collaborators.ts';
import { onProject } from '../samples/sample-projects.ts';
import type { Person, Place } from './authorisation-place.ts';
import type { Need, Row } from './authorisation-row.ts';
import { checkAuthorisation } from './check-authorisation-table.ts';
import { deploymentAuthorisation, domainAuthorisation } from './deployment-authorisation-table.ts';
import { mergeRequestAuthorisation } from './merge-request-authorisation-table.ts';
import { workspaceAuthorisation } from './workspace-authorisation-table.ts';

/** The persons with each right. An invitee may only answer; strangers and anonymous callers may do nothing. */
export const whoHas: Record<Need, Person[]> = {
  content: ['owner', 'admin', 'editor', 'viewer', 'viewer with write'],
  operations: ['owner', 'admin', 'editor', 'viewer', 'viewer with write'],
  comment: ['owner', 'admin', 'editor', 'viewer', 'viewer with write'],
  write: ['owner', 'admin', 'editor', 'viewer with write'],
  manage: ['owner', 'admin'],
  owner: ['owner'],
  invitee: ['pending invitee'],
};

const deleted = (place: Place) => onProject(place.service, place.cast.owner, place.projectId, ['DELETE']);
const settings = ({ kind }: Place) => ({ public: kind === 'public' });
const noAutoSave = { settings: { auto_save: false } };

const projects: Record<string, Row | Row[]> = {
  'GET /v1/projects/{project_id}': { needs: 'content', status: 200 },
  'PUT /v1/projects/{project_id}': [
    {
      needs: 'write',
      status: 200,
      label: 'the name',
      jsonFor: (place) => ({ name: 'Other', settings: settings(place) }),
    },
    { needs: 'manage', status: 200, label: 'the settings', json: { name: 'Sample', ...noAutoSave } },
  ],
  'PATCH /v1/projects/{project_id}': [
    { needs: 'write', status: 200, label: 'the description', json: { description: 'Other' } },
    { needs: 'manage', status: 200, label: 'the settings', json: noAutoSave },
    {
      needs: 'manage',
      status: 200,
      whileArchived: 200,
      label: 'the status',
      jsonFor: ({ kind }) => ({ status: kind === 'archived' ? 'active' : 'archived' }),
    },
    { needs: 'manage', status: 200, label: 'the repository', json: { repository: null } },
  ],
  'DELETE /v1/projects/{project_id}': { needs: 'owner', status: 200, whileArchived: 200 },
  'POST /v1/projects/{project_id}/fork': {
    ...{ needs: 'content', status: 201, whileArchived: 201, json: {} },
    // Refused, because a service account would create a project outside the projects that it is restricted to.
    asServiceAccount: 403,
  },
  'POST /v1/projects/{project_id}/restore': {
    needs: 'owner',
    status: 200,
    whileArchived: 200,
    prepare: deleted,
    hidden: true,
  },
  'POST /v1/projects/{project_id}/purge': {
    needs: 'owner',
    status: 202,
    whileArchived: 202,
    json: { name: 'Sample' },
    prepare: deleted,
    hidden: true,
    notForApps: true,
  },
  'PUT /v1/projects/{project_id}/star': { needs: 'content', status: 204, whileArchived: 204 },
  'DELETE /v1/projects/{project_id}/star': { needs: 'content', status: 204, whileArchived: 204 },
  'POST /v1/projects/{project_id}/repository/sync': { needs: 'manage', status: 202 },
};

const theInvitation = (place: Place) => ({ collaborator_id: place.invitationId });
const offered = ({ service, cast, projectId }: Place) =>
  ask(service, cast.owner, ['POST', `/projects/${projectId}/transfer`, { user_id: cast['pending invitee'].id }]);
const ofCollaborator = '/v1/projects/{project_id}/collaborators/{collaborator_id}';

const collaborators: Record<string, Row | Row[]> = {
  'GET /v1/projects/{project_id}/collaborators': { needs: 'content', status: 200 },
  'POST /v1/projects/{project_id}/collaborators': {
    needs: 'manage',
    status: 201,
    json: { email: 'new@example.org', role: 'admin' },
  },
  [`PATCH ${ofCollaborator}`]: { needs: 'manage', status: 200, json: { role: 'editor' } },
  [`DELETE ${ofCollaborator}`]: [
    { needs: 'manage', status: 204, label: 'a collaborator' },
    { needs: 'manage', status: 204, label: 'an invitation', parameters: theInvitation },
  ],
  [`POST ${ofCollaborator}/resend`]: { needs: 'manage', status: 200, parameters: theInvitation },
  [`POST ${ofCollaborator}/accept`]: { needs: 'invitee', status: 200, parameters: theInvitation },
  [`POST ${ofCollaborator}/decline`]: { needs: 'invitee', status: 204, parameters: theInvitation },
  'POST /v1/projects/{project_id}/transfer': {
    needs: 'owner',
    status: 201,
    jsonFor: ({ cast }) => ({ user_id: cast.bystander.id }),
  },
  'GET /v1/projects/{project_id}/transfer': {
    needs: 'manage',
    also: ['pending invitee'],
    status: 200,
    prepare: offered,
  },
  'DELETE /v1/projects/{project_id}/transfer': { needs: 'owner', status: 204, prepare: offered },
  'POST /v1/projects/{project_id}/transfer/accept': { needs: 'invitee', status: 200, prepare: offered },
  'POST /v1/projects/{project_id}/transfer/decline': { needs: 'invitee', status: 204, prepare: offered },
};

const create = { changes: [{ action: 'create', path: '/c.txt', content: 'three\n' }] };

const movedAhead = ({ service, cast, projectId }: Place) =>
  ask(service, cast.owner, ['POST', `/projects/${projectId}/commits`, create]);

const files: Record<string, Row | Row[]> = {
  'GET /v1/projects/{project_id}/files': { needs: 'content', status: 200 },
  'PUT /v1/projects/{project_id}/files': { needs: 'write', status: 201, json: { path: '/b.txt', content: 'two\n' } },
  'GET /v1/projects/{project_id}/files/{file_id}/content': { needs: 'content', status: 200 },
  'DELETE /v1/projects/{project_id}/files/{file_id}': { needs: 'write', status: 204 },
  'POST /v1/projects/{project_id}/files/{file_id}/move': { needs: 'write', status: 200, json: { path: '/b.txt' } },
  'POST /v1/projects/{project_id}/files/{file_id}/share': { needs: 'write', status: 201, json: {} },
  'GET /v1/projects/{project_id}/search': { needs: 'content', status: 200, query: '?q=one' },
  'GET /v1/projects/{project_id}/commits': { needs: 'content', status: 200 },
  'POST /v1/projects/{project_id}/commits': { needs: 'write', status: 201, json: create },
  'GET /v1/projects/{project_id}/commits/{sha}': { needs: 'content', status: 200 },
  'GET /v1/projects/{project_id}/branches': { needs: 'content', status: 200 },
  'GET /v1/projects/{project_id}/branches/{branch}': { needs: 'content', status: 200 },
  'GET /v1/projects/{project_id}/branches/*': { needs: 'content', status: 200, scope: 'read:files' },
  'POST /v1/projects/{project_id}/branches': { needs: 'write', status: 201, json: { name: 'new' } },
  'DELETE /v1/projects/{project_id}/branches/{branch}': { needs: 'write', status: 204 },
  'DELETE /v1/projects/{project_id}/branches/*': { needs: 'write', status: 204, scope: 'write:files' },
  'GET /v1/projects/{project_id}/compare': { needs: 'content', status: 200, query: '?base=main&head=feature' },
  'POST /v1/projects/{project_id}/merges': {
    needs: 'write',
    status: 201,
    json: { source: 'main', target: 'feature', strategy: 'fast-forward' },
    prepare: movedAhead,
  },
  'GET /v1/projects/{project_id}/archive': { needs: 'content', status: 200 },
};

/** A protocol version 2 query that any repository answers, and an empty push. */
const lsRefs = {
  body: '0014command=ls-refs\n0000',
  headers: { 'content-type': 'application/x-git-upload-pack-request', 'git-protocol': 'version=2' },
};
const noPush = { body: '0000', headers: { 'content-type': 'application/x-git-receive-pack-request' } };

const git: Record<string, Row | Row[]> = {
  'GET /git/{repository}/info/refs': [
    { needs: 'content', status: 200, label: 'to fetch', query: '?service=git-upload-pack', scope: 'read:files' },
    {
      needs: 'write',
      status: 200,
      label: 'to push',
      query: '?service=git-receive-pack',
      scope: 'read:files',
      whileArchived: 409,
    },
  ],
  'POST /git/{repository}/git-upload-pack': {
    needs: 'content',
    status: 200,
    reads: true,
    scope: 'read:files',
    ...lsRefs,
  },
  'POST /git/{repository}/git-receive-pack': { needs: 'write', status: 200, scope: 'write:files', ...noPush },
};

const remark = { file_path: '/a.txt', position: { line: 1, column: 1 }, content: 'Why?' };
const ofComment = '/v1/projects/{project_id}/comments/{comment_id}';

const comments: Record<string, Row | Row[]> = {
  'GET /v1/projects/{project_id}/comments': { needs: 'content', status: 200 },
  'POST /v1/projects/{project_id}/comments': { needs: 'comment', status: 201, json: remark },
  [`GET ${ofComment}`]: { needs: 'content', status: 200 },
  [`PATCH ${ofComment}`]: { needs: 'comment', status: 200, json: { resolved: true } },
  [`DELETE ${ofComment}`]: { needs: 'manage', status: 204 },
};

export const authorisationTable: Record<string, Row | Row[]> = {
  ...projects,
  ...collaborators,
  ...files,
  ...git,
  ...deploymentAuthorisation,
  ...domainAuthorisation,
  ...comments,
  ...workspaceAuthorisation,
  ...mergeRequestAuthorisation,
  ...checkAuthorisation,
};

/**
 * Routes outside projects, which have their own rules. A route that is neither here nor in the table fails the test.
 */
export const notOfAProject = [
  // The page and the files of the dashboard, the same for everyone.
  /^\/(\*|admin|explore|favicon\.svg|invitations|join|new|notifications|preview-frame|projects|reviews|settings|trash|webhooks|welcome)(\/\*)?$/,
  /^\/(sign-in|sign-up|verify-email|forgot-password|reset-password)$/,
  /^\/$/,
  /^\/(openapi\.json|healthz|readyz|metrics)$/,
  /^\/(docs|downloads|guide)(\/|$)/,
  /^\/avatars\//,
  /^\/oauth\//,
  // The page that signs a device in.
  /^\/device$/,
  // Its tools call the routes of the API.
  /^\/mcp$/,
  /^\/\.well-known\//,
  // The URL is signed, and is its own credential.
  /^\/shared\//,
  /^\/v1\/user(\/|$)/,
  /^\/v1\/(auth|admin)\//,
  /^\/v1\/projects$/,
  // Covers all projects at once. The tests of the stream check whose events a user gets.
  /^\/v1\/events$/,
  // Notifications belong to one user, whatever they are about.
  /^\/v1\/notifications(\/|$)/,
  // By a token, or for the invitee alone.
  /^\/v1\/invitations\//,
  // Templates belong to an author. The tests of templates check who may publish a project, which the body names.
  /^(\/v1|\/git)?\/templates(\/|$)/,
  // Sessions have their own ids. The tests of sessions check the rights in them.
  /^\/v1\/collaboration\/sessions(\/|$)/,
  // For nodes of the service alone: everybody else gets a 404.
  /\/live-texts$/,
  // Every other request than a WebSocket's is refused. The tests of terminals check who may open one.
  /\/terminals\/\{terminal_id\}\/ws$/,
  /\/lsp\/\{language\}\/ws$/,
  // Webhooks have their own ids. The tests of webhooks check who manages those of a project.
  /^(\/v1|\/api)\/webhooks(\/|$)/,
];
