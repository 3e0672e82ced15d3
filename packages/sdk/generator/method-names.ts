import type { routes } from '@bottega/contract';

/**
 * The name of each route in the client, as `resource.method`. Together with `leftOut` these are all routes of the
 * contract.
 */
export const methodNames = {
  readUser: 'user.get',
  changeUser: 'user.update',
  readUsage: 'user.usage',
  readUsageHistory: 'user.usageHistory',
  listOwnAuditLog: 'user.auditLog',

  listApiKeys: 'apiKeys.list',
  createApiKey: 'apiKeys.create',
  rotateApiKey: 'apiKeys.rotate',
  revokeApiKey: 'apiKeys.revoke',

  listServices: 'services.list',
  createService: 'services.create',
  rotateService: 'services.rotate',
  deleteService: 'services.delete',

  listServiceAccounts: 'serviceAccounts.list',
  createServiceAccount: 'serviceAccounts.create',
  deleteServiceAccount: 'serviceAccounts.delete',

  listOauthApps: 'oauthApps.list',
  createOauthApp: 'oauthApps.create',
  readOauthApp: 'oauthApps.get',
  changeOauthApp: 'oauthApps.update',
  rotateOauthAppSecret: 'oauthApps.rotateSecret',
  deleteOauthApp: 'oauthApps.delete',

  listAuthorizedApps: 'authorizedApps.list',
  revokeAuthorizedApp: 'authorizedApps.revoke',

  listAccounts: 'admin.listUsers',
  createAccount: 'admin.createUser',
  readAccount: 'admin.getUser',
  changeAccount: 'admin.updateUser',
  createResetLink: 'admin.createResetLink',
  removeSecondFactorOfAccount: 'admin.removeSecondFactor',
  listAllProjects: 'admin.listProjects',
  restoreProjectOfAccount: 'admin.restoreProject',
  listPlans: 'admin.listPlans',
  readHealth: 'admin.health',
  readInstallationUsage: 'admin.usageHistory',
  listAuditLog: 'admin.auditLog',

  listProjects: 'projects.list',
  readProject: 'projects.get',
  createProject: 'projects.create',
  replaceProject: 'projects.replace',
  changeProject: 'projects.update',
  deleteProject: 'projects.delete',
  restoreProject: 'projects.restore',
  listTrash: 'projects.trash',
  purgeProject: 'projects.purge',
  starProject: 'projects.star',
  unstarProject: 'projects.unstar',
  listStars: 'projects.stars',
  syncRepository: 'projects.syncRepository',
  downloadArchive: 'projects.archive',

  listCollaborators: 'collaborators.list',
  inviteCollaborator: 'collaborators.invite',
  changeCollaborator: 'collaborators.update',
  removeCollaborator: 'collaborators.remove',
  resendInvitation: 'collaborators.resendInvitation',
  acceptInvitation: 'collaborators.accept',
  declineInvitation: 'collaborators.decline',

  listNotifications: 'notifications.list',
  readNotifications: 'notifications.markRead',

  listOwnInvitations: 'invitations.list',
  readInvitation: 'invitations.get',
  previewInvitation: 'invitations.preview',
  acceptInvitationOfLink: 'invitations.accept',
  declineInvitationOfLink: 'invitations.decline',

  listTransfers: 'transfers.list',
  offerProject: 'transfers.create',
  readTransfer: 'transfers.get',
  cancelTransfer: 'transfers.cancel',
  acceptTransfer: 'transfers.accept',
  declineTransfer: 'transfers.decline',

  listFiles: 'files.list',
  readFileContent: 'files.read',
  writeFile: 'files.write',
  moveFile: 'files.move',
  deleteFile: 'files.delete',
  searchFiles: 'files.search',
  shareFile: 'files.share',

  listCommits: 'commits.list',
  readCommit: 'commits.get',
  createCommit: 'commits.create',

  listBranches: 'branches.list',
  createBranch: 'branches.create',
  deleteBranch: 'branches.delete',
  compareCommits: 'branches.compare',
  createMerge: 'branches.merge',

  listTemplates: 'templates.list',
  readTemplate: 'templates.get',
  publishTemplate: 'templates.publish',
  publishTemplateVersion: 'templates.publishVersion',
  changeTemplate: 'templates.update',
  deleteTemplate: 'templates.delete',

  listDeployments: 'deployments.list',
  listEnvironments: 'deployments.environments',
  createDeployment: 'deployments.create',
  readDeployment: 'deployments.get',
  readDeploymentLogs: 'deployments.logs',
  listArtifacts: 'deployments.artifacts',
  redeploy: 'deployments.redeploy',
  cancelDeployment: 'deployments.cancel',
  promoteDeployment: 'deployments.promote',
  rollBackDeployment: 'deployments.rollback',

  listWorkspaces: 'workspaces.list',
  createWorkspace: 'workspaces.create',
  readWorkspace: 'workspaces.get',
  startWorkspace: 'workspaces.start',
  sleepWorkspace: 'workspaces.sleep',
  deleteWorkspace: 'workspaces.delete',
  runCommand: 'workspaces.run',
  listCommands: 'workspaces.commands',
  readCommand: 'workspaces.command',
  readCommandOutput: 'workspaces.output',
  sendCommandInput: 'workspaces.sendInput',
  signalCommand: 'workspaces.signal',
  openTerminal: 'workspaces.openTerminal',
  listTerminals: 'workspaces.terminals',
  closeTerminal: 'workspaces.closeTerminal',
  listPorts: 'workspaces.ports',
  changePort: 'workspaces.updatePort',
  createPortTicket: 'workspaces.portTicket',

  listVariables: 'variables.list',
  putVariable: 'variables.set',
  deleteVariable: 'variables.delete',
  listDomains: 'domains.list',
  addDomain: 'domains.add',
  readDomain: 'domains.get',
  changeDomain: 'domains.update',
  removeDomain: 'domains.remove',
  verifyDomain: 'domains.verify',

  listEvents: 'events.list',

  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  readWebhook: 'webhooks.get',
  changeWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  testWebhook: 'webhooks.test',
  listEventTypes: 'webhooks.eventTypes',
  listWebhookEvents: 'webhooks.events',
  readWebhookStats: 'webhooks.stats',
  redeliverFailed: 'webhooks.redeliverFailed',
  recoverWebhook: 'webhooks.recover',

  listDeliveries: 'deliveries.list',
  readDelivery: 'deliveries.get',
  redeliver: 'deliveries.redeliver',

  listSessions: 'sessions.list',
  createSession: 'sessions.create',
  readSession: 'sessions.get',
  endSession: 'sessions.end',
  extendSession: 'sessions.extend',
  rotateInvite: 'sessions.rotateInvite',
  createTicket: 'sessions.createTicket',
  listSessionFiles: 'sessions.files',

  previewSession: 'sessions.preview',
  joinSession: 'participants.join',
  leaveSession: 'participants.leave',
  listParticipants: 'participants.list',
  changeParticipant: 'participants.update',
  removeParticipant: 'participants.remove',

  listProjectComments: 'projectComments.list',
  createProjectComment: 'projectComments.create',
  readProjectComment: 'projectComments.get',
  changeProjectComment: 'projectComments.update',
  removeProjectComment: 'projectComments.delete',

  listComments: 'comments.list',
  createComment: 'comments.create',
  readComment: 'comments.get',
  changeComment: 'comments.update',
  removeComment: 'comments.delete',
  applySuggestion: 'comments.applySuggestion',
} as const satisfies Partial<Record<keyof typeof routes, `${string}.${string}`>>;

