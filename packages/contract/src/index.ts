export {
  BrowserSession,
  ChangePassword,
  ConfirmWithPassword,
  CurrentSession,
  NewSecondFactor,
  RecoveryCodes,
  ResetLink,
  ResetPassword,
  SecondFactor,
  SignedUp,
  SignIn,
  SignUp,
} from './accounts.ts';
export {
  AdminHealth,
  AdminPlan,
  AdminUser,
  AdminUserQuery,
  type CreateAccount,
  type CreatedAccount,
  PatchAdminUser,
} from './admin.ts';
export { AdminAuditQuery, type AuditAction, AuditEntry, AuditQuery, auditActions } from './audit.ts';
export type { BranchRule, ChangeBranchRule, CreateBranchRule } from './branch-rules.ts';
export type {
  ChangeCheckRun,
  CheckAnnotation,
  CheckConclusion,
  CheckRun,
  CheckRunQuery,
  CheckState,
  CheckStatus,
  CommitChecks,
  CreateCheckRun,
  RequestCheck,
  RequestChecks,
  RunChecks,
} from './checks.ts';
export {
  Collaborator,
  CreateTransfer,
  Invitation,
  type InvitationPreview,
  InviteCollaborator,
  PatchCollaborator,
  type Permission,
  permissions,
  permissionsOfRole,
  type Role,
  SentInvitation,
  Transfer,
} from './collaborators.ts';
export {
  ApiKey,
  CreateApiKey,
  CreateService,
  CreateServiceAccount,
  NewApiKey,
  NewService,
  Service,
  ServiceAccount,
} from './credentials.ts';
export {
  CreateDeployment,
  Deployment,
  DeploymentArtifacts,
  type DeploymentEnding,
  type DeploymentError,
  DeploymentListQuery,
  type DeploymentStatus,
  LogEntry,
} from './deployments.ts';
export { AddDomain, Domain, type DomainReason, type DomainRecord, PatchDomain } from './domains.ts';
export { ErrorBody, type ErrorCode, errorCodes, type FieldError } from './errors.ts';
export { EventListQuery, EventPage, StreamedEvent } from './event-stream.ts';
export {
  type EventData,
  type EventType,
  eventCatalogue,
  eventTypes,
  namesOf,
  ownNameOf,
  scopeToReceive,
} from './events/catalogue.ts';
export { envelopeSchema, PingData, type WebhookFormat, webhookFormats } from './events/formats.ts';
export { dataSchema, shapeData } from './events/shapes.ts';
export { deliveredName, isSubscribable, pingName, typesOf } from './events/subscriptions.ts';
export {
  Branch,
  Commit,
  CommitDetail,
  CommitListQuery,
  CommitQuery,
  CreateBranch,
  CreateCommit,
  File,
  FileListQuery,
  SearchResults,
  ShareLink,
  WriteFile,
  WrittenFile,
} from './files.ts';
export { ClientMessage, CodeChange, liveCloseCodes, ServerMessage } from './live-messages.ts';
export {
  ChangeMergeRequest,
  CreateMergeRequest,
  MergeMergeRequest,
  type MergeReadiness,
  MergeRequest,
  MergeRequestDiff,
  MergeRequestDiffQuery,
  MergeRequestQuery,
  type MergeRequestState,
  MergeRequestVersion,
  OwnMergeRequestQuery,
  type QueueMergeRequest,
  type QueuePlace,
  type RequestStrategy,
} from './merge-requests.ts';
export {
  CompareQuery,
  Comparison,
  CreateMerge,
  type conflictKinds,
  MergeBlock,
  MergeConflict,
  type MergeDetails,
  type mergeStrategies,
  type Resolution,
} from './merging.ts';
export {
  Notification,
  type NotificationData,
  NotificationQuery,
  type NotificationType,
  ReadNotifications,
  reasonsOfNotifications,
  scopeToBeNotified,
} from './notifications.ts';
export { AuthorizedApp, CreateOauthApp, NewOauthApp, OauthApp, PatchOauthApp } from './oauth.ts';
export {
  type AdminProject,
  type AdminProjectQuery,
  CreateProject,
  defaultProjectSettings,
  ForkProject,
  maxStars,
  PatchProject,
  Project,
  ProjectDetail,
  type ProjectListItem,
  ProjectListQuery,
  type ProjectRepository,
  type ProjectSettings,
  type ProjectStatus,
  ReplaceProject,
  type Stars,
  type TrashedProject,
  type TrashQuery,
} from './projects.ts';
export { codedAs, filled, reasonOf, reasonSentence } from './reasons/coded-reason.ts';
export {
  appReasons,
  checkReasons,
  deliveryReasons,
  deploymentReasons,
  forkReasons,
  importReasons,
  type ReasonCode,
  reasons,
  webhookReasons,
  workspaceReasons,
} from './reasons/reasons.ts';
export { effectiveRetryPolicy, type RetryPolicy, type RetryPolicyInput } from './retry-policies.ts';
export {
  ApplySuggestions,
  ChangeReviewComment,
  ChangeThread,
  CreateReply,
  CreateThread,
  type DiffSide,
  MarkViewed,
  Review,
  ReviewComment,
  type ReviewEvent,
  ReviewThread,
  SubmitReview,
  ViewedFiles,
} from './reviews.ts';
export type { Answer, Input, Params } from './routes/client-types.ts';
export { type RoutesByAddress, routes } from './routes/index.ts';
export type { Access, Route } from './routes/route.ts';
export { unversionedRoutes } from './routes/unversioned.ts';
export { createNamedWebhook } from './routes/webhooks.ts';
export { deceives, isGitBranchName, isValidBranchName } from './rules/branch-names.ts';
export { maxMentioned, mentionPattern, mentionsIn, newMentionsIn } from './rules/mentions.ts';
export { absolutePath, deepestPath, plainDirectory, whyNotPath } from './rules/paths.ts';
export { namesIn, textRules } from './rules/text-rules.ts';
export { allScopes, type Scope, scopeAllows, scopeMeanings, scopeMeaningsInGerman, scopesWithin } from './scopes.ts';
export {
  type CommentType,
  CreateComment,
  commentTypes,
  ProjectComment,
  ProjectCommentQuery,
  SessionComment,
  TextPosition,
  UpdateComment,
} from './session-comments.ts';
export {
  CreateSession,
  ExtendSession,
  JoinedSession,
  Participant,
  Session,
  SessionFile,
  type SessionPermissions,
  type SessionPreview,
  SocketTicket,
  UpdateParticipant,
} from './sessions.ts';
export {
  PatchTemplate,
  PublishTemplate,
  Template,
  TemplateListQuery,
  TemplateValues,
  TemplateVariable,
} from './templates.ts';
export {
  type InstallationUsageHistory,
  PatchUser,
  type Plan,
  plans,
  Usage,
  type UsageDay,
  type UsageHistory,
  User,
} from './users.ts';
export { DeleteVariableQuery, PutVariable, Variable, type VariableKind } from './variables.ts';
export {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  DeliveryListQuery,
  RecoverWebhook,
  RedeliverFailed,
  Redelivery,
  ScheduledDeliveries,
  TestedWebhook,
  TestWebhook,
} from './webhook-deliveries.ts';
export { CreateCoreWebhook, CreateWebhook, RotateSecret, UpdateWebhook } from './webhook-inputs.ts';
export { EventLog, EventTypeList, WebhookStats, WebhookStatsQuery } from './webhook-stats.ts';
export {
  CreatedWebhook,
  ListedWebhook,
  OffsetQuery,
  RotatedSecret,
  UpdatedWebhook,
  Webhook,
  type WebhookFilters,
  WebhookList,
  WebhookListQuery,
} from './webhooks.ts';
export type { WorkspaceAgent } from './workspace-agents.ts';
export type { WorkspaceProcess } from './workspace-processes.ts';
export {
  type ChangeWorkspacePort,
  type CommandOutput,
  type CreateSnapshot,
  CreateWorkspace,
  type ForkWorkspace,
  type PortVisibility,
  RunCommand,
  Workspace,
  type WorkspaceCommand,
  type WorkspaceCommandResult,
  type WorkspaceLanguage,
  type WorkspaceMode,
  type WorkspacePort,
  type WorkspaceProblem,
  type WorkspaceProblemList,
  type WorkspaceSnapshot,
  type WorkspaceStatus,
  type WorkspaceTerminal,
  workspaceLanguages,
} from './workspaces.ts';
