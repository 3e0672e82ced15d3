// Made of the contract by `npm run generate -w @bottega/sdk`; changes belong there. It is as long as the contract.

import type { List } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type {
  AddDomain,
  AdminAuditQuery,
  AdminHealth,
  AdminPlan,
  AdminPlanList,
  AdminProject,
  AdminProjectList,
  AdminProjectQuery,
  AdminUser,
  AdminUserList,
  AdminUserQuery,
  ApiKey,
  ApiKeyList,
  ArchiveQuery,
  AuditEntry,
  AuditLog,
  AuditQuery,
  AuthorizedApp,
  AuthorizedAppList,
  Branch,
  BranchList,
  Collaborator,
  CollaboratorList,
  CommentQuery,
  Commit,
  CommitDetail,
  CommitList,
  CommitListQuery,
  CommitQuery,
  CompareQuery,
  Comparison,
  ConfirmWithPassword,
  CreateAccount,
  CreateApiKey,
  CreateBranch,
  CreateComment,
  CreateCommit,
  CreateCoreWebhook,
  CreateDeployment,
  CreatedAccount,
  CreatedWebhook,
  CreateMerge,
  CreateOauthApp,
  CreateProject,
  CreateService,
  CreateServiceAccount,
  CreateSession,
  CreateShareLink,
  CreateTransfer,
  DeleteFileQuery,
  DeleteVariableQuery,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryListQuery,
  Deployment,
  DeploymentArtifacts,
  DeploymentList,
  DeploymentListQuery,
  DeploymentLogs,
  DeploymentLogsQuery,
  Domain,
  DomainList,
  Environment,
  EnvironmentList,
  EventLog,
  EventTypeList,
  ExtendSession,
  File,
  FileContentQuery,
  FileList,
  FileListQuery,
  InstallationUsageHistory,
  Invitation,
  InvitationList,
  InvitationPreview,
  InviteCollaborator,
  JoinedSession,
  JoinSession,
  ListedWebhook,
  MoveFile,
  NewApiKey,
  NewOauthApp,
  NewService,
  NotificationList,
  NotificationQuery,
  NotificationsRead,
  OauthApp,
  OauthAppList,
  OffsetQuery,
  Overlap,
  Participant,
  ParticipantList,
  PatchAdminUser,
  PatchCollaborator,
  PatchDomain,
  PatchOauthApp,
  PatchProject,
  PatchTemplate,
  PatchUser,
  PreviewSession,
  Project,
  ProjectComment,
  ProjectCommentList,
  ProjectCommentQuery,
  ProjectDetail,
  ProjectList,
  ProjectListItem,
  ProjectListQuery,
  PublishAnew,
  PublishTemplate,
  PurgeProject,
  PurgeProjectAnswer,
  PutVariable,
  ReadNotifications,
  RecoverWebhook,
  RedeliverFailed,
  Redelivery,
  ReplaceProject,
  ResetLink,
  RotatedSecret,
  RotateSecret,
  ScheduledDeliveries,
  SearchQuery,
  SearchResults,
  SentInvitation,
  Service,
  ServiceAccount,
  ServiceAccountList,
  ServiceList,
  Session,
  SessionComment,
  SessionCommentList,
  SessionFile,
  SessionFileList,
  SessionFileQuery,
  SessionList,
  SessionListQuery,
  SessionPreview,
  ShareLink,
  SocketTicket,
  Stars,
  SyncRepositoryAnswer,
  Template,
  TemplateList,
  TemplateListQuery,
  TestedWebhook,
  TestWebhook,
  Transfer,
  TransferList,
  Trash,
  TrashedProject,
  TrashQuery,
  UpdateComment,
  UpdatedWebhook,
  UpdateParticipant,
  UpdateWebhook,
  Usage,
  UsageHistory,
  UsageHistoryQuery,
  User,
  Variable,
  VariableList,
  Webhook,
  WebhookList,
  WebhookListQuery,
  WebhookStats,
  WebhookStatsQuery,
  WrittenFile,
} from './types.ts';

export interface UserResource {
  /**
   * Read your profile.
   *
   * `GET /user`, with the scope `read:user`
   */
  get(options?: CallOptions): Promise<User>;
  /**
   * Change your profile and preferences.
   *
   * `PATCH /user`, with the scope `write:user`
   */
  update(input: PatchUser, options?: CallOptions): Promise<User>;
  /**
   * Read your usage of requests, projects and storage, with the limits of your plan.
   *
   * `GET /user/usage`, with the scope `read:user`
   */
  usage(options?: CallOptions): Promise<Usage>;
  /**
   * List the daily usage of your account: deployments, build time, projects and stored bytes.
   *
   * `GET /user/usage/history`, with the scope `read:user`
   */
  usageHistory(query?: UsageHistoryQuery, options?: CallOptions): Promise<UsageHistory>;
  /**
   * List the audit log of your account, newest first.
   *
   * `GET /user/audit-log`, with the scope `read:user`
   */
  auditLog(query?: AuditQuery, options?: CallOptions): List<AuditEntry, AuditLog>;
}

