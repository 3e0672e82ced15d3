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
  ApplySuggestions,
  ArchiveQuery,
  AuditEntry,
  AuditLog,
  AuditQuery,
  AuthorizedApp,
  AuthorizedAppList,
  Branch,
  BranchList,
  BranchRule,
  BranchRuleList,
  ChangeBranchRule,
  ChangeCheckRun,
  ChangeMergeRequest,
  ChangeReviewComment,
  ChangeThread,
  ChangeWorkspacePort,
  CheckAnnotation,
  CheckAnnotationList,
  CheckRun,
  CheckRunList,
  CheckRunQuery,
  Collaborator,
  CollaboratorList,
  CommandInput,
  CommandOutput,
  CommandOutputQuery,
  CommandSignal,
  CommentQuery,
  Commit,
  CommitChecks,
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
  CreateBranchRule,
  CreateCheckRun,
  CreateComment,
  CreateCommit,
  CreateCoreWebhook,
  CreateDeployment,
  CreatedAccount,
  CreatedWebhook,
  CreateMerge,
  CreateMergeRequest,
  CreateOauthApp,
  CreatePortTicket,
  CreateProject,
  CreateReply,
  CreateService,
  CreateServiceAccount,
  CreateSession,
  CreateShareLink,
  CreateSnapshot,
  CreateThread,
  CreateTransfer,
  CreateWorkspace,
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
  ForkProject,
  ForkWorkspace,
  InstallationUsageHistory,
  Invitation,
  InvitationList,
  InvitationPreview,
  InviteCollaborator,
  JoinedSession,
  JoinSession,
  ListedWebhook,
  MarkViewed,
  MergeMergeRequest,
  MergeQueue,
  MergeQueueQuery,
  MergeReadiness,
  MergeRequest,
  MergeRequestDiff,
  MergeRequestDiffQuery,
  MergeRequestList,
  MergeRequestQuery,
  MergeRequestVersion,
  MergeRequestVersionList,
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
  OpenTerminal,
  Overlap,
  OwnMergeRequestQuery,
  Participant,
  ParticipantList,
  PatchAdminUser,
  PatchCollaborator,
  PatchDomain,
  PatchOauthApp,
  PatchProject,
  PatchTemplate,
  PatchUser,
  PortTicket,
  PreviewSession,
  ProblemsQuery,
  ProcessSignal,
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
  QueueMergeRequest,
  ReadNotifications,
  RecoverWebhook,
  RedeliverFailed,
  Redelivery,
  ReplaceProject,
  RequestCheck,
  RequestChecks,
  ResetLink,
  Review,
  ReviewComment,
  ReviewList,
  ReviewThread,
  ReviewThreadList,
  RotatedSecret,
  RotateSecret,
  RunChecks,
  RunCommand,
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
  StartRequestChecks,
  SubmitReview,
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
  ViewedFiles,
  Webhook,
  WebhookList,
  WebhookListQuery,
  WebhookStats,
  WebhookStatsQuery,
  Workspace,
  WorkspaceAgent,
  WorkspaceAgentList,
  WorkspaceCommand,
  WorkspaceCommandList,
  WorkspaceCommandResult,
  WorkspaceList,
  WorkspacePort,
  WorkspacePortList,
  WorkspaceProblemList,
  WorkspaceProcess,
  WorkspaceProcessList,
  WorkspaceSnapshot,
  WorkspaceSnapshotList,
  WorkspaceTerminal,
  WorkspaceTerminalList,
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
   * Read your usage of requests, projects and storage, and your plan's limits.
   *
   * `GET /user/usage`, with the scope `read:user`
   */
  usage(options?: CallOptions): Promise<Usage>;
  /**
   * List your account's daily usage: deployments, build time, projects and stored bytes.
   *
   * `GET /user/usage/history`, with the scope `read:user`
   */
  usageHistory(query?: UsageHistoryQuery, options?: CallOptions): Promise<UsageHistory>;
  /**
   * List your account's audit log entries, newest first.
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
   * Replace an API key; the previous key keeps working for a while.
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
   * Replace a service's key; the previous key keeps working for a while.
   *
   * `POST /user/services/{service_id}/rotate`, with the scope `write:user`
   */
  rotate(serviceId: string, input?: Overlap, options?: CallOptions): Promise<NewService>;
  /**
   * Delete a service.
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
   * Create a service account for the JWTs of your services.
   *
   * `POST /user/service-accounts`, with the scope `write:user`
   */
  create(input: CreateServiceAccount, options?: CallOptions): Promise<ServiceAccount>;
  /**
   * Delete a service account; its JWTs stop working immediately.
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
   * Change an OAuth app's name or redirect URIs.
   *
   * `PATCH /user/oauth-apps/{app_id}`, with the scope `write:user`
   */
  update(appId: string, input: PatchOauthApp, options?: CallOptions): Promise<OauthApp>;
  /**
   * Replace an app's secret; the previous secret keeps working for a while.
   *
   * `POST /user/oauth-apps/{app_id}/rotate`, with the scope `write:user`
   */
  rotateSecret(appId: string, input?: Overlap, options?: CallOptions): Promise<NewOauthApp>;
  /**
   * Delete an OAuth app and revoke all its tokens.
   *
   * `DELETE /user/oauth-apps/{app_id}`, with the scope `write:user`
   */
  delete(appId: string, options?: CallOptions): Promise<void>;
}