const byPassword = 'for the pages of the dashboard: it takes a password or the cookie of a session, and no token';

/** Routes without a method, and why. */
export const leftOut = {
  readAuthOptions: byPassword,
  signUp: byPassword,
  verifyEmail: byPassword,
  resendVerification: byPassword,
  deleteAccount: byPassword,
  changePassword: byPassword,
  requestPasswordReset: byPassword,
  resetPassword: byPassword,
  readSecondFactor: byPassword,
  beginSecondFactor: byPassword,
  confirmSecondFactor: byPassword,
  renewRecoveryCodes: byPassword,
  removeSecondFactor: byPassword,
  signIn: byPassword,
  signOut: byPassword,
  readCurrentSession: byPassword,
  listSignInSessions: byPassword,
  endOtherSignInSessions: byPassword,
  endSignInSession: byPassword,
  deleteBranchWithSlash: '`branches.delete` sends the slash of a name as %2F',
  openSocket: '`sessions.join` opens it',
  openTerminalSocket: 'a WebSocket, which docs/workspaces.md describes',
  openPort: 'for browsers: it leads to a port with a ticket, which `workspaces.portTicket` returns',
  mergeLiveText: 'for nodes of the service alone',
} as const satisfies Partial<Record<keyof typeof routes, string>>;

/** Hand-written methods, with their interface: they do not send one JSON body or query. */
export const writtenByHand = {
  writeFile: 'sends text as JSON and bytes as they are',
  listEvents: 'its events have the type of their format',
} as const satisfies Partial<Record<keyof typeof routes, string>>;

/**
 * POSTs without an Idempotency-Key that may be repeated if the first outcome is unknown: they set a state, so repeating
 * changes nothing. All other POSTs that create nothing are sent once.
 */
export const repeatablePosts = {
  previewSession: 'it only looks',
  joinSession: 'who is in a session stays in it',
  promoteDeployment: 'the live deployment is the one that is named',
  rollBackDeployment: 'the live deployment is the one that is named',
  verifyDomain: 'it looks at what is there',
  startWorkspace: 'a workspace that runs goes on',
  sleepWorkspace: 'a workspace that sleeps goes on sleeping',
  extendSession: 'the end is counted from now on',
} as const satisfies Partial<Record<keyof typeof routes, string>>;