export interface ApiKeysResource {
  /**
   * List your API keys.
   *
   * `GET /user/api-keys`, with the scope `read:user`
   */
  list(options?: CallOptions): List<ApiKey, ApiKeyList>;
  /**
   * Create an API key.
   *
   * `POST /user/api-keys`, with the scope `write:user`
   */
  create(input: CreateApiKey, options?: CallOptions): Promise<NewApiKey>;
  /**
   * Replace an API key; the former one keeps working for a while.
   *
   * `POST /user/api-keys/{key_id}/rotate`, with the scope `write:user`
   */
  rotate(keyId: string, input?: Overlap, options?: CallOptions): Promise<NewApiKey>;
  /**
   * Revoke an API key.
   *
   * `DELETE /user/api-keys/{key_id}`, with the scope `write:user`
   */
  revoke(keyId: string, options?: CallOptions): Promise<void>;
}

export interface ServicesResource {
  /**
   * List the services that sign JWTs for you.
   *
   * `GET /user/services`, with the scope `read:user`
   */
  list(options?: CallOptions): List<Service, ServiceList>;
  /**
   * Register a service.
   *
   * `POST /user/services`, with the scope `write:user`
   */
  create(input: CreateService, options?: CallOptions): Promise<NewService>;
  /**
   * Replace a service's key; the former one keeps working for a while.
   *
   * `POST /user/services/{service_id}/rotate`, with the scope `write:user`
   */
  rotate(serviceId: string, input?: Overlap, options?: CallOptions): Promise<NewService>;
  /**
   * Remove a service.
   *
   * `DELETE /user/services/{service_id}`, with the scope `write:user`
   */
  delete(serviceId: string, options?: CallOptions): Promise<void>;
}

export interface ServiceAccountsResource {
  /**
   * List your service accounts.
   *
   * `GET /user/service-accounts`, with the scope `read:user`
   */
  list(options?: CallOptions): List<ServiceAccount, ServiceAccountList>;
  /**
   * Create a service account that JWTs of your services can act as.
   *
   * `POST /user/service-accounts`, with the scope `write:user`
   */
  create(input: CreateServiceAccount, options?: CallOptions): Promise<ServiceAccount>;
  /**
   * Remove a service account; its JWTs stop working at once.
   *
   * `DELETE /user/service-accounts/{account_id}`, with the scope `write:user`
   */
  delete(accountId: string, options?: CallOptions): Promise<void>;
}

export interface OauthAppsResource {
  /**
   * List the OAuth apps that you registered.
   *
   * `GET /user/oauth-apps`, with the scope `read:user`
   */
  list(options?: CallOptions): List<OauthApp, OauthAppList>;
  /**
   * Register an OAuth app.
   *
   * `POST /user/oauth-apps`, with the scope `write:user`
   */
  create(input: CreateOauthApp, options?: CallOptions): Promise<NewOauthApp>;
  /**
   * Read an OAuth app.
   *
   * `GET /user/oauth-apps/{app_id}`, with the scope `read:user`
   */
  get(appId: string, options?: CallOptions): Promise<OauthApp>;
  /**
   * Change the name or the redirect URIs of an OAuth app.
   *
   * `PATCH /user/oauth-apps/{app_id}`, with the scope `write:user`
   */
  update(appId: string, input: PatchOauthApp, options?: CallOptions): Promise<OauthApp>;
  /**
   * Replace an app's secret; the former one keeps working for a while.
   *
   * `POST /user/oauth-apps/{app_id}/rotate`, with the scope `write:user`
   */
  rotateSecret(appId: string, input?: Overlap, options?: CallOptions): Promise<NewOauthApp>;
  /**
   * Delete an OAuth app and all of its tokens.
   *
   * `DELETE /user/oauth-apps/{app_id}`, with the scope `write:user`
   */
  delete(appId: string, options?: CallOptions): Promise<void>;
}

export interface AuthorizedAppsResource {
  /**
   * List the apps that you allowed to act for you.
   *
   * `GET /user/authorized-apps`, with the scope `read:user`
   */
  list(options?: CallOptions): List<AuthorizedApp, AuthorizedAppList>;
  /**
   * Revoke the access of an app; its tokens stop working at once.
   *
   * `DELETE /user/authorized-apps/{app_id}`, with the scope `write:user`
   */
  revoke(appId: string, options?: CallOptions): Promise<void>;
}