export interface AuthorizedAppsResource {
  /**
   * List the apps that you authorized to act for you.
   *
   * `GET /user/authorized-apps`, with the scope `read:user`
   */
  list(options?: CallOptions): List<AuthorizedApp, AuthorizedAppList>;
  /**
   * Revoke an app's access; its tokens stop working immediately.
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
   * Create an account and a link to set its password.
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
   * Create a password reset link for a user; requires your own password.
   *
   * `POST /admin/users/{user_id}/reset-link`, for administrators
   */
  createResetLink(userId: string, input: ConfirmWithPassword, options?: CallOptions): Promise<ResetLink>;
  /**
   * Remove an account's second factor; requires your own password.
   *
   * `POST /admin/users/{user_id}/second-factor/remove`, for administrators
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  removeSecondFactor(userId: string, input: ConfirmWithPassword, options?: CallOptions): Promise<void>;
  /**
   * List all projects of all accounts, including deleted projects.
   *
   * `GET /admin/projects`, for administrators
   */
  listProjects(query?: AdminProjectQuery, options?: CallOptions): List<AdminProject, AdminProjectList>;
  /**
   * Restore a deleted project for its owner, within the limits of the owner's plan.
   *
   * `POST /admin/projects/{project_id}/restore`, for administrators
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  restoreProject(projectId: string, options?: CallOptions): Promise<Project>;
  /**
   * List the plans with their limits and the number of accounts on each plan.
   *
   * `GET /admin/plans`, for administrators
   */
  listPlans(options?: CallOptions): List<AdminPlan, AdminPlanList>;
  /**
   * Read the service's health.
   *
   * `GET /admin/health`, for administrators
   */
  health(options?: CallOptions): Promise<AdminHealth>;
  /**
   * List the total daily usage of all accounts, updated hourly.
   *
   * `GET /admin/usage/history`, for administrators
   */
  usageHistory(query?: UsageHistoryQuery, options?: CallOptions): Promise<InstallationUsageHistory>;
  /**
   * List the audit log entries of all accounts, newest first.
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
   * Fork a project: copy its branches and tags, with their history, into a private project of your own.
   * Everyone who can read the project can call this route. To offer the changes of the fork to the project, create a merge request with `source_project`.
   *
   * `POST /projects/{project_id}/fork`, with the scope `write:projects`
   */
  fork(projectId: string, input: ForkProject, options?: CallOptions): Promise<Project>;
  /**
   * Replace a project; omitted fields are reset to their defaults.
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
   * List your deleted projects and their purge times, most recently deleted first.
   *
   * `GET /user/trash`, with the scope `read:projects`
   */
  trash(query?: TrashQuery, options?: CallOptions): List<TrashedProject, Trash>;
  /**
   * Purge a deleted project before its scheduled time.
   *
   * `POST /projects/{project_id}/purge`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  purge(projectId: string, input: PurgeProject, options?: CallOptions): Promise<PurgeProjectAnswer>;
  /**
   * Star a project; only you can see the star.
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
   * Import from the project's repository again, in the background.
   *
   * `POST /projects/{project_id}/repository/sync`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  syncRepository(projectId: string, options?: CallOptions): Promise<SyncRepositoryAnswer>;
  /**
   * Download all of a project's files as an archive.
   *
   * `GET /projects/{project_id}/archive`, with the scope `read:files`
   */
  archive(projectId: string, query?: ArchiveQuery, options?: CallOptions): Promise<Response>;
}

export interface CollaboratorsResource {
  /**
   * List a project's collaborators and, if you manage the project, its invitations.
   *
   * `GET /projects/{project_id}/collaborators`, with the scope `read:projects`
   */
  list(projectId: string, options?: CallOptions): List<Collaborator, CollaboratorList>;
  /**
   * Invite a user to a project.
   *
   * `POST /projects/{project_id}/collaborators`, with the scope `write:projects`
   */
  invite(projectId: string, input: InviteCollaborator, options?: CallOptions): Promise<SentInvitation>;
  /**
   * Change a collaborator's or an invitation's role or permissions.
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
   * To see a notification, you need the scope for reading what it is about. Notifications about projects that you can no longer see are omitted.
   *
   * `GET /notifications`
   */
  list(query?: NotificationQuery, options?: CallOptions): List<NotificationList['data'][number], NotificationList>;
  /**
   * Mark some or all notifications as read.
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
   * Read an invitation with the token from its link.
   *
   * `GET /invitations/{token}`, with the scope `read:projects`
   */
  get(token: string, options?: CallOptions): Promise<Invitation>;
  /**
   * Preview the project and the inviter of an invitation before you sign in.
   *
   * `GET /invitations/{token}/preview`
   */
  preview(token: string, options?: CallOptions): Promise<InvitationPreview>;
  /**
   * Accept an invitation with the token from its link.
   *
   * `POST /invitations/{token}/accept`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  accept(token: string, options?: CallOptions): Promise<Collaborator>;
  /**
   * Decline an invitation with the token from its link.
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
   * Read a project's pending transfer.
   *
   * `GET /projects/{project_id}/transfer`, with the scope `read:projects`
   */
  get(projectId: string, options?: CallOptions): Promise<Transfer>;
  /**
   * Withdraw a project's pending transfer.
   *
   * `DELETE /projects/{project_id}/transfer`, with the scope `write:projects`
   */
  cancel(projectId: string, options?: CallOptions): Promise<void>;
  /**
   * Accept the transfer of a project to you.
   *
   * `POST /projects/{project_id}/transfer/accept`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  accept(projectId: string, options?: CallOptions): Promise<Project>;
  /**
   * Decline the transfer of a project to you.
   *
   * `POST /projects/{project_id}/transfer/decline`, with the scope `write:projects`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  decline(projectId: string, options?: CallOptions): Promise<void>;
}

export interface FilesResource {
  /**
   * List a project's files and directories.
   *
   * `GET /projects/{project_id}/files`, with the scope `read:files`
   */
  list(projectId: string, query?: FileListQuery, options?: CallOptions): List<File, FileList>;
  /**
   * Read a file's stored content.
   * Emits a `file.downloaded` event, unless a dashboard session reads the file without `download=true`.
   *
   * `GET /projects/{project_id}/files/{file_id}/content`, with the scope `read:files`
   */
  read(projectId: string, fileId: string, query?: FileContentQuery, options?: CallOptions): Promise<Response>;
  /**
   * Move or rename a file or directory and keep its id.
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
   * Search for text in a project's files.
   *
   * `GET /projects/{project_id}/search`, with the scope `read:files`
   */
  search(projectId: string, query: SearchQuery, options?: CallOptions): Promise<SearchResults>;
  /**
   * Create a link that anyone can use to read a file until the link expires.
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
   * Read a commit and its changes.
   *
   * `GET /projects/{project_id}/commits/{sha}`, with the scope `read:files`
   */
  get(projectId: string, sha: string, query?: CommitQuery, options?: CallOptions): Promise<CommitDetail>;
  /**
   * Apply several changes in one atomic commit.
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
   * Read a branch.
   *
   * `GET /projects/{project_id}/branches/{branch}`, with the scope `read:files`
   */
  get(projectId: string, branch: string, options?: CallOptions): Promise<Branch>;
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
   * Returns the commits in `head` that are not in `base`, the number of commits on each side, and the files that changed since the newest common commit. Also reports whether a merge would cause conflicts.
   *
   * `GET /projects/{project_id}/compare`, with the scope `read:files`
   */
  compare(projectId: string, query: CompareQuery, options?: CallOptions): Promise<Comparison>;
  /**
   * Merge a branch into another.
   * Merges `source` into the branch `target` with git's own algorithm and returns the new commit on `target`. If there are conflicts, the response is a 409 with both sides and the base of each conflict. To resolve them, send the request again with `resolutions`. Also send `source_sha` and `target_sha` to apply the resolutions to the same commits.
   *
   * `POST /projects/{project_id}/merges`, with the scope `write:files`
   */
  merge(projectId: string, input: CreateMerge, options?: CallOptions): Promise<Commit>;
}

