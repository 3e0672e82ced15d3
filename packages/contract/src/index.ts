export {
  Accepted,
  AuthOptions,
  BrowserSession,
  BrowserSessionList,
  ChangePassword,
  ConfirmSecondFactor,
  ConfirmWithPassword,
  CurrentSession,
  DeletedAccount,
  EmailOnly,
  NewSecondFactor,
  RecoveryCodes,
  ResetPassword,
  SecondFactor,
  SignedUp,
  SignIn,
  SignUp,
  TokenOnly,
  VerifiedEmail,
} from './accounts.ts';
export {
  AdminHealth,
  AdminPlan,
  AdminPlanList,
  AdminUser,
  AdminUserList,
  AdminUserQuery,
  PatchAdminUser,
} from './admin.ts';
export { AdminAuditQuery, type AuditAction, AuditEntry, AuditLog, AuditQuery, auditActions } from './audit.ts';
export {
  Collaborator,
  CollaboratorList,
  CreateTransfer,
  Invitation,
  InvitationList,
  InviteCollaborator,
  PatchCollaborator,
  type Permission,
  permissions,
  permissionsOfRole,
  type Role,
  SentInvitation,
  Transfer,
  TransferList,
} from './collaborators.ts';
export {
  ApiKey,
  ApiKeyList,
  CreateApiKey,
  CreateService,
  NewApiKey,
  NewService,
  Overlap,
  Service,
  ServiceList,
} from './credentials.ts';
export {
  CreateDeployment,
  Deployment,
  DeploymentArtifacts,
  type DeploymentEnvironment,
  type DeploymentError,
  DeploymentList,
  DeploymentListQuery,
  DeploymentLogs,
  DeploymentLogsQuery,
  type DeploymentStatus,
  LogEntry,
} from './deployments.ts';
export { ErrorBody, type ErrorCode, errorCodes, type FieldError } from './errors.ts';
export {
  type EventData,
  type EventType,
  eventCatalogue,
  eventTypes,
  namesOf,
  ownNameOf,
  scopeToHear,
} from './events/catalogue.ts';
export { envelopeSchema, PingData, type WebhookFormat, webhookFormats } from './events/formats.ts';
export { dataSchema, shapeData } from './events/shapes.ts';
export {
  Branch,
  BranchList,
  Commit,
  CommitDetail,
  CommitList,
  CommitListQuery,
  CreateBranch,
  CreateCommit,
  CreateShareLink,
  File,
  FileContentQuery,
  FileList,
  FileListQuery,
  MoveFile,
  RawFileQuery,
  SearchQuery,
  SearchResults,
  ShareLink,
  WriteFile,
  WrittenFile,
} from './files.ts';
export { ClientMessage, CodeChange, fileOperations, liveCloseCodes, ServerMessage } from './live-messages.ts';
export {
  AuthorizedApp,
  AuthorizedAppList,
  CreateOauthApp,
  NewOauthApp,
  OauthApp,
  OauthAppList,
  PatchOauthApp,
} from './oauth.ts';
export type { PageInfo } from './primitives.ts';
export {
  CreateProject,
  DeletedProject,
  defaultProjectSettings,
  PatchProject,
  Project,
  ProjectDetail,
  ProjectList,
  type ProjectListItem,
  ProjectListQuery,
  type ProjectRepository,
  type ProjectSettings,
  type ProjectStatus,
  ReplaceProject,
} from './projects.ts';
export {
  effectiveRetryPolicy,
  type RetryPolicy,
  type RetryPolicyInput,
} from './retry-policies.ts';
export type { Answer, Body, Input, Params, Query } from './routes/client-types.ts';
export { type RoutesByAddress, routes } from './routes/index.ts';
export type { Access, Route } from './routes/route.ts';
export { unversionedRoutes } from './routes/unversioned.ts';
export { createNamedWebhook } from './routes/webhooks.ts';
export { allScopes, type Scope, scopeAllows, scopeAreas, scopeMeanings, scopesWithin } from './scopes.ts';
export {
  CommentQuery,
  type CommentType,
  CreateComment,
  commentTypes,
  SessionComment,
  SessionCommentList,
  TextPosition,
  UpdateComment,
} from './session-comments.ts';
export {
  CreateSession,
  ExtendSession,
  JoinedSession,
  JoinSession,
  Participant,
  ParticipantList,
  Session,
  SessionList,
  SessionListQuery,
  type SessionPermissions,
  type SessionRole,
  SocketTicket,
  sessionRoles,
  UpdateParticipant,
} from './sessions.ts';
export {
  PatchTemplate,
  PublishAnew,
  PublishTemplate,
  Template,
  TemplateList,
  TemplateListQuery,
  TemplateValues,
  TemplateVariable,
} from './templates.ts';
export { PatchUser, type Plan, plans, Usage, User } from './users.ts';
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
export {
  CreateCoreWebhook,
  CreateWebhook,
  RotateSecret,
  UpdateWebhook,
} from './webhook-inputs.ts';
export { EventLog, EventTypeList, WebhookStats, WebhookStatsQuery } from './webhook-stats.ts';
export {
  CreatedWebhook,
  DeletedWebhook,
  ListedWebhook,
  OffsetQuery,
  RotatedSecret,
  UpdatedWebhook,
  Webhook,
  type WebhookFilters,
  WebhookList,
  WebhookListQuery,
} from './webhooks.ts';