export interface AdminResource {
  /**
   * List and search accounts, newest first.
   *
   * `GET /admin/users`, for administrators
   */
  listUsers(query?: AdminUserQuery, options?: CallOptions): List<AdminUser, AdminUserList>;
  /**
   * Create an account, with a link to set its password.
   *
   * `POST /admin/users`, for administrators
   */
  createUser(input: CreateAccount, options?: CallOptions): Promise<CreatedAccount>;
  /**
   * Read an account.
   *
   * `GET /admin/users/{user_id}`, for administrators
   */
  getUser(userId: string, options?: CallOptions): Promise<AdminUser>;
  /**
   * Change an account's plan or rights, or suspend it.
   *
   * `PATCH /admin/users/{user_id}`, for administrators
   */
  updateUser(userId: string, input: PatchAdminUser, options?: CallOptions): Promise<AdminUser>;
  /**
   * Create a link to set a new password, to pass on to the user; requires your own password.
   *
   * `POST /admin/users/{user_id}/reset-link`, for administrators
   */
  createResetLink(userId: string, input: ConfirmWithPassword, options?: CallOptions): Promise<ResetLink>;
  /**
   * Remove the second factor of an account; requires your own password.
   *
   * `POST /admin/users/{user_id}/second-factor/remove`, for administrators
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  removeSecondFactor(userId: string, input: ConfirmWithPassword, options?: CallOptions): Promise<void>;
  /**
   * List the projects of all accounts, including deleted ones.
   *
   * `GET /admin/projects`, for administrators
   */
  listProjects(query?: AdminProjectQuery, options?: CallOptions): List<AdminProject, AdminProjectList>;
  /**
   * Restore a deleted project for its owner, within the owner's plan.
   *
   * `POST /admin/projects/{project_id}/restore`, for administrators
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  restoreProject(projectId: string, options?: CallOptions): Promise<Project>;
  /**
   * List the plans with their limits and numbers of accounts.
   *
   * `GET /admin/plans`, for administrators
   */
  listPlans(options?: CallOptions): List<AdminPlan, AdminPlanList>;
  /**
   * Read the health of the service.
   *
   * `GET /admin/health`, for administrators
   */
  health(options?: CallOptions): Promise<AdminHealth>;
  /**
   * List the daily usage of all accounts together; counted hourly.
   *
   * `GET /admin/usage/history`, for administrators
   */
  usageHistory(query?: UsageHistoryQuery, options?: CallOptions): Promise<InstallationUsageHistory>;
  /**
   * List the audit log of all accounts, newest first.
   *
   * `GET /admin/audit-log`, for administrators
   */
  auditLog(query?: AdminAuditQuery, options?: CallOptions): List<AuditEntry, AuditLog>;
}

export interface ProjectsResource {
  /**
   * List the projects that you own or collaborate on.
   *
   * `GET /projects`, with the scope `read:projects`
   */
  list(query?: ProjectListQuery, options?: CallOptions): List<ProjectListItem, ProjectList>;
  /**
   * Read a project.
   *
   * `GET /projects/{project_id}`, with the scope `read:projects`
   */
  get(projectId: string, options?: CallOptions): Promise<ProjectDetail>;
  /**
   * Create a project.
   *
   * `POST /projects`, with the scope `write:projects`
   */
  create(input: CreateProject, options?: CallOptions): Promise<Project>;
  /**
   * Replace a project; omitted fields return to their defaults.
   *
   * `PUT /projects/{project_id}`, with the scope `write:projects`
   */
  replace(projectId: string, input: ReplaceProject, options?: CallOptions): Promise<Project>;
  /**
   * Change parts of a project (RFC 7396).
   *
   * `PATCH /projects/{project_id}`, with the scope `write:projects`
   */
  update(projectId: string, input: PatchProject, options?: CallOptions): Promise<Project>;
  /**
   * Delete a project.
   *
   * `DELETE /projects/{project_id}`, with the scope `write:projects`
   */
  delete(projectId: string, options?: CallOptions): Promise<void>;
  /**
   * Restore a deleted project.
   *
   * `POST /projects/{project_id}/restore`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  restore(projectId: string, options?: CallOptions): Promise<Project>;
  /**
   * List your deleted projects, most recently deleted first, with the time when each is purged.
   *
   * `GET /user/trash`, with the scope `read:projects`
   */
  trash(query?: TrashQuery, options?: CallOptions): List<TrashedProject, Trash>;
  /**
   * Purge a deleted project before its time.
   *
   * `POST /projects/{project_id}/purge`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  purge(projectId: string, input: PurgeProject, options?: CallOptions): Promise<PurgeProjectAnswer>;
  /**
   * Star a project; nobody else sees it.
   *
   * `PUT /projects/{project_id}/star`, with the scope `write:user`
   */
  star(projectId: string, options?: CallOptions): Promise<void>;
  /**
   * Remove your star from a project.
   *
   * `DELETE /projects/{project_id}/star`, with the scope `write:user`
   */
  unstar(projectId: string, options?: CallOptions): Promise<void>;
  /**
   * List the ids of the projects that you starred.
   *
   * `GET /user/stars`, with the scope `read:projects`
   */
  stars(options?: CallOptions): List<string, Stars>;
  /**
   * Import from the repository again, in the background.
   *
   * `POST /projects/{project_id}/repository/sync`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  syncRepository(projectId: string, options?: CallOptions): Promise<SyncRepositoryAnswer>;
  /**
   * Download all files as an archive.
   *
   * `GET /projects/{project_id}/archive`, with the scope `read:files`
   */
  archive(projectId: string, query?: ArchiveQuery, options?: CallOptions): Promise<Response>;
}