export interface MergeRequestsResource {
  /**
   * List a project's merge requests, newest first.
   *
   * `GET /projects/{project_id}/merge-requests`, with the scope `read:files`
   */
  list(projectId: string, query?: MergeRequestQuery, options?: CallOptions): List<MergeRequest, MergeRequestList>;
  /**
   * Open a merge request: offer the changes of a branch for another branch.
   * Members who can edit the project can call this route. With `source_project`, everyone who can read the project and edit the fork can call this route too. `git push origin HEAD:refs/for/main` also opens a merge request.
   *
   * `POST /projects/{project_id}/merge-requests`, with the scope `write:files`
   */
  create(projectId: string, input: CreateMergeRequest, options?: CallOptions): Promise<MergeRequest>;
  /**
   * Read a merge request.
   *
   * `GET /projects/{project_id}/merge-requests/{number}`, with the scope `read:files`
   */
  get(projectId: string, number: string, options?: CallOptions): Promise<MergeRequest>;
  /**
   * Change, close or reopen a merge request.
   * The author of the merge request and members who can edit the project can call this route. `state` closes or reopens the merge request.
   *
   * `PATCH /projects/{project_id}/merge-requests/{number}`, with the scope `write:files`
   */
  update(projectId: string, number: string, input: ChangeMergeRequest, options?: CallOptions): Promise<MergeRequest>;
  /**
   * List the versions of a merge request, newest first.
   * Every push to `source` creates a version. Commits that were written through the API or in a live session together become one version when somebody looks at the merge request.
   *
   * `GET /projects/{project_id}/merge-requests/{number}/versions`, with the scope `read:files`
   */
  versions(
    projectId: string,
    number: string,
    options?: CallOptions,
  ): List<MergeRequestVersion, MergeRequestVersionList>;
  /**
   * Read what a merge request changes, or what changed between two of its versions.
   *
   * `GET /projects/{project_id}/merge-requests/{number}/diff`, with the scope `read:files`
   */
  diff(
    projectId: string,
    number: string,
    query?: MergeRequestDiffQuery,
    options?: CallOptions,
  ): Promise<MergeRequestDiff>;
  /**
   * Merge a merge request.
   * Send `head_sha` to merge exactly the commits that you have seen. A merge request that is already merged is returned unchanged. With `when_ready`, the merge request is put into the queue.
   *
   * `POST /projects/{project_id}/merge-requests/{number}/merge`, with the scope `write:files`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  merge(projectId: string, number: string, input: MergeMergeRequest, options?: CallOptions): Promise<MergeRequest>;
  /**
   * List your merge requests from all projects: waiting for your review, created by you, or assigned to you.
   *
   * `GET /user/merge-requests`, with the scope `read:files`
   */
  listOwn(query?: OwnMergeRequestQuery, options?: CallOptions): List<MergeRequest, MergeRequestList>;
  /**
   * List the threads of a merge request, with the place of each thread in the newest version.
   *
   * `GET /projects/{project_id}/merge-requests/{number}/threads`, with the scope `read:files`
   */
  threads(projectId: string, number: string, options?: CallOptions): List<ReviewThread, ReviewThreadList>;
  /**
   * Start a thread about lines, a file or the whole merge request.
   * Members who can comment can call this route. With `draft`, only you see the comment until you submit a review.
   *
   * `POST /projects/{project_id}/merge-requests/{number}/threads`, with the scope `write:files`
   */
  createThread(projectId: string, number: string, input: CreateThread, options?: CallOptions): Promise<ReviewThread>;
  /**
   * Resolve or reopen a thread.
   *
   * `PATCH /projects/{project_id}/merge-requests/{number}/threads/{thread_id}`, with the scope `write:files`
   */
  updateThread(
    projectId: string,
    number: string,
    threadId: string,
    input: ChangeThread,
    options?: CallOptions,
  ): Promise<ReviewThread>;
  /**
   * Reply to a thread.
   *
   * `POST /projects/{project_id}/merge-requests/{number}/threads/{thread_id}/comments`, with the scope `write:files`
   */
  reply(
    projectId: string,
    number: string,
    threadId: string,
    input: CreateReply,
    options?: CallOptions,
  ): Promise<ReviewComment>;
  /**
   * Change your own comment.
   *
   * `PATCH /projects/{project_id}/merge-requests/{number}/comments/{review_comment_id}`, with the scope `write:files`
   */
  updateComment(
    projectId: string,
    number: string,
    reviewCommentId: string,
    input: ChangeReviewComment,
    options?: CallOptions,
  ): Promise<ReviewComment>;
  /**
   * Delete a comment.
   * The author of the comment and members with the permission `manage` can call this route. When the last comment of a thread is deleted, the thread is deleted too.
   *
   * `DELETE /projects/{project_id}/merge-requests/{number}/comments/{review_comment_id}`, with the scope `write:files`
   */
  deleteComment(projectId: string, number: string, reviewCommentId: string, options?: CallOptions): Promise<void>;
  /**
   * List the reviews of a merge request, oldest first.
   *
   * `GET /projects/{project_id}/merge-requests/{number}/reviews`, with the scope `read:files`
   */
  reviews(projectId: string, number: string, options?: CallOptions): List<Review, ReviewList>;
  /**
   * Submit a review together with your draft comments.
   * Members who can comment can call this route. Authors cannot send `APPROVE` for their own merge requests.
   *
   * `POST /projects/{project_id}/merge-requests/{number}/reviews`, with the scope `write:files`
   */
  submitReview(projectId: string, number: string, input: SubmitReview, options?: CallOptions): Promise<Review>;
  /**
   * Apply suggestions in one commit on the source.
   *
   * `POST /projects/{project_id}/merge-requests/{number}/suggestions/apply`, with the scope `write:files`
   */
  applySuggestions(projectId: string, number: string, input: ApplySuggestions, options?: CallOptions): Promise<Commit>;
  /**
   * List the files that you marked as viewed.
   *
   * `GET /projects/{project_id}/merge-requests/{number}/viewed`, with the scope `read:files`
   */
  viewed(projectId: string, number: string, options?: CallOptions): List<string, ViewedFiles>;
  /**
   * Mark files as viewed or not viewed.
   * Everyone who can read the project can call this route. A file is no longer `viewed` when a later version changes it.
   *
   * `PUT /projects/{project_id}/merge-requests/{number}/viewed`, with the scope `write:files`
   */
  markViewed(projectId: string, number: string, input: MarkViewed, options?: CallOptions): Promise<ViewedFiles>;
  /**
   * Read what is missing before a merge request can be merged.
   *
   * `GET /projects/{project_id}/merge-requests/{number}/merge`, with the scope `read:files`
   */
  readiness(projectId: string, number: string, options?: CallOptions): Promise<MergeReadiness>;
  /**
   * Put a merge request into the queue of its target.
   * Only members who can edit the project can call this route. The merge request is merged once it has everything that the rules of `target` require, and its merge result has passed the checks.
   *
   * `POST /projects/{project_id}/merge-requests/{number}/queue`, with the scope `write:files`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  queue(projectId: string, number: string, input: QueueMergeRequest, options?: CallOptions): Promise<MergeRequest>;
  /**
   * Take a merge request out of the queue.
   * The author of the merge request and members who can edit the project can call this route. `queue` is null afterwards.
   *
   * `DELETE /projects/{project_id}/merge-requests/{number}/queue`, with the scope `write:files`
   */
  leaveQueue(projectId: string, number: string, options?: CallOptions): Promise<void>;
  /**
   * List the merge requests in the queue of a branch, in the order in which they will be merged.
   *
   * `GET /projects/{project_id}/merge-queue`, with the scope `read:files`
   */
  listQueue(projectId: string, query?: MergeQueueQuery, options?: CallOptions): List<MergeRequest, MergeQueue>;
  /**
   * List the checks of a merge request.
   * Checks run on the merge of the newest version into `target`, and not on `source` alone.
   *
   * `GET /projects/{project_id}/merge-requests/{number}/checks`, with the scope `read:checks`
   */
  checks(projectId: string, number: string, options?: CallOptions): List<RequestCheck, RequestChecks>;
  /**
   * Start the checks of a merge request from a fork.
   * Only members who can edit the project can call this route. Look at the changes first: the checks run code from somebody who cannot edit the project. `head_sha` is the commit that you looked at.
   *
   * `POST /projects/{project_id}/merge-requests/{number}/checks`, with the scope `write:checks`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  startChecks(
    projectId: string,
    number: string,
    input: StartRequestChecks,
    options?: CallOptions,
  ): Promise<RequestChecks>;
}

export interface BranchRulesResource {
  /**
   * List a project's branch rules.
   * If several rules match a branch, the strictest value of each field of the `BranchRule` applies.
   *
   * `GET /projects/{project_id}/branch-rules`, with the scope `read:files`
   */
  list(projectId: string, options?: CallOptions): List<BranchRule, BranchRuleList>;
  /**
   * Add a branch rule.
   * Only members with the permission `manage` can call this route.
   *
   * `POST /projects/{project_id}/branch-rules`, with the scope `write:projects`
   */
  create(projectId: string, input: CreateBranchRule, options?: CallOptions): Promise<BranchRule>;
  /**
   * Change a branch rule.
   * Only members with the permission `manage` can call this route.
   *
   * `PATCH /projects/{project_id}/branch-rules/{rule_id}`, with the scope `write:projects`
   */
  update(projectId: string, ruleId: string, input: ChangeBranchRule, options?: CallOptions): Promise<BranchRule>;
  /**
   * Delete a branch rule.
   * Only members with the permission `manage` can call this route.
   *
   * `DELETE /projects/{project_id}/branch-rules/{rule_id}`, with the scope `write:projects`
   */
  delete(projectId: string, ruleId: string, options?: CallOptions): Promise<void>;
}

export interface ChecksResource {
  /**
   * List a project's checks, newest first.
   *
   * `GET /projects/{project_id}/checks`, with the scope `read:checks`
   */
  list(projectId: string, query?: CheckRunQuery, options?: CallOptions): List<CheckRun, CheckRunList>;
  /**
   * Report the result of an external check for a commit.
   * A report with the same `name` for the same files replaces the previous report. Only members who can edit the project can call this route, with the `write:checks` scope.
   *
   * `POST /projects/{project_id}/checks`, with the scope `write:checks`
   */
  create(projectId: string, input: CreateCheckRun, options?: CallOptions): Promise<CheckRun>;
  /**
   * Run the checks from bottega.json on a commit.
   * A check that has already run on the same files does not run again; its result is returned. Only members who can edit the project can call this route, with the `write:checks` scope.
   *
   * `POST /projects/{project_id}/checks/run`, with the scope `write:checks`
   */
  run(projectId: string, input: RunChecks, options?: CallOptions): Promise<CommitChecks>;
  /**
   * Read a check.
   *
   * `GET /projects/{project_id}/checks/{check_id}`, with the scope `read:checks`
   */
  get(projectId: string, checkId: string, options?: CallOptions): Promise<CheckRun>;
  /**
   * Change the reported result of an external check.
   * Returns 409 for a check that runs here. `annotations` are added to those that the check already has. Only members who can edit the project can call this route, with the `write:checks` scope.
   *
   * `PATCH /projects/{project_id}/checks/{check_id}`, with the scope `write:checks`
   */
  update(projectId: string, checkId: string, input: ChangeCheckRun, options?: CallOptions): Promise<CheckRun>;
  /**
   * List a check's annotations.
   *
   * `GET /projects/{project_id}/checks/{check_id}/annotations`, with the scope `read:checks`
   */
  annotations(projectId: string, checkId: string, options?: CallOptions): List<CheckAnnotation, CheckAnnotationList>;
  /**
   * Read a check's log; with `Accept: text/event-stream`, follow the log.
   * In a stream, each line is a `log` event whose id is the `seq` of the line. `Last-Event-ID` resumes after that line. The stream ends with an `end` event that contains the conclusion. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/checks/{check_id}/logs`, with the scope `read:checks`
   */
  logs(projectId: string, checkId: string, query?: DeploymentLogsQuery, options?: CallOptions): Promise<DeploymentLogs>;
  /**
   * Run a completed check again.
   * Skipped checks that list this check in `needs` run again too. Only members who can edit the project can call this route, with the `write:checks` scope.
   *
   * `POST /projects/{project_id}/checks/{check_id}/rerun`, with the scope `write:checks`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  rerun(projectId: string, checkId: string, options?: CallOptions): Promise<CheckRun>;
  /**
   * Cancel a check; the response waits until all its processes have stopped.
   * Only members who can edit the project can call this route, with the `write:checks` scope.
   *
   * `POST /projects/{project_id}/checks/{check_id}/cancel`, with the scope `write:checks`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  cancel(projectId: string, checkId: string, options?: CallOptions): Promise<CheckRun>;
  /**
   * List the checks of a commit.
   *
   * `GET /projects/{project_id}/commits/{sha}/checks`, with the scope `read:checks`
   */
  ofCommit(projectId: string, sha: string, options?: CallOptions): List<CheckRun, CommitChecks>;
}