export interface CollaboratorsResource {
  /**
   * List the collaborators of a project and, if you manage it, its invitations.
   *
   * `GET /projects/{project_id}/collaborators`, with the scope `read:projects`
   */
  list(projectId: string, options?: CallOptions): List<Collaborator, CollaboratorList>;
  /**
   * Invite someone to a project.
   *
   * `POST /projects/{project_id}/collaborators`, with the scope `write:projects`
   */
  invite(projectId: string, input: InviteCollaborator, options?: CallOptions): Promise<SentInvitation>;
  /**
   * Change the role or the permissions of a collaborator or an invitation.
   *
   * `PATCH /projects/{project_id}/collaborators/{collaborator_id}`, with the scope `write:projects`
   */
  update(
    projectId: string,
    collaboratorId: string,
    input: PatchCollaborator,
    options?: CallOptions,
  ): Promise<Collaborator>;
  /**
   * Remove a collaborator, withdraw an invitation, or leave a project.
   *
   * `DELETE /projects/{project_id}/collaborators/{collaborator_id}`, with the scope `write:projects`
   */
  remove(projectId: string, collaboratorId: string, options?: CallOptions): Promise<void>;
  /**
   * Send an invitation again, with a new link and a new expiry date.
   *
   * `POST /projects/{project_id}/collaborators/{collaborator_id}/resend`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  resendInvitation(projectId: string, collaboratorId: string, options?: CallOptions): Promise<SentInvitation>;
  /**
   * Accept an invitation.
   *
   * `POST /projects/{project_id}/collaborators/{collaborator_id}/accept`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  accept(projectId: string, collaboratorId: string, options?: CallOptions): Promise<Collaborator>;
  /**
   * Decline an invitation.
   *
   * `POST /projects/{project_id}/collaborators/{collaborator_id}/decline`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  decline(projectId: string, collaboratorId: string, options?: CallOptions): Promise<void>;
}

export interface NotificationsResource {
  /**
   * List your notifications, newest first.
   * Each requires the scope to read its subject. Notifications about projects that you can no longer see are omitted.
   *
   * `GET /notifications`
   */
  list(query?: NotificationQuery, options?: CallOptions): List<NotificationList['data'][number], NotificationList>;
  /**
   * Mark notifications as read, by id or all.
   *
   * `POST /notifications/read`, with the scope `write:user`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  markRead(input: ReadNotifications, options?: CallOptions): Promise<NotificationsRead>;
}

export interface InvitationsResource {
  /**
   * List your open invitations.
   *
   * `GET /user/invitations`, with the scope `read:projects`
   */
  list(options?: CallOptions): List<Invitation, InvitationList>;
  /**
   * Read an invitation by its link.
   *
   * `GET /invitations/{token}`, with the scope `read:projects`
   */
  get(token: string, options?: CallOptions): Promise<Invitation>;
  /**
   * Preview an invitation before signing in: the project and the inviter.
   *
   * `GET /invitations/{token}/preview`
   */
  preview(token: string, options?: CallOptions): Promise<InvitationPreview>;
  /**
   * Accept an invitation by its link.
   *
   * `POST /invitations/{token}/accept`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  accept(token: string, options?: CallOptions): Promise<Collaborator>;
  /**
   * Decline an invitation by its link.
   *
   * `POST /invitations/{token}/decline`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  decline(token: string, options?: CallOptions): Promise<void>;
}

export interface TransfersResource {
  /**
   * List the projects that are offered to you.
   *
   * `GET /user/transfers`, with the scope `read:projects`
   */
  list(options?: CallOptions): List<Transfer, TransferList>;
  /**
   * Offer a project to a new owner, who must accept it.
   *
   * `POST /projects/{project_id}/transfer`, with the scope `write:projects`
   */
  create(projectId: string, input: CreateTransfer, options?: CallOptions): Promise<Transfer>;
  /**
   * Read the pending transfer of a project.
   *
   * `GET /projects/{project_id}/transfer`, with the scope `read:projects`
   */
  get(projectId: string, options?: CallOptions): Promise<Transfer>;
  /**
   * Withdraw the transfer of a project.
   *
   * `DELETE /projects/{project_id}/transfer`, with the scope `write:projects`
   */
  cancel(projectId: string, options?: CallOptions): Promise<void>;
  /**
   * Accept a project that is offered to you.
   *
   * `POST /projects/{project_id}/transfer/accept`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  accept(projectId: string, options?: CallOptions): Promise<Project>;
  /**
   * Decline a project that is offered to you.
   *
   * `POST /projects/{project_id}/transfer/decline`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  decline(projectId: string, options?: CallOptions): Promise<void>;
}

export interface FilesResource {
  /**
   * List files and directories.
   *
   * `GET /projects/{project_id}/files`, with the scope `read:files`
   */
  list(projectId: string, query?: FileListQuery, options?: CallOptions): List<File, FileList>;
  /**
   * Read the content of a file as stored.
   * Sends the event `file.downloaded`, unless a dashboard session reads it without `download=true`.
   *
   * `GET /projects/{project_id}/files/{file_id}/content`, with the scope `read:files`
   */
  read(projectId: string, fileId: string, query?: FileContentQuery, options?: CallOptions): Promise<Response>;
  /**
   * Move or rename a file or directory; it keeps its id.
   *
   * `POST /projects/{project_id}/files/{file_id}/move`, with the scope `write:files`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  move(projectId: string, fileId: string, input: MoveFile, options?: CallOptions): Promise<WrittenFile>;
  /**
   * Delete a file, or a directory with everything in it.
   *
   * `DELETE /projects/{project_id}/files/{file_id}`, with the scope `write:files`
   */
  delete(projectId: string, fileId: string, query?: DeleteFileQuery, options?: CallOptions): Promise<void>;
  /**
   * Find text in the files of a project.
   *
   * `GET /projects/{project_id}/search`, with the scope `read:files`
   */
  search(projectId: string, query: SearchQuery, options?: CallOptions): Promise<SearchResults>;
  /**
   * Create a link that shows a file to anyone until it expires.
   *
   * `POST /projects/{project_id}/files/{file_id}/share`, with the scope `write:files`
   */
  share(projectId: string, fileId: string, input?: CreateShareLink, options?: CallOptions): Promise<ShareLink>;
}