export interface TemplatesResource {
  /**
   * List the templates for new projects.
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
   * Publish a project's current files as a template.
   *
   * `POST /templates`, with the scope `write:projects`
   */
  publish(input: PublishTemplate, options?: CallOptions): Promise<Template>;
  /**
   * Publish a new version of a template from its project's current files.
   *
   * `POST /templates/{template_id}/versions`, with the scope `write:projects`
   */
  publishVersion(templateId: string, input?: PublishAnew, options?: CallOptions): Promise<Template>;
  /**
   * Change a template's details, but not its files (RFC 7396).
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
   * List a project's deployments, newest first.
   * Requires the `read:deployments` scope. On a public project, users who are not members see only the live deployment, without its settings.
   *
   * `GET /projects/{project_id}/deployments`, with the scope `read:deployments`
   */
  list(projectId: string, query?: DeploymentListQuery, options?: CallOptions): List<Deployment, DeploymentList>;
  /**
   * List a project's environments, each with its latest deployment.
   * Requires the `read:deployments` scope. Returns at most 100 environments: `production` first, then by latest deployment. Only members of the project can call this route. On a public project, other users get a 403.
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
   * Requires the `read:deployments` scope. On a public project, users who are not members see only the live deployment, without its settings.
   *
   * `GET /projects/{project_id}/deployments/{deployment_id}`, with the scope `read:deployments`
   */
  get(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
  /**
   * Read a deployment's log; with `Accept: text/event-stream`, follow the log.
   * Requires the `read:deployments` scope. In a stream, each line is a `log` event whose id is the `seq` of the line. `Last-Event-ID` resumes after that line. The stream ends with an `end` event that contains the status. With `source=runtime`, the stream does not end as long as the deployment is a server app that can run. Only members of the project can call this route. On a public project, other users get a 403.
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
   * Requires the `read:deployments` scope. Only members of the project can call this route. On a public project, other users get a 403.
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
   * Cancel a deployment; the response waits until all its processes have stopped.
   *
   * `POST /projects/{project_id}/deployments/{deployment_id}/cancel`, with the scope `write:deployments`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  cancel(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
  /**
   * Make a successful deployment the live one.
   * Requires the `write:deployments` scope. Returns 409 if the deployment did not succeed or its files were purged.
   *
   * `POST /projects/{project_id}/deployments/{deployment_id}/promote`, with the scope `write:deployments`
   */
  promote(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
  /**
   * Roll back to an earlier successful deployment.
   * Requires the `write:deployments` scope. Returns 409 if the deployment did not succeed or its files were purged.
   *
   * `POST /projects/{project_id}/deployments/{deployment_id}/rollback`, with the scope `write:deployments`
   */
  rollback(projectId: string, deploymentId: string, options?: CallOptions): Promise<Deployment>;
}

export interface WorkspacesResource {
  /**
   * List a project's workspaces, newest first.
   * Requires the `read:workspaces` scope. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces`, with the scope `read:workspaces`
   */
  list(projectId: string, options?: CallOptions): List<Workspace, WorkspaceList>;
  /**
   * Create and start a workspace.
   * Requires the `write:workspaces` scope. Only members who can edit the project can call this route. Returns 503 with the reason if this installation cannot run workspaces.
   *
   * `POST /projects/{project_id}/workspaces`, with the scope `write:workspaces`
   */
  create(projectId: string, input: CreateWorkspace, options?: CallOptions): Promise<Workspace>;
  /**
   * Read a workspace.
   * Requires the `read:workspaces` scope. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}`, with the scope `read:workspaces`
   */
  get(projectId: string, workspaceId: string, options?: CallOptions): Promise<Workspace>;
  /**
   * Start a sleeping or failed workspace; the response waits until the workspace is running.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/start`, with the scope `write:workspaces`
   */
  start(projectId: string, workspaceId: string, options?: CallOptions): Promise<Workspace>;
  /**
   * Put a workspace to sleep; the response waits until all its processes have stopped.
   * Requires the `write:workspaces` scope. Files stay as they are.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/sleep`, with the scope `write:workspaces`
   */
  sleep(projectId: string, workspaceId: string, options?: CallOptions): Promise<Workspace>;
  /**
   * Stop and delete a workspace.
   * Requires the `write:workspaces` scope. The branch stays. Files that git ignores are deleted. Only members who can edit the project can call this route.
   *
   * `DELETE /projects/{project_id}/workspaces/{workspace_id}`, with the scope `write:workspaces`
   */
  delete(projectId: string, workspaceId: string, options?: CallOptions): Promise<void>;
  /**
   * Create a workspace that begins with the files of another workspace.
   * Requires the `write:workspaces` scope. The new workspace has a branch of its own, which starts at the tip of the other workspace's branch. Files that git ignores are copied as they were last stored (see `ignored_saved_at`). Only members who can edit the project can call this route.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/fork`, with the scope `write:workspaces`
   */
  fork(projectId: string, workspaceId: string, input: ForkWorkspace, options?: CallOptions): Promise<Workspace>;
  /**
   * Store a workspace's files under a name.
   * Requires the `write:workspaces` scope. The response waits until all files that git ignores are stored. All other files are on the branch. The snapshot remains when the workspace is deleted. Only members who can edit the project can call this route.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/snapshots`, with the scope `write:workspaces`
   */
  createSnapshot(
    projectId: string,
    workspaceId: string,
    input: CreateSnapshot,
    options?: CallOptions,
  ): Promise<WorkspaceSnapshot>;
  /**
   * List a project's snapshots of workspaces, newest first.
   * Requires the `read:workspaces` scope. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/snapshots`, with the scope `read:workspaces`
   */
  snapshots(projectId: string, options?: CallOptions): List<WorkspaceSnapshot, WorkspaceSnapshotList>;
  /**
   * Delete a snapshot.
   * Requires the `write:workspaces` scope. Workspaces that were created from the snapshot stay as they are. Only members who can edit the project can call this route.
   *
   * `DELETE /projects/{project_id}/snapshots/{snapshot_id}`, with the scope `write:workspaces`
   */
  deleteSnapshot(projectId: string, snapshotId: string, options?: CallOptions): Promise<void>;
  /**
   * Run a command.
   * Requires the `write:workspaces` scope. A sleeping workspace starts first. The response waits until the command exits, unless `background` is set. A command that exits with an error is a successful request: see `exit_code`.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/commands`, with the scope `write:workspaces`
   */
  run(
    projectId: string,
    workspaceId: string,
    input: RunCommand,
    options?: CallOptions,
  ): Promise<WorkspaceCommandResult>;
  /**
   * List the commands since the workspace started, newest first.
   * Requires the `read:workspaces` scope. Empty unless the workspace is running. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/commands`, with the scope `read:workspaces`
   */
  commands(projectId: string, workspaceId: string, options?: CallOptions): List<WorkspaceCommand, WorkspaceCommandList>;
  /**
   * Read a command with its output.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}`, with the scope `read:workspaces`
   */
  command(
    projectId: string,
    workspaceId: string,
    commandId: string,
    options?: CallOptions,
  ): Promise<WorkspaceCommandResult>;
  /**
   * Read a command's output; with `Accept: text/event-stream`, follow the output.
   * Requires the `read:workspaces` scope. In a stream, each piece is an `output` event whose id is its `position`. `Last-Event-ID` resumes after that position. The stream ends with an `end` event that contains the command. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/output`, with the scope `read:workspaces`
   */
  output(
    projectId: string,
    workspaceId: string,
    commandId: string,
    query?: CommandOutputQuery,
    options?: CallOptions,
  ): Promise<CommandOutput>;
  /**
   * Write to a running command's standard input.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/stdin`, with the scope `write:workspaces`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  sendInput(
    projectId: string,
    workspaceId: string,
    commandId: string,
    input: CommandInput,
    options?: CallOptions,
  ): Promise<void>;
  /**
   * Send a signal to a command and all its processes.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/commands/{command_id}/signal`, with the scope `write:workspaces`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  signal(
    projectId: string,
    workspaceId: string,
    commandId: string,
    input: CommandSignal,
    options?: CallOptions,
  ): Promise<WorkspaceCommand>;
  /**
   * Open a terminal.
   * Requires the `write:workspaces` scope. A sleeping workspace starts first. Only members who can edit the project can call this route.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/terminals`, with the scope `write:workspaces`
   */
  openTerminal(
    projectId: string,
    workspaceId: string,
    input: OpenTerminal,
    options?: CallOptions,
  ): Promise<WorkspaceTerminal>;
  /**
   * List open terminals.
   * Requires the `read:workspaces` scope. Empty unless the workspace is running. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/terminals`, with the scope `read:workspaces`
   */
  terminals(
    projectId: string,
    workspaceId: string,
    options?: CallOptions,
  ): List<WorkspaceTerminal, WorkspaceTerminalList>;
  /**
   * Close a terminal and stop its processes.
   *
   * `DELETE /projects/{project_id}/workspaces/{workspace_id}/terminals/{terminal_id}`, with the scope `write:workspaces`
   */
  closeTerminal(projectId: string, workspaceId: string, terminalId: string, options?: CallOptions): Promise<void>;
  /**
   * List the processes that run in a workspace.
   * Requires the `read:workspaces` scope. Returns at most 500 processes and omits processes of the sandbox itself. Empty unless the workspace is running. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/processes`, with the scope `read:workspaces`
   */
  processes(
    projectId: string,
    workspaceId: string,
    options?: CallOptions,
  ): List<WorkspaceProcess, WorkspaceProcessList>;
  /**
   * Ask a process to end, or end it at once.
   * Requires the `write:workspaces` scope. Returns 404 if there is no such process, or if the workspace is not running. Only members who can edit the project can call this route.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/processes/{pid}/signal`, with the scope `write:workspaces`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  signalProcess(
    projectId: string,
    workspaceId: string,
    pid: string,
    input: ProcessSignal,
    options?: CallOptions,
  ): Promise<void>;
  /**
   * List the agents that use a workspace.
   * Requires the `read:workspaces` scope. An agent is an MCP client, an API key, a service or a service account. The list contains agents that are running a command or ran one in the last 15 minutes, and agents that a person stopped. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/agents`, with the scope `read:workspaces`
   */
  agents(projectId: string, workspaceId: string, options?: CallOptions): List<WorkspaceAgent, WorkspaceAgentList>;
  /**
   * Stop an agent: end its commands and refuse further commands.
   * Requires the `write:workspaces` scope. The commands and terminals of the agent in this workspace end. Until somebody resumes the agent, its requests to change this workspace return 409. Returns 404 if the agent is not in the list. Only members who can edit the project can call this route.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/agents/{agent_id}/stop`, with the scope `write:workspaces`
   */
  stopAgent(projectId: string, workspaceId: string, agentId: string, options?: CallOptions): Promise<WorkspaceAgent>;
  /**
   * Let a stopped agent use the workspace again.
   * Requires the `write:workspaces` scope. An agent cannot resume itself. Only members who can edit the project can call this route.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/agents/{agent_id}/resume`, with the scope `write:workspaces`
   */
  resumeAgent(projectId: string, workspaceId: string, agentId: string, options?: CallOptions): Promise<WorkspaceAgent>;
  /**
   * Read the errors and warnings of a language server.
   * Requires the `read:workspaces` scope. Starts the language server if it is not running. Returns 403 if the plan of the project’s owner does not include language servers, and 503 with the reason if the workspace is not running, or if the installation has no language servers. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/diagnostics`, with the scope `read:workspaces`
   */
  diagnostics(
    projectId: string,
    workspaceId: string,
    query?: ProblemsQuery,
    options?: CallOptions,
  ): Promise<WorkspaceProblemList>;
  /**
   * List the ports that a program listens on or that have settings.
   * Requires the `read:workspaces` scope. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/workspaces/{workspace_id}/ports`, with the scope `read:workspaces`
   */
  ports(projectId: string, workspaceId: string, options?: CallOptions): List<WorkspacePort, WorkspacePortList>;
  /**
   * Change a port's visibility or label.
   *
   * `PATCH /projects/{project_id}/workspaces/{workspace_id}/ports/{port}`, with the scope `write:workspaces`
   */
  updatePort(
    projectId: string,
    workspaceId: string,
    port: string,
    input: ChangeWorkspacePort,
    options?: CallOptions,
  ): Promise<WorkspacePort>;
  /**
   * Create a link that opens a port in a browser and is valid for one minute.
   * Requires the `read:workspaces` scope. Use the link for a frame or for a browser that is not signed in. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `POST /projects/{project_id}/workspaces/{workspace_id}/ports/{port}/tickets`, with the scope `read:workspaces`
   */
  portTicket(
    projectId: string,
    workspaceId: string,
    port: string,
    input: CreatePortTicket,
    options?: CallOptions,
  ): Promise<PortTicket>;
}

export interface VariablesResource {
  /**
   * List a project's variables in order of their names.
   * Requires the `read:deployments` scope. Secret values are never returned. Other values are returned only to users who can change them. Only members of the project can call this route. On a public project, other users get a 403.
   *
   * `GET /projects/{project_id}/variables`, with the scope `read:deployments`
   */
  list(projectId: string, options?: CallOptions): List<Variable, VariableList>;
  /**
   * Set a variable for some or all environments.
   * Requires the `write:deployments` scope. A variable has one value per environment. The new value replaces the previous value in the specified environments and takes effect with the next deployment.
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
   * List a project's domains.
   * Requires the `read:projects` scope. On a public project, users who are not members see only the names and states of verified and active domains.
   *
   * `GET /projects/{project_id}/domains`, with the scope `read:projects`
   */
  list(projectId: string, options?: CallOptions): List<Domain, DomainList>;
  /**
   * Add a domain and get the DNS records to set.
   * Requires the `write:projects` scope and the `manage` permission. The service checks the domain regularly and serves it as soon as it is verified. Several projects can add the same domain, but the domain belongs to the project that proves its ownership of the domain.
   *
   * `POST /projects/{project_id}/domains`, with the scope `write:projects`
   */
  add(projectId: string, input: AddDomain, options?: CallOptions): Promise<Domain>;
  /**
   * Read a domain.
   * Identify the domain by its name or its id. Requires the `read:projects` scope. On a public project, users who are not members see only the names and states of verified and active domains.
   *
   * `GET /projects/{project_id}/domains/{domain}`, with the scope `read:projects`
   */
  get(projectId: string, domain: string, options?: CallOptions): Promise<Domain>;
  /**
   * Change a domain's redirect.
   * Identify the domain by its name or its id. Requires the `write:projects` scope and the `manage` permission.
   *
   * `PATCH /projects/{project_id}/domains/{domain}`, with the scope `write:projects`
   */
  update(projectId: string, domain: string, input: PatchDomain, options?: CallOptions): Promise<Domain>;
  /**
   * Remove a domain and stop serving it.
   * Identify the domain by its name or its id. Requires the `write:projects` scope and the `manage` permission.
   *
   * `DELETE /projects/{project_id}/domains/{domain}`, with the scope `write:projects`
   */
  remove(projectId: string, domain: string, options?: CallOptions): Promise<void>;
  /**
   * Check a domain now.
   * Identify the domain by its name or its id. Requires the `write:projects` scope and the `manage` permission. The limit is 60 checks per hour and project.
   *
   * `POST /projects/{project_id}/domains/{domain}/verify`, with the scope `write:projects`
   */
  verify(projectId: string, domain: string, options?: CallOptions): Promise<Domain>;
}

export interface WebhooksResource {
  /**
   * List your webhooks and the webhooks of projects that you manage.
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
   * Read a webhook and its recent deliveries.
   *
   * `GET /webhooks/{webhook_id}`, with the scope `read:webhooks`
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Change a webhook; omitted fields keep their values, and `active: true` re-enables a disabled webhook.
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
   * Replace a webhook's secret; deliveries are also signed with the previous secret for a while.
   *
   * `POST /webhooks/{webhook_id}/rotate-secret`, with the scope `write:webhooks`
   */
  rotateSecret(webhookId: string, input?: RotateSecret, options?: CallOptions): Promise<RotatedSecret>;
  /**
   * Send a test event once and return the result.
   *
   * `POST /webhooks/{webhook_id}/test`, with the scope `write:webhooks`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  test(webhookId: string, input?: TestWebhook, options?: CallOptions): Promise<TestedWebhook>;
  /**
   * List all event types, with a JSON Schema and an example for each format.
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
   * Read a webhook's statistics for a period.
   *
   * `GET /webhooks/{webhook_id}/stats`, with the scope `read:webhooks`
   */
  stats(webhookId: string, query?: WebhookStatsQuery, options?: CallOptions): Promise<WebhookStats>;
  /**
   * Send failed deliveries again, except those that succeeded later.
   *
   * `POST /webhooks/{webhook_id}/redeliver-failed`, with the scope `write:webhooks`
   */
  redeliverFailed(webhookId: string, input?: RedeliverFailed, options?: CallOptions): Promise<ScheduledDeliveries>;
  /**
   * Deliver all undelivered events from a period.
   *
   * `POST /webhooks/{webhook_id}/recover`, with the scope `write:webhooks`
   */
  recover(webhookId: string, input: RecoverWebhook, options?: CallOptions): Promise<ScheduledDeliveries>;
}

export interface DeliveriesResource {
  /**
   * List a webhook's deliveries, newest first.
   *
   * `GET /webhooks/{webhook_id}/deliveries`, with the scope `read:webhooks`
   */
  list(webhookId: string, query?: DeliveryListQuery, options?: CallOptions): List<Delivery, DeliveryList>;
  /**
   * Read a delivery and all its attempts.
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
   * Replace a session's invite link; the previous link stops working.
   *
   * `POST /collaboration/sessions/{session_id}/invite/rotate`, with the scope `write:collaboration`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  rotateInvite(sessionId: string, options?: CallOptions): Promise<Session>;
  /**
   * Create a ticket to open one WebSocket connection to a session within a minute.
   *
   * `POST /collaboration/sessions/{session_id}/ticket`, with the scope `read:collaboration`
   */
  createTicket(sessionId: string, options?: CallOptions): Promise<SocketTicket>;
  /**
   * List the files that a session's participants, including guests, can open.
   *
   * `GET /collaboration/sessions/{session_id}/files`, with the scope `read:collaboration`
   */
  files(sessionId: string, query?: SessionFileQuery, options?: CallOptions): List<SessionFile, SessionFileList>;
  /**
   * Preview a session, its project and its host before you sign in.
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
   * Leave a session and close your sockets.
   *
   * `POST /collaboration/sessions/{session_id}/leave`, with the scope `write:collaboration`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  leave(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * List a session's participants.
   *
   * `GET /collaboration/sessions/{session_id}/participants`, with the scope `read:collaboration`
   */
  list(sessionId: string, options?: CallOptions): List<Participant, ParticipantList>;
  /**
   * Change a participant's rights in a session.
   *
   * `PUT /collaboration/sessions/{session_id}/participants/{user_id}`, with the scope `write:collaboration`
   */
  update(sessionId: string, userId: string, input: UpdateParticipant, options?: CallOptions): Promise<Participant>;
  /**
   * Remove a participant from a session, or leave the session yourself; the participant's sockets are closed.
   *
   * `DELETE /collaboration/sessions/{session_id}/participants/{user_id}`, with the scope `write:collaboration`
   */
  remove(sessionId: string, userId: string, options?: CallOptions): Promise<void>;
}

export interface ProjectCommentsResource {
  /**
   * List the comments on a project's files, oldest first.
   *
   * `GET /projects/{project_id}/comments`, with the scope `read:collaboration`
   */
  list(projectId: string, query?: ProjectCommentQuery, options?: CallOptions): List<ProjectComment, ProjectCommentList>;
  /**
   * Comment on a position in a file.
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
   * List the comments in a session, oldest first.
   *
   * `GET /collaboration/sessions/{session_id}/comments`, with the scope `read:collaboration`
   */
  list(sessionId: string, query?: CommentQuery, options?: CallOptions): List<SessionComment, SessionCommentList>;
  /**
   * Comment on a position in a file.
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
   * Apply a comment's suggestion to the file.
   *
   * `POST /collaboration/sessions/{session_id}/comments/{comment_id}/apply`, with the scope `write:collaboration`
   *
   * Sent once: it is not repeated when its answer is lost.
   */
  applySuggestion(sessionId: string, commentId: string, options?: CallOptions): Promise<SessionComment>;
}