export interface CommitsResource {
  /**
   * List commits, newest first.
   *
   * `GET /projects/{project_id}/commits`, with the scope `read:files`
   */
  list(projectId: string, query?: CommitListQuery, options?: CallOptions): List<Commit, CommitList>;
  /**
   * Read a commit with its changes.
   *
   * `GET /projects/{project_id}/commits/{sha}`, with the scope `read:files`
   */
  get(projectId: string, sha: string, query?: CommitQuery, options?: CallOptions): Promise<CommitDetail>;
  /**
   * Make several changes in one commit: all or nothing.
   *
   * `POST /projects/{project_id}/commits`, with the scope `write:files`
   */
  create(projectId: string, input: CreateCommit, options?: CallOptions): Promise<Commit>;
}

export interface BranchesResource {
  /**
   * List branches.
   *
   * `GET /projects/{project_id}/branches`, with the scope `read:files`
   */
  list(projectId: string, options?: CallOptions): List<Branch, BranchList>;
  /**
   * Create a branch.
   *
   * `POST /projects/{project_id}/branches`, with the scope `write:files`
   */
  create(projectId: string, input: CreateBranch, options?: CallOptions): Promise<Branch>;
  /**
   * Delete a branch.
   *
   * `DELETE /projects/{project_id}/branches/{branch}`, with the scope `write:files`
   */
  delete(projectId: string, branch: string, options?: CallOptions): Promise<void>;
  /**
   * Compare two branches, tags or commits.
   * Shows what `head` has that `base` lacks: counts, commits, and the files that changed since their newest common commit. Also shows whether a merge would have conflicts.
   *
   * `GET /projects/{project_id}/compare`, with the scope `read:files`
   */
  compare(projectId: string, query: CompareQuery, options?: CallOptions): Promise<Comparison>;
  /**
   * Merge a branch into another.
   * Merges `source` into the branch `target` with git's own algorithm, and returns the new commit of `target`. Conflicts cause a 409 with both sides and the base. Send the request again with `resolutions`, and with `source_sha` and `target_sha` so that they apply to the same commits.
   *
   * `POST /projects/{project_id}/merges`, with the scope `write:files`
   */
  merge(projectId: string, input: CreateMerge, options?: CallOptions): Promise<Commit>;
}

export interface TemplatesResource {
  /**
   * List the templates that a project can start with.
   *
   * `GET /templates`
   */
  list(query?: TemplateListQuery, options?: CallOptions): List<Template, TemplateList>;
  /**
   * Read a template.
   *
   * `GET /templates/{template_id}`
   */
  get(templateId: string, options?: CallOptions): Promise<Template>;
  /**
   * Publish the current files of a project as a template.
   *
   * `POST /templates`, with the scope `write:projects`
   */
  publish(input: PublishTemplate, options?: CallOptions): Promise<Template>;
  /**
   * Publish a new version of a template, with the current files of its project.
   *
   * `POST /templates/{template_id}/versions`, with the scope `write:projects`
   */
  publishVersion(templateId: string, input?: PublishAnew, options?: CallOptions): Promise<Template>;
  /**
   * Change the details of a template (RFC 7396), not its files.
   *
   * `PATCH /templates/{template_id}`, with the scope `write:projects`
   */
  update(templateId: string, input: PatchTemplate, options?: CallOptions): Promise<Template>;
  /**
   * Withdraw a template.
   *
   * `DELETE /templates/{template_id}`, with the scope `write:projects`
   */
  delete(templateId: string, options?: CallOptions): Promise<void>;
}

export interface DeploymentsResource {
  /**
   * List the deployments of a project, newest first.
   * Needs the scope `read:deployments`. Users who are not members of a public project see only its live deployment, without its settings.
   *
   * `GET /projects/{project_id}/deployments`, with the scope `read:deployments`
   */
  list(projectId: string, query?: DeploymentListQuery, options?: CallOptions): List<Deployment, DeploymentList>;
  /**
   * List the environments of a project with the latest deployment of each.
   * Needs the scope `read:deployments`. `production` comes first, then the most recently deployed; at most 100. Only for members of the project; on a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/environments`, with the scope `read:deployments`
   */
  environments(projectId: string, options?: CallOptions): List<Environment, EnvironmentList>;
  /**
   * Deploy a branch.
   *
   * `POST /projects/{project_id}/deployments`, with the scope `write:deployments`
   */
  create(projectId: string, input: CreateDeployment, options?: CallOptions): Promise<Deployment>;
  /**
   * Read a deployment.
   * Needs the scope `read:deployments`. Users who are not members of a public project see only its live deployment, without its settings.
   *
   * `GET /projects/{project_id}/deployments/{deployment_id}`, with the scope `read:deployments`
   */
  get(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
  /**
   * Read the log; with `Accept: text/event-stream`, follow it.
   * Needs the scope `read:deployments`. As server-sent events, each line is a `log` event whose id is its `seq`; `Last-Event-ID` resumes after it, and an `end` event with the status comes last. With `source=runtime` there is no `end` while the deployment is a server app that can run. Only for members of the project; on a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/deployments/{deployment_id}/logs`, with the scope `read:deployments`
   */
  logs(
    projectId: string,
    deploymentId: string,
    query?: DeploymentLogsQuery,
    options?: CallOptions,
  ): Promise<DeploymentLogs>;
  /**
   * List the files that a deployment serves.
   * Needs the scope `read:deployments`. Only for members of the project; on a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/deployments/{deployment_id}/artifacts`, with the scope `read:deployments`
   */
  artifacts(
    projectId: string,
    deploymentId: string,
    options?: CallOptions,
  ): List<DeploymentArtifacts['artifacts'][number], DeploymentArtifacts>;
  /**
   * Deploy the same commit again with the same settings.
   *
   * `POST /projects/{project_id}/deployments/{deployment_id}/redeploy`, with the scope `write:deployments`
   */
  redeploy(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
  /**
   * Cancel a deployment; responds once everything has stopped.
   *
   * `POST /projects/{project_id}/deployments/{deployment_id}/cancel`, with the scope `write:deployments`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  cancel(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
  /**
   * Make a successful deployment the live one.
   * Needs the scope `write:deployments`. Responds with 409 if it did not succeed or its files were purged.
   *
   * `POST /projects/{project_id}/deployments/{deployment_id}/promote`, with the scope `write:deployments`
   */
  promote(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
  /**
   * Go back to an earlier successful deployment.
   * Needs the scope `write:deployments`. Responds with 409 if it did not succeed or its files were purged.
   *
   * `POST /projects/{project_id}/deployments/{deployment_id}/rollback`, with the scope `write:deployments`
   */
  rollback(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
}

export interface VariablesResource {
  /**
   * List the variables of a project, by name.
   * Needs the scope `read:deployments`. Secret values are never shown; other values are shown to users who can change them. Only for members of the project; on a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/variables`, with the scope `read:deployments`
   */
  list(projectId: string, options?: CallOptions): List<Variable, VariableList>;
  /**
   * Set a variable for some environments, or for all.
   * Needs the scope `write:deployments`. A name has one value in each environment: the new value replaces the former one in the named environments. It takes effect with the next deployment.
   *
   * `PUT /projects/{project_id}/variables/{name}`, with the scope `write:deployments`
   */
  set(projectId: string, name: string, input: PutVariable, options?: CallOptions): Promise<Variable>;
  /**
   * Delete a variable, or its value in some environments.
   *
   * `DELETE /projects/{project_id}/variables/{name}`, with the scope `write:deployments`
   */
  delete(projectId: string, name: string, query?: DeleteVariableQuery, options?: CallOptions): Promise<void>;
}

export interface DomainsResource {
  /**
   * List the domains of a project.
   * Needs the scope `read:projects`. Users who are not members of a public project see the names and states of its verified and active domains.
   *
   * `GET /projects/{project_id}/domains`, with the scope `read:projects`
   */
  list(projectId: string, options?: CallOptions): List<Domain, DomainList>;
  /**
   * Add a domain; the response has the DNS records to set.
   * Needs the scope `write:projects` and the permission manage. The service checks the domain from now on, and serves it once it is verified. Several projects can add the same domain: it belongs to the one whose proof is found.
   *
   * `POST /projects/{project_id}/domains`, with the scope `write:projects`
   */
  add(projectId: string, input: AddDomain, options?: CallOptions): Promise<Domain>;
  /**
   * Read a domain.
   * Identify the domain by its name or its id. Needs the scope `read:projects`. Users who are not members of a public project see the names and states of its verified and active domains.
   *
   * `GET /projects/{project_id}/domains/{domain}`, with the scope `read:projects`
   */
  get(projectId: string, domain: string, options?: CallOptions): Promise<Domain>;
  /**
   * Change the redirect of a domain.
   * Identify the domain by its name or its id. Needs the scope `write:projects` and the permission manage.
   *
   * `PATCH /projects/{project_id}/domains/{domain}`, with the scope `write:projects`
   */
  update(projectId: string, domain: string, input: PatchDomain, options?: CallOptions): Promise<Domain>;
  /**
   * Remove a domain; it is no longer served.
   * Identify the domain by its name or its id. Needs the scope `write:projects` and the permission manage.
   *
   * `DELETE /projects/{project_id}/domains/{domain}`, with the scope `write:projects`
   */
  remove(projectId: string, domain: string, options?: CallOptions): Promise<void>;
  /**
   * Check a domain now.
   * Identify the domain by its name or its id. Needs the scope `write:projects` and the permission manage. At most 60 checks an hour per project.
   *
   * `POST /projects/{project_id}/domains/{domain}/verify`, with the scope `write:projects`
   */
  verify(projectId: string, domain: string, options?: CallOptions): Promise<Domain>;
}

export interface WebhooksResource {
  /**
   * List your webhooks and those of the projects that you manage.
   *
   * `GET /webhooks`, with the scope `read:webhooks`
   */
  list(query?: WebhookListQuery, options?: CallOptions): List<ListedWebhook, WebhookList>;
  /**
   * Create a webhook.
   *
   * `POST /webhooks`, with the scope `write:webhooks`
   */
  create(input: CreateCoreWebhook, options?: CallOptions): Promise<CreatedWebhook>;
  /**
   * Read a webhook with its recent deliveries.
   *
   * `GET /webhooks/{webhook_id}`, with the scope `read:webhooks`
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Change a webhook; omitted fields stay as they are. `active: true` enables a disabled webhook again.
   *
   * `PUT /webhooks/{webhook_id}`, with the scope `write:webhooks`
   */
  update(webhookId: string, input: UpdateWebhook, options?: CallOptions): Promise<UpdatedWebhook>;
  /**
   * Delete a webhook.
   *
   * `DELETE /webhooks/{webhook_id}`, with the scope `write:webhooks`
   */
  delete(webhookId: string, options?: CallOptions): Promise<void>;
  /**
   * Replace the secret; deliveries are also signed with the former one for a while.
   *
   * `POST /webhooks/{webhook_id}/rotate-secret`, with the scope `write:webhooks`
   */
  rotateSecret(webhookId: string, input?: RotateSecret, options?: CallOptions): Promise<RotatedSecret>;
  /**
   * Send a test now, in one attempt, and return its result.
   *
   * `POST /webhooks/{webhook_id}/test`, with the scope `write:webhooks`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  test(webhookId: string, input?: TestWebhook, options?: CallOptions): Promise<TestedWebhook>;
  /**
   * List every event that can be sent, with a JSON Schema and an example for each format.
   *
   * `GET /webhooks/event-types`, with the scope `read:webhooks`
   */
  eventTypes(options?: CallOptions): List<EventTypeList['event_types'][number], EventTypeList>;
  /**
   * List the events that were sent to a webhook, newest first.
   *
   * `GET /webhooks/{webhook_id}/events`, with the scope `read:webhooks`
   */
  events(webhookId: string, query?: OffsetQuery, options?: CallOptions): List<EventLog['events'][number], EventLog>;
  /**
   * Read the statistics of a period up to now, or between two dates.
   *
   * `GET /webhooks/{webhook_id}/stats`, with the scope `read:webhooks`
   */
  stats(webhookId: string, query?: WebhookStatsQuery, options?: CallOptions): Promise<WebhookStats>;
  /**
   * Retry failed deliveries that have not succeeded since.
   *
   * `POST /webhooks/{webhook_id}/redeliver-failed`, with the scope `write:webhooks`
   */
  redeliverFailed(webhookId: string, input?: RedeliverFailed, options?: CallOptions): Promise<ScheduledDeliveries>;
  /**
   * Deliver every event of a period that was not delivered.
   *
   * `POST /webhooks/{webhook_id}/recover`, with the scope `write:webhooks`
   */
  recover(webhookId: string, input: RecoverWebhook, options?: CallOptions): Promise<ScheduledDeliveries>;
}

export interface DeliveriesResource {
  /**
   * List deliveries, newest first.
   *
   * `GET /webhooks/{webhook_id}/deliveries`, with the scope `read:webhooks`
   */
  list(webhookId: string, query?: DeliveryListQuery, options?: CallOptions): List<Delivery, DeliveryList>;
  /**
   * Read a delivery with all of its attempts.
   *
   * `GET /webhooks/{webhook_id}/deliveries/{delivery_id}`, with the scope `read:webhooks`
   */
  get(webhookId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryDetail>;
  /**
   * Send a delivery again.
   *
   * `POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`, with the scope `write:webhooks`
   */
  redeliver(webhookId: string, deliveryId: string, options?: CallOptions): Promise<Redelivery>;
}

export interface SessionsResource {
  /**
   * List the open sessions that you are in or that belong to your projects.
   *
   * `GET /collaboration/sessions`, with the scope `read:collaboration`
   */
  list(query?: SessionListQuery, options?: CallOptions): List<Session, SessionList>;
  /**
   * Start a session.
   *
   * `POST /collaboration/sessions`, with the scope `write:collaboration`
   */
  create(input: CreateSession, options?: CallOptions): Promise<Session>;
  /**
   * Read a session.
   *
   * `GET /collaboration/sessions/{session_id}`, with the scope `read:collaboration`
   */
  get(sessionId: string, options?: CallOptions): Promise<Session>;
  /**
   * End a session.
   *
   * `DELETE /collaboration/sessions/{session_id}`, with the scope `write:collaboration`
   */
  end(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * Extend a session.
   *
   * `POST /collaboration/sessions/{session_id}/extend`, with the scope `write:collaboration`
   */
  extend(sessionId: string, input?: ExtendSession, options?: CallOptions): Promise<Session>;
  /**
   * Replace the invite link; the former one stops working.
   *
   * `POST /collaboration/sessions/{session_id}/invite/rotate`, with the scope `write:collaboration`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  rotateInvite(sessionId: string, options?: CallOptions): Promise<Session>;
  /**
   * Get a ticket that opens one WebSocket to this session within a minute.
   *
   * `POST /collaboration/sessions/{session_id}/ticket`, with the scope `read:collaboration`
   */
  createTicket(sessionId: string, options?: CallOptions): Promise<SocketTicket>;
  /**
   * List the files that participants of a session can open, including guests.
   *
   * `GET /collaboration/sessions/{session_id}/files`, with the scope `read:collaboration`
   */
  files(sessionId: string, query?: SessionFileQuery, options?: CallOptions): List<SessionFile, SessionFileList>;
  /**
   * Preview an invite link before signing in: the session, its project and its host.
   *
   * `POST /collaboration/sessions/{session_id}/preview`
   */
  preview(sessionId: string, input: PreviewSession, options?: CallOptions): Promise<SessionPreview>;
}

export interface ParticipantsResource {
  /**
   * Join a session; users who can read its project need no invite token.
   *
   * `POST /collaboration/sessions/{session_id}/join`, with the scope `write:collaboration`
   */
  join(sessionId: string, input?: JoinSession, options?: CallOptions): Promise<JoinedSession>;
  /**
   * Leave a session; closes your sockets.
   *
   * `POST /collaboration/sessions/{session_id}/leave`, with the scope `write:collaboration`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  leave(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * List the participants of a session.
   *
   * `GET /collaboration/sessions/{session_id}/participants`, with the scope `read:collaboration`
   */
  list(sessionId: string, options?: CallOptions): List<Participant, ParticipantList>;
  /**
   * Change what a participant may do in a session.
   *
   * `PUT /collaboration/sessions/{session_id}/participants/{user_id}`, with the scope `write:collaboration`
   */
  update(sessionId: string, userId: string, input: UpdateParticipant, options?: CallOptions): Promise<Participant>;
  /**
   * Remove a participant from a session, or leave it; closes their sockets.
   *
   * `DELETE /collaboration/sessions/{session_id}/participants/{user_id}`, with the scope `write:collaboration`
   */
  remove(sessionId: string, userId: string, options?: CallOptions): Promise<void>;
}

export interface ProjectCommentsResource {
  /**
   * List the comments on the files of a project, oldest first.
   *
   * `GET /projects/{project_id}/comments`, with the scope `read:collaboration`
   */
  list(projectId: string, query?: ProjectCommentQuery, options?: CallOptions): List<ProjectComment, ProjectCommentList>;
  /**
   * Comment on a place in a file.
   *
   * `POST /projects/{project_id}/comments`, with the scope `write:collaboration`
   */
  create(projectId: string, input: CreateComment, options?: CallOptions): Promise<ProjectComment>;
  /**
   * Read a comment.
   *
   * `GET /projects/{project_id}/comments/{comment_id}`, with the scope `read:collaboration`
   */
  get(projectId: string, commentId: string, options?: CallOptions): Promise<ProjectComment>;
  /**
   * Change your own comment, or resolve any comment.
   *
   * `PATCH /projects/{project_id}/comments/{comment_id}`, with the scope `write:collaboration`
   */
  update(projectId: string, commentId: string, input: UpdateComment, options?: CallOptions): Promise<ProjectComment>;
  /**
   * Delete a comment and its replies.
   *
   * `DELETE /projects/{project_id}/comments/{comment_id}`, with the scope `write:collaboration`
   */
  delete(projectId: string, commentId: string, options?: CallOptions): Promise<void>;
}

export interface CommentsResource {
  /**
   * List the comments of a session, oldest first.
   *
   * `GET /collaboration/sessions/{session_id}/comments`, with the scope `read:collaboration`
   */
  list(sessionId: string, query?: CommentQuery, options?: CallOptions): List<SessionComment, SessionCommentList>;
  /**
   * Comment on a place in a file.
   *
   * `POST /collaboration/sessions/{session_id}/comments`, with the scope `write:collaboration`
   */
  create(sessionId: string, input: CreateComment, options?: CallOptions): Promise<SessionComment>;
  /**
   * Read a comment.
   *
   * `GET /collaboration/sessions/{session_id}/comments/{comment_id}`, with the scope `read:collaboration`
   */
  get(sessionId: string, commentId: string, options?: CallOptions): Promise<SessionComment>;
  /**
   * Change your own comment, or resolve any comment.
   *
   * `PATCH /collaboration/sessions/{session_id}/comments/{comment_id}`, with the scope `write:collaboration`
   */
  update(sessionId: string, commentId: string, input: UpdateComment, options?: CallOptions): Promise<SessionComment>;
  /**
   * Delete a comment and its replies.
   *
   * `DELETE /collaboration/sessions/{session_id}/comments/{comment_id}`, with the scope `write:collaboration`
   */
  delete(sessionId: string, commentId: string, options?: CallOptions): Promise<void>;
  /**
   * Apply the suggestion of a comment to the file.
   *
   * `POST /collaboration/sessions/{session_id}/comments/{comment_id}/apply`, with the scope `write:collaboration`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  applySuggestion(sessionId: string, commentId: string, options?: CallOptions): Promise<SessionComment>;
}
