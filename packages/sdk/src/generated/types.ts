// Made of the contract by `npm run generate -w @bottega/sdk`; changes belong there. It is as long as the contract.

export interface User {
  id: string;
  name: string;
  username: string;
  email: string;
  avatar_url: string;
  /** ISO 8601, UTC. */
  created_at: string;
  subscription: {
    plan: 'free' | 'pro' | 'enterprise';
    status: 'active' | 'past_due' | 'canceled';
    expires_at: string | null;
  };
  preferences: {
    theme: 'light' | 'dark' | 'system';
    /** BCP 47. */
    language: string;
    notifications: {
      email: boolean;
      push: boolean;
    };
  };
}

export interface PatchUser {
  name?: string | undefined;
  /** Must be the current address; it cannot be changed. */
  email?: string | undefined;
  /** 1 to 39 lower-case letters, digits, dots, dashes and underscores; unique. */
  username?: string | undefined;
  /** null: the generated picture. */
  avatar_url?: string | null | undefined;
  preferences?:
    | {
        theme?: 'light' | 'dark' | 'system' | undefined;
        language?: string | undefined;
        notifications?:
          | {
              email?: boolean | undefined;
              push?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
}

export interface Usage {
  plan: 'free' | 'pro' | 'enterprise';
  requests: {
    used: number;
    limit: number;
    remaining: number;
    /** Seconds. */
    window: number;
    /** ISO 8601, UTC. */
    reset_at: string;
    burst: {
      limit: number;
      remaining: number;
      window: number;
    };
  };
  projects: {
    used: number;
    /** null: no limit. */
    limit: number | null;
  };
  stored_bytes: {
    used: number;
    /** null: no limit. */
    limit: number | null;
  };
}

export interface UsageHistoryQuery {
  /** Number of days, including today. Default: `30`. */
  days?: number | undefined;
}

export interface UsageHistory {
  data: Array<UsageDay>;
}

export interface UsageDay {
  /** UTC. */
  date: string;
  /** Deployments that ended on this day, with any result. */
  deployments: number;
  /** Total time of these deployments from start to end. */
  build_seconds: number;
  /** null: not counted yet. */
  projects: number | null;
  /** null: not counted yet. */
  stored_bytes: number | null;
}

export interface AuditQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  action?: AuditAction | undefined;
  /** ISO 8601, UTC. */
  since?: string | undefined;
  /** ISO 8601, UTC. */
  until?: string | undefined;
}

export type AuditAction =
  | 'user.registered'
  | 'user.login'
  | 'user.login_failed'
  | 'user.logout'
  | 'user.email_verified'
  | 'user.password_changed'
  | 'user.password_reset_requested'
  | 'user.password_reset'
  | 'user.reset_link_created'
  | 'user.session_revoked'
  | 'user.second_factor_enabled'
  | 'user.second_factor_disabled'
  | 'user.second_factor_removed'
  | 'user.recovery_codes_created'
  | 'user.recovery_code_used'
  | 'user.deleted'
  | 'user.changed_by_admin'
  | 'user.suspended'
  | 'user.reinstated'
  | 'security.alert'
  | 'api_key.created'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | 'service.created'
  | 'service.rotated'
  | 'service.deleted'
  | 'service_account.created'
  | 'service_account.deleted'
  | 'oauth_app.created'
  | 'oauth_app.updated'
  | 'oauth_app.rotated'
  | 'oauth_app.deleted'
  | 'oauth_grant.created'
  | 'oauth_grant.revoked'
  | 'project.deleted'
  | 'project.restored'
  | 'project.purged'
  | 'project.transferred'
  | 'project.made_public'
  | 'collaborator.invited'
  | 'collaborator.joined'
  | 'collaborator.changed'
  | 'collaborator.removed'
  | 'domain.added'
  | 'domain.changed'
  | 'domain.removed'
  | 'session.created'
  | 'session.ended'
  | 'session.invite_rotated'
  | 'session.guest_joined'
  | 'session.participant_changed'
  | 'session.participant_removed'
  | 'variable.set'
  | 'variable.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.rotated'
  | 'webhook.deleted';

export interface AuditLog {
  data: Array<AuditEntry>;
  pagination: PageInfo;
}

export interface AuditEntry {
  id: string;
  /** Such as `user.login`. */
  action: string;
  /** The account that was affected. */
  account_id: string;
  /** The user who did it; null if unknown. */
  actor_id: string | null;
  credential: {
    kind: string;
    id: string;
  } | null;
  address: string | null;
  user_agent: string | null;
  request_id: string | null;
  /** The affected object, other than the account. */
  subject_id: string | null;
  /** null once the account is deleted. */
  account_name: string | null;
  actor_name: string | null;
  /** Name of the project or account; shown to administrators only. */
  subject_name: string | null;
  details: Record<string, unknown>;
  /** ISO 8601, UTC. */
  created_at: string;
}

export interface PageInfo {
  page: number;
  limit: number;
  total: number;
  total_pages: number;
}

export interface ApiKeyList {
  data: Array<ApiKey>;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the key, to tell keys apart. */
  hint: string;
  /** Empty means every scope. write:x includes read:x. */
  scopes: Array<Scope>;
  /** ISO 8601, UTC. */
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

export type Scope =
  | 'read:projects'
  | 'write:projects'
  | 'read:files'
  | 'write:files'
  | 'read:deployments'
  | 'write:deployments'
  | 'read:webhooks'
  | 'write:webhooks'
  | 'read:collaboration'
  | 'write:collaboration'
  | 'read:user'
  | 'write:user';

export interface CreateApiKey {
  name: string;
  /** Empty means every scope. write:x includes read:x. */
  scopes?: Array<Scope> | undefined;
  expires_at?: string | null | undefined;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** The first characters of the key, to tell keys apart. */
  hint: string;
  /** Empty means every scope. write:x includes read:x. */
  scopes: Array<Scope>;
  /** ISO 8601, UTC. */
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** Shown once. */
  key: string;
}

export interface Overlap {
  /** How long the former secret keeps working. Default: `86400`. */
  overlap_seconds?: number | undefined;
}

export interface ServiceList {
  data: Array<Service>;
}

export interface Service {
  id: string;
  /** The `iss` of its JWTs. */
  issuer: string;
  /** The `sub` of its JWTs. */
  user_id: string;
  /** One, or two during a rotation. */
  keys: Array<{
    kid: string;
    /** ISO 8601, UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601, UTC. */
  created_at: string;
}

export interface CreateService {
  /** Unique on this server. */
  issuer: string;
}

export interface NewService {
  id: string;
  /** The `iss` of its JWTs. */
  issuer: string;
  /** The `sub` of its JWTs. */
  user_id: string;
  /** One, or two during a rotation. */
  keys: Array<{
    kid: string;
    /** ISO 8601, UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601, UTC. */
  created_at: string;
  kid: string;
  /** Shown once. The HS256 key is the bytes of this text, undecoded. */
  secret: string;
}

export interface ServiceAccountList {
  data: Array<ServiceAccount>;
}

export interface ServiceAccount {
  /** The `sub` of JWTs that act as this account; any service of its owner can sign them. */
  id: string;
  name: string;
  /** The owner, whose rights limit it. */
  user_id: string;
  /** Empty means every scope. write:x includes read:x. */
  scopes: Array<Scope>;
  /** Projects it can access, within its owner's rights. */
  projects: Array<string>;
  /** ISO 8601, UTC. */
  created_at: string;
}

export interface CreateServiceAccount {
  name: string;
  /** Empty means every scope. write:x includes read:x. */
  scopes?: Array<Scope> | undefined;
  /** Ids of projects. */
  projects: Array<string>;
}

export interface OauthAppList {
  data: Array<OauthApp>;
}

export interface OauthApp {
  id: string;
  /** The same as the id. */
  client_id: string;
  name: string;
  /** A public app, such as one on a phone, has no secret and must use PKCE. */
  type: 'confidential' | 'public';
  redirect_uris: Array<string>;
  /** One, or two during a rotation; public apps have none. */
  secrets: Array<{
    hint: string;
    /** ISO 8601, UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
}

export interface CreateOauthApp {
  name: string;
  /** Compared exactly. https, or http on loopback. Public apps can use any loopback port, or a scheme of their own such as com.example.app:/callback. */
  redirect_uris: Array<string>;
  /** Default: `"confidential"`. */
  type?: 'confidential' | 'public' | undefined;
}

export interface NewOauthApp {
  id: string;
  /** The same as the id. */
  client_id: string;
  name: string;
  /** A public app, such as one on a phone, has no secret and must use PKCE. */
  type: 'confidential' | 'public';
  redirect_uris: Array<string>;
  /** One, or two during a rotation; public apps have none. */
  secrets: Array<{
    hint: string;
    /** ISO 8601, UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** Shown once; null for a public app. */
  client_secret: string | null;
}

export interface PatchOauthApp {
  name?: string | undefined;
  /** Compared exactly. https, or http on loopback. Public apps can use any loopback port, or a scheme of their own such as com.example.app:/callback. */
  redirect_uris?: Array<string> | undefined;
}

export interface AuthorizedAppList {
  data: Array<AuthorizedApp>;
}

export interface AuthorizedApp {
  app: {
    id: string;
    name: string;
  };
  /** Everything that you allowed the app. */
  scopes: Array<Scope>;
  /** ISO 8601, UTC. */
  authorized_at: string;
  /** When the app last got a token. */
  last_used_at: string | null;
}

export interface AdminUserQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Part of the name, username or address. */
  search?: string | undefined;
  plan?: 'free' | 'pro' | 'enterprise' | undefined;
  suspended?: boolean | undefined;
  is_admin?: boolean | undefined;
}

export interface AdminUserList {
  data: Array<AdminUser>;
  pagination: PageInfo;
}

export interface AdminUser {
  id: string;
  name: string;
  username: string;
  email: string;
  avatar_url: string;
  /** ISO 8601, UTC. */
  created_at: string;
  subscription: {
    plan: 'free' | 'pro' | 'enterprise';
    status: 'active' | 'past_due' | 'canceled';
    expires_at: string | null;
  };
  preferences: {
    theme: 'light' | 'dark' | 'system';
    /** BCP 47. */
    language: string;
    notifications: {
      email: boolean;
      push: boolean;
    };
  };
  /** ISO 8601, UTC. */
  updated_at: string;
  is_admin: boolean;
  email_verified: boolean;
  suspended: boolean;
  suspended_at: string | null;
  /** Whether signing in requires a code. */
  second_factor: boolean;
  /** Projects that the account owns. */
  projects_count: number;
  /** Bytes in all of its projects, including those in the trash. */
  stored_bytes: number;
}

export interface CreateAccount {
  email: string;
  name: string;
  /** Default: `"free"`. */
  plan?: 'free' | 'pro' | 'enterprise' | undefined;
  /** Default: `false`. */
  is_admin?: boolean | undefined;
}

export interface CreatedAccount {
  id: string;
  name: string;
  username: string;
  email: string;
  avatar_url: string;
  /** ISO 8601, UTC. */
  created_at: string;
  subscription: {
    plan: 'free' | 'pro' | 'enterprise';
    status: 'active' | 'past_due' | 'canceled';
    expires_at: string | null;
  };
  preferences: {
    theme: 'light' | 'dark' | 'system';
    /** BCP 47. */
    language: string;
    notifications: {
      email: boolean;
      push: boolean;
    };
  };
  /** ISO 8601, UTC. */
  updated_at: string;
  is_admin: boolean;
  email_verified: boolean;
  suspended: boolean;
  suspended_at: string | null;
  /** Whether signing in requires a code. */
  second_factor: boolean;
  /** Projects that the account owns. */
  projects_count: number;
  /** Bytes in all of its projects, including those in the trash. */
  stored_bytes: number;
  reset_link: ResetLink;
}

export interface ResetLink {
  /** Works once; shown once. */
  url: string;
  /** ISO 8601, UTC. */
  expires_at: string;
}

export interface PatchAdminUser {
  /** The same as `subscription.plan`. */
  plan?: 'free' | 'pro' | 'enterprise' | undefined;
  subscription?:
    | {
        plan?: 'free' | 'pro' | 'enterprise' | undefined;
        status?: 'active' | 'past_due' | 'canceled' | undefined;
        expires_at?: string | null | undefined;
      }
    | undefined;
  is_admin?: boolean | undefined;
  /** An administrator can confirm the address for the user. */
  email_verified?: boolean | undefined;
  /** A suspended account cannot sign in, and its credentials stop working. */
  suspended?: boolean | undefined;
}

export interface ConfirmWithPassword {
  password: string;
  /** Six digits from the authenticator app, or a recovery code. */
  code?: string | undefined;
}

export interface AdminProjectQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Default: `"created_at"`. */
  sort?: 'created_at' | 'stored_bytes' | undefined;
  /** Part of the name or of the owner's address. */
  search?: string | undefined;
  status?: 'active' | 'archived' | 'deleted' | undefined;
  owner_id?: string | undefined;
}

export interface AdminProjectList {
  data: Array<AdminProject>;
  pagination: PageInfo;
}

export interface AdminProject {
  id: string;
  name: string;
  owner: {
    id: string;
    name: string;
    email: string;
  };
  status: 'active' | 'archived' | 'deleted';
  public: boolean;
  files_count: number;
  stored_bytes: number;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  last_activity: string;
  deleted_at: string | null;
  purge_at: string | null;
}

export interface Project {
  id: string;
  name: string;
  description: string;
  status: ProjectStatus;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
}

export type ProjectStatus = 'active' | 'archived';

export interface ProjectOwner {
  id: string;
  name: string;
  /** Empty unless you are a member of the project. */
  email: string;
}

export interface ProjectSettings {
  /** Any signed-in user can see the content of the project: files, history, branches, comments, the names of its members, what is live. Only members can see how it is built and run: logs, variables, environments, previews, other deployments, pending domains, webhooks, events. Default: `false`. */
  public: boolean;
  /** Default: `true`. */
  collaboration_enabled: boolean;
  /** Default: `true`. */
  auto_save: boolean;
  /** Default: `true`. */
  version_control: boolean;
  /** Deploy `main` to production when it is pushed. Default: `false`. */
  auto_deploy: boolean;
  /** Deploy every other branch as a preview when it is pushed. Default: `true`. */
  auto_preview: boolean;
}

export interface ProjectRepository {
  url: string;
  branch: string;
  last_sync: string | null;
  /** State of the import. */
  status: 'idle' | 'syncing' | 'failed';
  /** Why the last import failed; null unless you are a member of the project. */
  error: string | null;
}

export interface AdminPlanList {
  data: Array<AdminPlan>;
}

export interface AdminPlan {
  plan: 'free' | 'pro' | 'enterprise';
  /** Number of accounts on this plan. */
  accounts: number;
  requests: {
    limit: number;
    /** Seconds. */
    window: number;
    burst: {
      limit: number;
      window: number;
    };
  };
  /** null: no limit. */
  projects: number | null;
  /** null: no limit. */
  stored_bytes: number | null;
  /** Per project; null: no limit. */
  files: number | null;
  /** Concurrent builds per account; null: no limit. */
  builds: number | null;
  /** Concurrent server apps per account; null: no limit. */
  apps: number | null;
  /** null: no limit. */
  domains: number | null;
}

export interface AdminHealth {
  status: 'ok' | 'degraded';
  /** ISO 8601, UTC. */
  checked_at: string;
  node: {
    uptime_seconds: number;
    memory_bytes: number;
    node_version: string;
    draining: boolean;
  };
  database: {
    latency_ms: number;
    size_bytes: number;
    connections: {
      total: number;
      idle: number;
      waiting: number;
    };
  };
  jobs: Array<{
    task: string;
    /** Jobs that can run now. */
    ready: number;
    /** Jobs that wait for their time, their next attempt, or another job of their account. */
    waiting: number;
    running: number;
    /** Jobs that failed in every attempt. */
    failed: number;
    oldest_ready_seconds: number | null;
  }>;
  workers: Array<{
    id: string;
    /** ISO 8601, UTC. */
    last_seen: string;
    alive: boolean;
  }>;
  /** What other parts of the service report. */
  parts: Record<string, unknown>;
}

export interface InstallationUsageHistory {
  data: Array<InstallationUsageDay>;
}

export interface InstallationUsageDay {
  /** UTC. */
  date: string;
  /** Deployments that ended on this day, with any result. */
  deployments: number;
  /** Total time of these deployments from start to end. */
  build_seconds: number;
  /** null: not counted yet. */
  projects: number | null;
  /** null: not counted yet. */
  stored_bytes: number | null;
  /** null: not counted yet. */
  accounts: number | null;
}

export interface AdminAuditQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  action?: AuditAction | undefined;
  /** ISO 8601, UTC. */
  since?: string | undefined;
  /** ISO 8601, UTC. */
  until?: string | undefined;
  account_id?: string | undefined;
  actor_id?: string | undefined;
}

export interface ProjectListQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Default: `"created_at"`. */
  sort?: 'name' | 'created_at' | 'updated_at' | undefined;
  /** Default: `"desc"`. */
  order?: 'asc' | 'desc' | undefined;
  /** Part of the name or description, case-insensitive. */
  search?: string | undefined;
  status?: ProjectStatus | undefined;
  /** List the public projects of all users instead of your own. */
  visibility?: 'public' | undefined;
  /** true: projects that you starred and can read, your own and other users'. */
  starred?: boolean | undefined;
}

export interface ProjectList {
  data: Array<ProjectListItem>;
  pagination: PageInfo;
}

export interface ProjectListItem {
  id: string;
  name: string;
  description: string;
  status: ProjectStatus;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
  /** Address of the live deployment. */
  live_url: string | null;
  stats: {
    files_count: number;
    collaborators_count: number;
    /** ISO 8601, UTC. */
    last_activity: string;
  };
}

export interface ProjectDetail {
  id: string;
  name: string;
  description: string;
  status: ProjectStatus;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
  collaborators: Array<ProjectCollaborator>;
  /** Address of the live deployment. */
  live_url: string | null;
}

export interface ProjectCollaborator {
  /** User id. */
  id: string;
  name: string;
  /** Empty unless you are a member of the project. */
  email: string;
  role: string;
  joined_at: string | null;
}

export interface CreateProject {
  /** Surrounding white space is removed. */
  name: string;
  description?: string | undefined;
  template?: string | undefined;
  template_variables?: Record<string, string | boolean> | undefined;
  settings?:
    | {
        public?: boolean | undefined;
        collaboration_enabled?: boolean | undefined;
        auto_save?: boolean | undefined;
        version_control?: boolean | undefined;
        auto_deploy?: boolean | undefined;
        auto_preview?: boolean | undefined;
      }
    | undefined;
  repository?:
    | {
        /** http or https address of a git repository, without credentials. */
        url: string;
        /** Default: `"main"`. */
        branch?: string | undefined;
      }
    | null
    | undefined;
}

export interface ReplaceProject {
  /** Surrounding white space is removed. */
  name: string;
  description?: string | undefined;
  status?: ProjectStatus | undefined;
  settings?:
    | {
        public?: boolean | undefined;
        collaboration_enabled?: boolean | undefined;
        auto_save?: boolean | undefined;
        version_control?: boolean | undefined;
        auto_deploy?: boolean | undefined;
        auto_preview?: boolean | undefined;
      }
    | undefined;
  repository?:
    | {
        /** http or https address of a git repository, without credentials. */
        url: string;
        /** Default: `"main"`. */
        branch?: string | undefined;
      }
    | null
    | undefined;
}

export interface PatchProject {
  /** Surrounding white space is removed. */
  name?: string | undefined;
  description?: string | null | undefined;
  status?: ProjectStatus | undefined;
  settings?:
    | {
        public?: boolean | null | undefined;
        collaboration_enabled?: boolean | null | undefined;
        auto_save?: boolean | null | undefined;
        version_control?: boolean | null | undefined;
        auto_deploy?: boolean | null | undefined;
        auto_preview?: boolean | null | undefined;
      }
    | null
    | undefined;
  repository?:
    | {
        /** http or https address of a git repository, without credentials. */
        url?: string | undefined;
        branch?: string | null | undefined;
      }
    | null
    | undefined;
}

export interface TrashQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
}

export interface Trash {
  data: Array<TrashedProject>;
  pagination: PageInfo;
}

export interface TrashedProject {
  id: string;
  name: string;
  description: string;
  status: ProjectStatus;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
  /** ISO 8601, UTC. */
  deleted_at: string;
  /** When it is deleted for good; it can be restored until then. */
  purge_at: string | null;
  /** Bytes that still count towards the storage limit of your plan. */
  stored_bytes: number;
}

export interface PurgeProject {
  /** The project's name, as confirmation. */
  name: string;
}

export interface PurgeProjectAnswer {
  message: string;
}

export interface Stars {
  /** Projects that you can read, most recently starred first; at most 500. */
  project_ids: Array<string>;
}

export interface SyncRepositoryAnswer {
  status: 'syncing';
}

export interface ArchiveQuery {
  /** Default: `"zip"`. */
  format?: 'zip' | 'tar.gz' | undefined;
  /** A branch, tag or commit. */
  ref?: string | undefined;
}

export interface CollaboratorList {
  data: Array<Collaborator>;
}

export interface Collaborator {
  id: string;
  /** Until the invitation is accepted, only `email`, the invited address, is set. */
  user: {
    id: string | null;
    name: string | null;
    /** Empty unless you are a member of the project. */
    email: string;
    avatar_url: string | null;
  };
  role: 'admin' | 'editor' | 'viewer';
  permissions: Array<'read' | 'write' | 'comment' | 'manage'>;
  /** User id; null unless you are a member of the project. */
  invited_by: string | null;
  /** ISO 8601, UTC. */
  invited_at: string;
  joined_at: string | null;
  /** `expired`: the invitation was not answered in time; it can be sent again. */
  status: 'pending' | 'active' | 'expired';
  expires_at: string | null;
}

export interface InviteCollaborator {
  email: string;
  /** Default: `"viewer"`. */
  role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** Narrows or widens the role; always includes `read`. Defaults to the permissions of the role. */
  permissions?: Array<'read' | 'write' | 'comment' | 'manage'> | undefined;
  message?: string | undefined;
}

export interface SentInvitation {
  id: string;
  /** Until the invitation is accepted, only `email`, the invited address, is set. */
  user: {
    id: string | null;
    name: string | null;
    /** Empty unless you are a member of the project. */
    email: string;
    avatar_url: string | null;
  };
  role: 'admin' | 'editor' | 'viewer';
  permissions: Array<'read' | 'write' | 'comment' | 'manage'>;
  /** User id; null unless you are a member of the project. */
  invited_by: string | null;
  /** ISO 8601, UTC. */
  invited_at: string;
  joined_at: string | null;
  /** `expired`: the invitation was not answered in time; it can be sent again. */
  status: 'pending' | 'active' | 'expired';
  expires_at: string | null;
  message: string;
  /** The link to pass on if the service sends no mail; otherwise null. Shown once. */
  invitation_url: string | null;
}

export interface PatchCollaborator {
  /** Also sets the permissions of the role, unless `permissions` is given. */
  role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** null: the permissions of the role. */
  permissions?: Array<'read' | 'write' | 'comment' | 'manage'> | null | undefined;
}

export interface NotificationQuery {
  /** true: only unread notifications. */
  unread?: boolean | undefined;
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
}

export interface NotificationList {
  data: Array<
    | InvitationNotification
    | MentionNotification
    | CommentNotification
    | FailedDeploymentNotification
    | SessionNotification
    | WebhookNotification
    | DomainNotification
  >;
  pagination: PageInfo;
  /** Number of unread notifications. */
  unread: number;
}

export interface InvitationNotification {
  id: string;
  type: 'invitation';
  project: {
    id: string;
    name: string;
  } | null;
  actor: {
    id: string;
    name: string;
    username: string;
    avatar_url: string;
  } | null;
  data: {
    invitation_id: string;
    role: string;
  };
  /** ISO 8601, UTC. */
  created_at: string;
  read_at: string | null;
}

export interface MentionNotification {
  id: string;
  type: 'mention';
  project: {
    id: string;
    name: string;
  } | null;
  actor: {
    id: string;
    name: string;
    username: string;
    avatar_url: string;
  } | null;
  data: {
    comment_id: string;
    file_path: string;
    line: number;
    /** The beginning of the comment. */
    excerpt: string;
  };
  /** ISO 8601, UTC. */
  created_at: string;
  read_at: string | null;
}

export interface CommentNotification {
  id: string;
  type: 'comment';
  project: {
    id: string;
    name: string;
  } | null;
  actor: {
    id: string;
    name: string;
    username: string;
    avatar_url: string;
  } | null;
  data: {
    comment_id: string;
    file_path: string;
    line: number;
    /** The beginning of the comment. */
    excerpt: string;
  };
  /** ISO 8601, UTC. */
  created_at: string;
  read_at: string | null;
}

export interface FailedDeploymentNotification {
  id: string;
  type: 'deployment_failed';
  project: {
    id: string;
    name: string;
  } | null;
  actor: {
    id: string;
    name: string;
    username: string;
    avatar_url: string;
  } | null;
  data: {
    deployment_id: string;
    environment: string;
    reason: string;
  };
  /** ISO 8601, UTC. */
  created_at: string;
  read_at: string | null;
}

export interface SessionNotification {
  id: string;
  type: 'session_started';
  project: {
    id: string;
    name: string;
  } | null;
  actor: {
    id: string;
    name: string;
    username: string;
    avatar_url: string;
  } | null;
  data: {
    session_id: string;
    session_name: string;
  };
  /** ISO 8601, UTC. */
  created_at: string;
  read_at: string | null;
}

export interface WebhookNotification {
  id: string;
  type: 'webhook_disabled';
  project: {
    id: string;
    name: string;
  } | null;
  actor: {
    id: string;
    name: string;
    username: string;
    avatar_url: string;
  } | null;
  data: {
    webhook_id: string;
    webhook_name: string;
    reason: string;
  };
  /** ISO 8601, UTC. */
  created_at: string;
  read_at: string | null;
}

export interface DomainNotification {
  id: string;
  type: 'domain_failed';
  project: {
    id: string;
    name: string;
  } | null;
  actor: {
    id: string;
    name: string;
    username: string;
    avatar_url: string;
  } | null;
  data: {
    domain_id: string;
    domain: string;
    reason: string;
  };
  /** ISO 8601, UTC. */
  created_at: string;
  read_at: string | null;
}

export interface ReadNotifications {
  ids?: Array<string> | undefined;
  /** Instead of ids. */
  all?: true | undefined;
}

export interface NotificationsRead {
  /** Number of unread notifications. */
  unread: number;
}

export interface InvitationList {
  data: Array<Invitation>;
}

export interface Invitation {
  id: string;
  project: {
    id: string;
    name: string;
  };
  inviter: {
    id: string;
    name: string;
    email: string;
    avatar_url: string;
  } | null;
  /** The invited address. */
  email: string;
  role: 'admin' | 'editor' | 'viewer';
  permissions: Array<'read' | 'write' | 'comment' | 'manage'>;
  message: string;
  status: 'pending' | 'expired';
  /** ISO 8601, UTC. */
  invited_at: string;
  expires_at: string | null;
}

export interface InvitationPreview {
  project: {
    name: string;
  };
  inviter: {
    name: string;
  } | null;
  role: 'admin' | 'editor' | 'viewer';
  status: 'pending' | 'expired';
}

export interface TransferList {
  data: Array<Transfer>;
}

export interface Transfer {
  project: {
    id: string;
    name: string;
  };
  from: {
    id: string;
    name: string;
    email: string;
  };
  /** Until the transfer is accepted, the owner sees only the address or the id that was given. */
  to: {
    id: string | null;
    name: string | null;
    email: string | null;
  };
  status: 'pending' | 'expired';
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  expires_at: string;
}

/** The new owner, by address or by id. */
export interface CreateTransfer {
  email?: string | undefined;
  user_id?: string | undefined;
}

export interface FileListQuery {
  /** Directory; default: the root. */
  path?: string | undefined;
  /** Default: `false`. */
  recursive?: boolean | undefined;
  type?: 'file' | 'directory' | undefined;
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** The branch to read; default: `main`. Cannot be combined with `ref`. */
  branch?: string | undefined;
  /** Page size; follow `next`. */
  limit?: number | undefined;
  /** List entries after this path. */
  cursor?: string | undefined;
}

export interface FileList {
  data: Array<File>;
}

export interface File {
  id: string;
  name: string;
  path: string;
  type: 'file' | 'directory';
  /** Files only. */
  size?: number;
  /** Files only. */
  mime_type?: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** `sha256:` followed by the hex digest; files only. */
  checksum?: string;
}

export interface FileContentQuery {
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** The branch to read; default: `main`. Cannot be combined with `ref`. */
  branch?: string | undefined;
  /** Default: `false`. */
  download?: boolean | undefined;
}

export interface MoveFile {
  /** Each name at most 255 bytes, at most 64 levels; no control characters and no segment `.`, `..` or `.git`. */
  path: string;
  message?: string | undefined;
  /** The branch to write to; default: `main`. 404 if it does not exist. */
  branch?: string | undefined;
  /** If `branch` does not exist, it is created from this branch, tag or commit with the same write. */
  create_branch_from?: string | undefined;
}

export interface WrittenFile {
  id: string;
  name: string;
  path: string;
  type: 'file' | 'directory';
  /** Files only. */
  size?: number;
  /** Files only. */
  mime_type?: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** `sha256:` followed by the hex digest; files only. */
  checksum?: string;
  /** null without version control. */
  commit_sha: string | null;
  /** Present if the request names a branch. */
  branch?: string;
}

export interface DeleteFileQuery {
  /** The branch to write to; default: `main`. 404 if it does not exist. */
  branch?: string | undefined;
  /** If `branch` does not exist, it is created from this branch, tag or commit with the same write. */
  create_branch_from?: string | undefined;
}

export interface SearchQuery {
  q: string;
  /** Default: `20`. */
  limit?: number | undefined;
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** The branch to read; default: `main`. Cannot be combined with `ref`. */
  branch?: string | undefined;
}

export interface SearchResults {
  data: Array<{
    file_id: string;
    path: string;
    /** Counted from 1. */
    line: number;
    /** Counted from 1, in UTF-16 code units. */
    column: number;
    excerpt: string;
  }>;
  /** Whether more matches exist, or some files were too large to search. */
  truncated: boolean;
}

export interface CreateShareLink {
  /** Seconds. Default: `86400`. */
  expires_in?: number | undefined;
}

export interface ShareLink {
  url: string;
  /** ISO 8601, UTC. */
  expires_at: string;
  file_id: string;
  path: string;
}

export interface CommitListQuery {
  path?: string | undefined;
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** The branch to read; default: `main`. Cannot be combined with `ref`. */
  branch?: string | undefined;
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Start of the page, from the `next` link of the previous page; `page` is then only echoed. */
  cursor?: string | undefined;
}

export interface CommitList {
  data: Array<Commit>;
  pagination: PageInfo;
}

export interface Commit {
  sha: string;
  /** The first 65,536 characters at most. */
  message: string;
  /** Whether `message` was cut. */
  message_truncated: boolean;
  author: {
    name: string;
    email: string;
  };
  /** ISO 8601, UTC. */
  committed_at: string;
  parents: Array<string>;
  /** Present if the request that made the commit names a branch. */
  branch?: string;
}

export interface CommitQuery {
  /** How many files include `diff` and counts; request others with `path`. Default: `300`. */
  diffs?: number | undefined;
  /** Only the file at this path, as the commit left or deleted it. */
  path?: string | undefined;
}

export interface CommitDetail {
  sha: string;
  /** The first 65,536 characters at most. */
  message: string;
  /** Whether `message` was cut. */
  message_truncated: boolean;
  author: {
    name: string;
    email: string;
  };
  /** ISO 8601, UTC. */
  committed_at: string;
  parents: Array<string>;
  /** Present if the request that made the commit names a branch. */
  branch?: string;
  files: Array<{
    path: string;
    /** The path before a rename. */
    previous_path: string | null;
    status: 'added' | 'modified' | 'deleted' | 'renamed';
    additions: number;
    deletions: number;
    /** Unified diff; null if the file is binary or very large, or the response reached its size limit. */
    diff: string | null;
  }>;
  /** Whether files are missing, or lack `diff` and counts, because there are too many. Files that a smaller `diffs` leaves out do not count. */
  truncated: boolean;
}

export interface CreateCommit {
  message?: string | undefined;
  /** The branch to write to; default: `main`. 404 if it does not exist. */
  branch?: string | undefined;
  /** If `branch` does not exist, it is created from this branch, tag or commit with the same write. */
  create_branch_from?: string | undefined;
  changes: Array<{
    action: 'create' | 'update' | 'delete' | 'move';
    /** Each name at most 255 bytes, at most 64 levels; no control characters and no segment `.`, `..` or `.git`. */
    path: string;
    /** Each name at most 255 bytes, at most 64 levels; no control characters and no segment `.`, `..` or `.git`. */
    new_path?: string | undefined;
    content?: string | undefined;
    /** utf-8 or base64, case-insensitive. */
    encoding?: string | undefined;
    /** The checksum that the file must have before the commit; otherwise nothing changes and the response is 412. */
    expected_checksum?: string | undefined;
  }>;
}

export interface BranchList {
  data: Array<Branch>;
}

export interface Branch {
  name: string;
  sha: string;
  is_default: boolean;
  /** ISO 8601, UTC. */
  updated_at: string;
}

export interface CreateBranch {
  name: string;
  /** Default: the default branch. */
  from?: string | undefined;
}

export interface CompareQuery {
  /** A branch, a tag or a commit. */
  base: string;
  /** A branch, a tag or a commit. */
  head: string;
  /** Counts only: no commits, no files, and `mergeable` is null. Default: `false`. */
  summary?: boolean | undefined;
}

export interface Comparison {
  /** The commit that `base` names. */
  base: string;
  /** The commit that `head` names. */
  head: string;
  merge_base: string | null;
  status: 'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated';
  /** Commits in `head` but not in `base`. */
  ahead: number;
  /** Commits in `base` but not in `head`. */
  behind: number;
  /** Commits in `head` but not in `base`, newest first; at most 100. */
  commits: Array<Commit>;
  files: Array<{
    path: string;
    /** The path before a rename. */
    previous_path: string | null;
    status: 'added' | 'modified' | 'deleted' | 'renamed';
    additions: number;
    deletions: number;
    /** Unified diff; null if the file is binary or very large, or the response reached its size limit. */
    diff: string | null;
  }>;
  /** Whether files are missing, or lack `diff` and counts, because there are too many. Files that a smaller `diffs` leaves out do not count. */
  truncated: boolean;
  mergeable: boolean | null;
  /** Paths with conflicting changes. */
  conflicts: Array<string>;
}

export interface CreateMerge {
  /** A branch, a tag or a commit. */
  source: string;
  /** The branch to merge into. */
  target: string;
  /** `merge` creates a commit with both parents, `squash` creates a commit on `target` alone, `fast-forward` moves `target` to `source`. Default: `"merge"`. */
  strategy?: 'merge' | 'squash' | 'fast-forward' | undefined;
  message?: string | undefined;
  /** The commit that `source` must be; otherwise the response is 409. */
  source_sha?: string | undefined;
  /** The commit that `target` must be at; otherwise the response is 409. */
  target_sha?: string | undefined;
  /** One for each conflict, with exactly one of `content`, `delete` and `take`. */
  resolutions?:
    | Array<{
        /** Each name at most 255 bytes, at most 64 levels; no control characters and no segment `.`, `..` or `.git`. */
        path: string;
        /** The resolved content of the file. */
        content?: string | undefined;
        /** utf-8 or base64, case-insensitive. */
        encoding?: string | undefined;
        /** Delete the file. */
        delete?: true | undefined;
        /** Take the file with its mode from `target` (ours) or `source` (theirs); if that side has no such file, it is deleted. */
        take?: 'ours' | 'theirs' | undefined;
      }>
    | undefined;
}

export interface TemplateListQuery {
  category?: string | undefined;
  language?: string | undefined;
  featured?: boolean | undefined;
}

export interface TemplateList {
  data: Array<Template>;
}

export interface Template {
  id: string;
  name: string;
  description: string;
  category: string;
  language: string;
  tags: Array<string>;
  featured: boolean;
  author: {
    name: string;
    /** null for templates of users. */
    url: string | null;
  };
  preview_url: string;
  repository_url: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** `private`: only its author; `public`: everybody. Only administrators can make a template public. */
  visibility: 'private' | 'public';
  variables: Array<TemplateVariable>;
  /** Increases with each new version. */
  version: number;
  files_count: number;
}

export interface TemplateVariable {
  name: string;
  type: 'string' | 'boolean' | 'choice';
  label?: string;
  default?: string | boolean;
  /** The value must not be empty. */
  required?: boolean;
  /** For the type `choice` only. */
  choices?: Array<string>;
  /** Regular expression that the whole string must match: characters, classes and quantifiers, no groups. */
  pattern?: string;
  /** For the type `string` only. */
  max_length?: number;
}

export interface PublishTemplate {
  project_id: string;
  name: string;
  description?: string | undefined;
  category?: string | undefined;
  language?: string | undefined;
  tags?: Array<string> | undefined;
  /** `private`: only its author; `public`: everybody. Only administrators can make a template public. */
  visibility?: 'private' | 'public' | undefined;
  /** Set by administrators only. */
  featured?: boolean | undefined;
  variables?: Array<TemplateVariable> | undefined;
}

export interface PublishAnew {
  project_id?: string | undefined;
}

export interface PatchTemplate {
  name?: string | undefined;
  description?: string | null | undefined;
  category?: string | null | undefined;
  language?: string | null | undefined;
  tags?: Array<string> | null | undefined;
  visibility?: 'private' | 'public' | null | undefined;
  featured?: boolean | null | undefined;
  variables?: Array<TemplateVariable> | null | undefined;
}

export interface DeploymentListQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `100`. */
  limit?: number | undefined;
  /** `production` goes live automatically; any other name is a preview. */
  environment?: string | undefined;
  status?: 'pending' | 'building' | 'success' | 'failed' | 'canceled' | undefined;
}

export interface DeploymentList {
  data: Array<Deployment>;
  pagination: PageInfo;
}

export interface Deployment {
  id: string;
  project_id: string;
  /** Empty unless you are a member of the project. */
  build_id: string;
  status: 'pending' | 'building' | 'success' | 'failed' | 'canceled';
  /** `production` goes live automatically; any other name is a preview. */
  environment: string;
  branch: string;
  /** The same value as in its events. */
  trigger: 'manual' | 'push' | 'redeploy';
  /** The deployment’s own address; null until it succeeds and after its files are purged. */
  url: string | null;
  /** Previews only: the address of the newest preview of the branch. */
  branch_url: string | null;
  /** Previews only: when its branch was deleted or it expired; it is no longer served. */
  retired_at: string | null;
  /** All null without version control. */
  commit: {
    sha: string | null;
    message: string | null;
    author: string | null;
  };
  /** As requested; null: taken from bottega.json. */
  build_command: string | null;
  /** As requested; null: taken from bottega.json, or detected. */
  output_directory: string | null;
  /** Names only; the values are write-only. */
  environment_variables: Array<string>;
  /** Names that were set for this deployment, not for the project. */
  own_environment_variables: Array<string>;
  /** ISO 8601, UTC. */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** Seconds. */
  duration: number | null;
  /** 1 is the next to start; null unless pending. */
  queue_position: number | null;
  /** null for static files. */
  app: {
    status: 'starting' | 'running' | 'sleeping' | 'failed';
    /** Restarts since the last fresh start. */
    restarts: number;
    /** Why it last exited, or why it cannot start. */
    problem: string | null;
  } | null;
  /** Whether the project’s live address serves this deployment. */
  is_live: boolean;
  /** Empty unless you are a member of the project. */
  logs_url: string;
  error: {
    type:
      | 'build_failed'
      | 'timed_out'
      | 'out_of_memory'
      | 'out_of_disk'
      | 'sandbox_unavailable'
      | 'nothing_to_serve'
      | 'bad_project_file'
      | 'too_large'
      | 'plan_limit'
      | 'unhealthy'
      | 'worker_lost'
      | 'canceled'
      | 'internal';
    message: string;
    /** Exit code of the build command, or of an app that exited before it was ready. */
    exit_code: number | null;
    /** The most telling line of standard error, as in the log. */
    output?: string | null;
    /** Where the error is, according to the output. */
    source?: {
      /** Path relative to the project’s root. */
      file: string;
      /** Counted from 1. */
      line: number | null;
      /** Counted from 1. */
      column: number | null;
    } | null;
  } | null;
}

export interface EnvironmentList {
  data: Array<Environment>;
}

export interface Environment {
  /** `production` goes live automatically; any other name is a preview. */
  name: string;
  /** null if the environment has variables but no deployment. */
  latest_deployment: Deployment | null;
}

export interface CreateDeployment {
  /** `production` goes live automatically; any other name is a preview. Default: `"production"`. */
  environment?: string | undefined;
  /** Default: `"main"`. */
  branch?: string | undefined;
  /** Run by `sh`. Empty: no build, even if bottega.json names a command. */
  build_command?: string | undefined;
  /** Relative to the project’s root, such as `dist`. Default: taken from bottega.json, or detected. */
  output_directory?: string | undefined;
  /** Added to the project’s variables; they replace variables of the same name. Encrypted at rest, masked in logs. Default: the values of the last deployment to the environment. */
  environment_variables?: Record<string, string> | undefined;
}

export interface DeploymentLogsQuery {
  /** Only lines after this `seq`. */
  after?: number | undefined;
  /** Maximum number of lines; default: all. */
  limit?: number | undefined;
  /** Only lines from this source; default: all. */
  source?: 'build' | 'runtime' | undefined;
}

export interface DeploymentLogs {
  logs: Array<LogEntry>;
}

export interface LogEntry {
  /** Increases with each line; pass it as `after`. */
  seq: number;
  /** ISO 8601, UTC. */
  timestamp: string;
  level: 'info' | 'warn' | 'error';
  stream: 'system' | 'stdout' | 'stderr' | 'app';
  /** `runtime`: from a running server app, or about it. */
  source: 'build' | 'runtime';
  message: string;
}

export interface DeploymentArtifacts {
  build_id: string;
  /** Total bytes. */
  size: number;
  artifacts: Array<{
    /** Path relative to the output directory. */
    name: string;
    size: number;
    mime_type: string;
    /** `sha256:` followed by the hex digest. */
    checksum: string;
    /** null for the files of a server app. */
    url: string | null;
  }>;
}

export interface VariableList {
  data: Array<Variable>;
}

export interface Variable {
  id: string;
  project_id: string;
  name: string;
  kind: 'secret' | 'plain';
  /** null for a secret, and if you cannot change the variable. */
  value: string | null;
  /** null: every environment without a value of its own. */
  environments: Array<string> | null;
  /** Increases with every change. */
  version: number;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** The user who last changed it; null once the account is deleted. */
  updated_by: {
    id: string;
    name: string;
  } | null;
}

export interface PutVariable {
  value: string;
  /** Default: every environment without a value of its own. */
  environments?: Array<string> | undefined;
  /** The value of a secret is never shown again. Default: `"secret"`. */
  kind?: 'secret' | 'plain' | undefined;
}

export interface DeleteVariableQuery {
  /** Delete the value in these environments only, separated by commas; `*` is the value for every environment. Default: all values. */
  environments?: string | undefined;
}

export interface DomainList {
  data: Array<Domain>;
}

export interface Domain {
  id: string;
  project_id: string;
  /** In lower-case ASCII. */
  domain: string;
  /** `verified`: you have proved that you own it, and the service answers requests for it. `active`: it also points here and, if the service uses TLS, has a certificate. */
  state: 'pending' | 'verified' | 'active' | 'failed';
  /** Why the domain is not active; null if there is no problem. */
  reason: {
    type:
      | 'proof_missing'
      | 'lookup_failed'
      | 'held_elsewhere'
      | 'not_leading_here'
      | 'certificate_awaited'
      | 'certificate_failed'
      | 'certificate_limit';
    message: string;
  } | null;
  /** Another domain of the project that visitors are redirected to. */
  redirect_to: string | null;
  /** Records to set at the DNS provider of the domain: either the CNAME alone, or the TXT and one of the addresses. */
  records: Array<{
    type: 'TXT' | 'CNAME' | 'A' | 'AAAA';
    name: string;
    value: string;
    /** `proof` proves that you own the domain, `address` points visitors here; a CNAME does both. */
    purpose: 'proof' | 'address';
    /** Whether the record was found at the last check. */
    is_set: boolean;
  }>;
  /** ISO 8601, UTC. */
  created_at: string;
  verified_at: string | null;
  checked_at: string | null;
}

export interface AddDomain {
  domain: string;
  /** Another domain of the same project, such as the name without www; null: no redirect. */
  redirect_to?: string | null | undefined;
}

export interface PatchDomain {
  /** Another domain of the same project, such as the name without www; null: no redirect. */
  redirect_to?: string | null | undefined;
}

export interface WebhookListQuery {
  /** Default: `20`. */
  limit?: number | undefined;
  /** Default: `0`. */
  offset?: number | undefined;
  project_id?: string | undefined;
  active?: boolean | undefined;
  /** Default: `"created_at"`. */
  sort?: 'created_at' | 'updated_at' | 'name' | undefined;
  /** Default: `"desc"`. */
  order?: 'asc' | 'desc' | undefined;
}

export interface WebhookList {
  webhooks: Array<ListedWebhook>;
  total: number;
  pagination: OffsetPage;
}

export interface ListedWebhook {
  webhook_id: string;
  url: string;
  events: Array<string>;
  name: string;
  description: string;
  active: boolean;
  project_id: string | null;
  format: 'reference' | 'core' | 'guide';
  ordered: boolean;
  filters: WebhookFilters | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** User id. */
  created_by: string;
  /** Why the service disabled the webhook. */
  disabled_reason: string | null;
  disabled_at: string | null;
  /** Deliveries are paused until then, after repeated failures. */
  paused_until: string | null;
  stats: {
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    last_delivery: string | null;
    /** Percentage of completed deliveries; 0 if there are none. */
    success_rate: number;
  };
}

export interface WebhookFilters {
  /** Only events of these projects. */
  projects?: Array<string>;
  /** Only events whose file path matches one of these patterns, such as `/src/**\/*.ts`. `*` and `?` match within a name, `**` matches any directories. Events without a file path are not filtered. */
  paths?: Array<string>;
}

export interface OffsetPage {
  limit: number;
  offset: number;
  has_more: boolean;
}

export interface CreateCoreWebhook {
  /** An https URL without user name and password. */
  url: string;
  /** Event names in any of the three formats, prefixes such as `project.*`, or `*`. The first entry that matches decides the name that is delivered. */
  events: Array<string>;
  name?: string | undefined;
  description?: string | undefined;
  secret?: string | null | undefined;
  active?: boolean | undefined;
  headers?: Record<string, string> | null | undefined;
  /** Seconds for the whole request; at most 60. */
  timeout?: number | undefined;
  /** Overrides parts of the default policy of the format. In an update, omitted fields stay as they are, and null restores the default. */
  retry_policy?: RetryPolicyInput | null | undefined;
  /** Send the deliveries of a project one at a time, in the order of its events. */
  ordered?: boolean | undefined;
  filters?: WebhookFilters | null | undefined;
  project_id?: string | null | undefined;
  /** Sets the payload, the event names and the default retry policy. */
  format?: 'reference' | 'core' | 'guide' | undefined;
}

export interface RetryPolicyInput {
  /** Including the first attempt. */
  max_attempts?: number | undefined;
  /** Delay after an attempt: initial_delay × attempt, initial_delay × 2^(attempt − 1), or initial_delay; at most max_delay. */
  backoff_strategy?: 'linear' | 'exponential' | 'fixed' | undefined;
  /** Milliseconds. */
  initial_delay?: number | undefined;
  /** Milliseconds. */
  max_delay?: number | undefined;
  /** null: 500 and above. */
  retry_on_status?: Array<number> | null | undefined;
  retry_on_timeout?: boolean | undefined;
}

export interface CreatedWebhook {
  webhook_id: string;
  url: string;
  events: Array<string>;
  name: string;
  description: string;
  active: boolean;
  project_id: string | null;
  format: 'reference' | 'core' | 'guide';
  ordered: boolean;
  filters: WebhookFilters | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** User id. */
  created_by: string;
  /** Why the service disabled the webhook. */
  disabled_reason: string | null;
  disabled_at: string | null;
  /** Deliveries are paused until then, after repeated failures. */
  paused_until: string | null;
  headers: Record<string, string>;
  /** Seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  /** Until then, `webhook-signature` also includes a signature with the former secret. */
  previous_secret_until: string | null;
  secret: string;
  stats: {
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    last_delivery: string | null;
  };
}

export interface RetryPolicy {
  /** Including the first attempt. */
  max_attempts: number;
  /** Delay after an attempt: initial_delay × attempt, initial_delay × 2^(attempt − 1), or initial_delay; at most max_delay. */
  backoff_strategy: 'linear' | 'exponential' | 'fixed';
  /** Milliseconds. */
  initial_delay: number;
  /** Milliseconds. */
  max_delay: number;
  /** Status codes that cause a retry. Default: 500 and above. */
  retry_on_status: Array<number>;
  retry_on_timeout: boolean;
}

export interface Webhook {
  webhook_id: string;
  url: string;
  events: Array<string>;
  name: string;
  description: string;
  active: boolean;
  project_id: string | null;
  format: 'reference' | 'core' | 'guide';
  ordered: boolean;
  filters: WebhookFilters | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** User id. */
  created_by: string;
  /** Why the service disabled the webhook. */
  disabled_reason: string | null;
  disabled_at: string | null;
  /** Deliveries are paused until then, after repeated failures. */
  paused_until: string | null;
  headers: Record<string, string>;
  /** Seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  /** Until then, `webhook-signature` also includes a signature with the former secret. */
  previous_secret_until: string | null;
  /** null without the scope write:webhooks. */
  secret: string | null;
  stats: WebhookDeliveryCounts;
  recent_deliveries: Array<{
    delivery_id: string;
    event_type: string;
    status: 'success' | 'failed' | 'pending';
    response_code: number | null;
    /** Milliseconds. */
    response_time: number | null;
    /** Time of the last attempt. */
    delivered_at: string | null;
    attempts: number;
    /** Why the last attempt failed; absent if it succeeded. */
    error?: string;
  }>;
}

export interface WebhookDeliveryCounts {
  total_deliveries: number;
  successful_deliveries: number;
  failed_deliveries: number;
  last_delivery: string | null;
  /** Percentage of completed deliveries; 0 if there are none. */
  success_rate: number;
  /** Milliseconds. */
  average_response_time: number;
}

export interface UpdateWebhook {
  /** An https URL without user name and password. */
  url?: string | undefined;
  /** Event names in any of the three formats, prefixes such as `project.*`, or `*`. The first entry that matches decides the name that is delivered. */
  events?: Array<string> | undefined;
  name?: string | undefined;
  description?: string | undefined;
  secret?: string | null | undefined;
  active?: boolean | undefined;
  headers?: Record<string, string> | null | undefined;
  /** Seconds for the whole request; at most 60. */
  timeout?: number | undefined;
  /** Overrides parts of the default policy of the format. In an update, omitted fields stay as they are, and null restores the default. */
  retry_policy?: RetryPolicyInput | null | undefined;
  /** Send the deliveries of a project one at a time, in the order of its events. */
  ordered?: boolean | undefined;
  filters?: WebhookFilters | null | undefined;
}

export interface UpdatedWebhook {
  webhook_id: string;
  url: string;
  events: Array<string>;
  name: string;
  description: string;
  active: boolean;
  /** Seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  ordered: boolean;
  filters: WebhookFilters | null;
  /** ISO 8601, UTC. */
  updated_at: string;
}

export interface RotateSecret {
  /** `whsec_` followed by base64, or any text. Default: generated. */
  secret?: string | undefined;
  /** How long `webhook-signature` also includes a signature with the former secret. Default: `86400`. */
  overlap_seconds?: number | undefined;
}

export interface RotatedSecret {
  webhook_id: string;
  secret: string;
  previous_secret_until: string | null;
}

export interface TestWebhook {
  /** Default: `"test.ping"`. */
  event_type?: string | undefined;
  /** Sent as `data`; default: the example of the event. */
  payload?: Record<string, unknown> | undefined;
}

export interface TestedWebhook {
  delivery_id: string;
  event_type: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** Milliseconds. */
  response_time: number | null;
  response_body: string | null;
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; absent if it succeeded. */
  error?: string;
  webhook_url: string;
}

export interface EventTypeList {
  event_types: Array<{
    type: string;
    description: string;
    names: {
      reference: string | null;
      core: string | null;
      guide: string | null;
    };
    formats: {
      reference: {
        /** The name that is delivered to a wildcard subscription. */
        name: string;
        /** JSON Schema of the whole body. */
        schema: Record<string, unknown>;
        example: Record<string, unknown>;
      };
      core: {
        /** The name that is delivered to a wildcard subscription. */
        name: string;
        /** JSON Schema of the whole body. */
        schema: Record<string, unknown>;
        example: Record<string, unknown>;
      };
      guide: {
        /** The name that is delivered to a wildcard subscription. */
        name: string;
        /** JSON Schema of the whole body. */
        schema: Record<string, unknown>;
        example: Record<string, unknown>;
      };
    };
  }>;
}

export interface OffsetQuery {
  /** Default: `20`. */
  limit?: number | undefined;
  /** Default: `0`. */
  offset?: number | undefined;
}

export interface EventLog {
  events: Array<{
    event_id: string;
    event_type: string;
    /** ISO 8601, UTC. */
    timestamp: string;
    data: Record<string, unknown>;
    deliveries: Array<{
      delivery_id: string;
      status: 'success' | 'failed' | 'pending';
      attempts: number;
    }>;
  }>;
  total: number;
  pagination: OffsetPage;
}

export interface WebhookStatsQuery {
  /** Ends now, or at end_date. Default: `"week"`. */
  period?: 'hour' | 'day' | 'week' | 'month' | undefined;
  /** ISO 8601: a time, or a day in UTC. */
  start_date?: string | undefined;
  /** ISO 8601: a time, or a day in UTC. */
  end_date?: string | undefined;
}

export interface WebhookStats {
  webhook_id: string;
  period: 'hour' | 'day' | 'week' | 'month';
  /** ISO 8601, UTC. */
  start_date: string;
  /** ISO 8601, UTC. */
  end_date: string;
  /** Percentage of completed deliveries; 0 if there are none. */
  success_rate: number;
  /** Milliseconds. */
  avg_response_time: number;
  total_events: number;
  failed_events: number;
  overall_stats: {
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    pending_deliveries: number;
    /** Percentage of completed deliveries; 0 if there are none. */
    success_rate: number;
    /** Milliseconds. */
    average_response_time: number;
    /** Milliseconds. */
    median_response_time: number;
    /** Milliseconds. */
    p95_response_time: number;
    /** Milliseconds. */
    p99_response_time: number;
  };
  /** One entry per day up to today; for more than a year, only days with deliveries. */
  daily_stats: Array<{
    /** In UTC. */
    date: string;
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    /** Percentage of completed deliveries; 0 if there are none. */
    success_rate: number;
    /** Milliseconds. */
    average_response_time: number;
  }>;
  event_type_stats: Array<{
    event_type: string;
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    /** Percentage of completed deliveries; 0 if there are none. */
    success_rate: number;
  }>;
}

export interface RedeliverFailed {
  since?: string | undefined;
  until?: string | undefined;
  event_type?: string | undefined;
}

export interface ScheduledDeliveries {
  webhook_id: string;
  since: string | null;
  /** ISO 8601, UTC. */
  until: string;
  /** Number of deliveries created. */
  scheduled: number;
}

export interface RecoverWebhook {
  since: string;
  /** Default: now. */
  until?: string | undefined;
}

export interface DeliveryListQuery {
  /** Default: `20`. */
  limit?: number | undefined;
  /** Default: `0`. */
  offset?: number | undefined;
  status?: 'success' | 'failed' | 'pending' | undefined;
  event_type?: string | undefined;
  /** ISO 8601: a time, or a day in UTC. */
  start_date?: string | undefined;
  /** ISO 8601: a time, or a day in UTC. */
  end_date?: string | undefined;
}

export interface DeliveryList {
  deliveries: Array<Delivery>;
  total: number;
  pagination: OffsetPage;
  stats: {
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    pending_deliveries: number;
    /** Percentage of completed deliveries; 0 if there are none. */
    success_rate: number;
  };
}

export interface Delivery {
  delivery_id: string;
  webhook_id: string;
  /** The event name as delivered. */
  event_type: string;
  event_id: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** Milliseconds. */
  response_time: number | null;
  /** Cut off after 16 KiB. */
  response_body: string | null;
  /** Time of the last attempt. */
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; absent if it succeeded. */
  error?: string;
  next_retry: string | null;
  payload: Record<string, unknown>;
  kind: 'event' | 'test' | 'redelivery' | 'recovery';
  /** Why a failed delivery is not retried. */
  reason: string | null;
  original_delivery_id: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
}

export interface DeliveryDetail {
  delivery_id: string;
  webhook_id: string;
  /** The event name as delivered. */
  event_type: string;
  event_id: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** Milliseconds. */
  response_time: number | null;
  /** Cut off after 16 KiB. */
  response_body: string | null;
  /** Time of the last attempt. */
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; absent if it succeeded. */
  error?: string;
  next_retry: string | null;
  payload: Record<string, unknown>;
  kind: 'event' | 'test' | 'redelivery' | 'recovery';
  /** Why a failed delivery is not retried. */
  reason: string | null;
  original_delivery_id: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** All attempts, oldest first. */
  attempt_log: Array<DeliveryAttempt>;
}

export interface DeliveryAttempt {
  attempt: number;
  /** ISO 8601, UTC. */
  started_at: string;
  response_code: number | null;
  /** Milliseconds. */
  response_time: number | null;
  error: string | null;
  request: {
    /** Values of custom headers are omitted. */
    headers: Record<string, string>;
    body: string;
  };
  response: {
    headers: Record<string, string>;
    body: string;
  } | null;
}

export interface Redelivery {
  delivery_id: string;
  original_delivery_id: string;
  event_type: string;
  status: 'success' | 'failed' | 'pending';
  /** ISO 8601, UTC. */
  scheduled_at: string;
  webhook_url: string;
}

export interface SessionListQuery {
  /** Only sessions of this project. */
  workspace_id?: string | undefined;
  /** Only sessions on this branch. */
  branch?: string | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Default: `0`. */
  offset?: number | undefined;
}

export interface SessionList {
  sessions: Array<Session>;
  total: number;
}

export interface Session {
  session_id: string;
  name: string;
  description: string;
  /** The id of the project. */
  workspace_id: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  expires_at: string;
  permissions: {
    read: boolean;
    write: boolean;
    admin: boolean;
  };
  /** The branch whose files the session edits. Absent if it is `main`. */
  branch?: string;
  /** Link to join the session; null if you cannot invite. */
  invite_link: string | null;
  ended_at: string | null;
}

export interface CreateSession {
  name: string;
  description?: string | undefined;
  workspace_id: string;
  permissions?:
    | {
        read?: boolean | undefined;
        write?: boolean | undefined;
        admin?: boolean | undefined;
      }
    | undefined;
  /** The branch to edit; default: `main`. */
  branch?: string | undefined;
}

export interface ExtendSession {
  /** Counted from now. Default: the length of a new session. */
  seconds?: number | undefined;
}

export interface SocketTicket {
  ticket: string;
  /** Includes the ticket. */
  ws_url: string;
  /** ISO 8601, UTC. */
  expires_at: string;
}

export interface SessionFileQuery {
  /** Directory; default: the root. */
  path?: string | undefined;
  /** Default: `false`. */
  recursive?: boolean | undefined;
  type?: 'file' | 'directory' | undefined;
  /** Page size; follow `next`. */
  limit?: number | undefined;
  /** List entries after this path. */
  cursor?: string | undefined;
}

export interface SessionFileList {
  files: Array<SessionFile>;
}

export interface SessionFile {
  path: string;
  type: 'file' | 'directory';
  /** Files only. */
  size?: number;
}

export interface PreviewSession {
  invite_token: string;
}

export interface SessionPreview {
  name: string;
  project: {
    name: string;
  };
  host: {
    name: string;
  };
}

export interface JoinSession {
  invite_token?: string | undefined;
}

export interface JoinedSession {
  success: boolean;
  session_info: {
    session_id: string;
    name: string;
    participants: Array<{
      user_id: string;
      username: string;
      role: 'admin' | 'collaborator';
      /** ISO 8601, UTC. */
      joined_at: string;
    }>;
    permissions: {
      read: boolean;
      write: boolean;
      admin: boolean;
    };
  };
  /** Includes a ticket that is valid for one connection within a minute. */
  ws_url: string;
}

export interface ParticipantList {
  participants: Array<Participant>;
}

export interface Participant {
  user_id: string;
  username: string;
  /** Cursor colour as #rrggbb; always the same for a user. */
  color: string;
  role: 'admin' | 'collaborator';
  /** `away`: joined, but not connected. */
  status: 'active' | 'away' | 'left' | 'removed';
  permissions: {
    read: boolean;
    write: boolean;
    admin: boolean;
  };
  /** ISO 8601, UTC. */
  joined_at: string;
  /** ISO 8601, UTC. */
  last_seen: string;
}

export interface UpdateParticipant {
  role?: 'admin' | 'collaborator' | undefined;
  permissions?:
    | {
        read?: boolean | undefined;
        write?: boolean | undefined;
        admin?: boolean | undefined;
      }
    | undefined;
}

export interface ProjectCommentQuery {
  /** Only comments on this file. */
  path?: string | undefined;
  /** Only comments on this branch; default: `main`. */
  branch?: string | undefined;
  /** true: only resolved threads; false: only open ones. */
  resolved?: boolean | undefined;
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `50`. */
  limit?: number | undefined;
}

export interface ProjectCommentList {
  data: Array<ProjectComment>;
  pagination: PageInfo;
}

export interface ProjectComment {
  id: string;
  /** The session in which it was created, as long as the session is kept. */
  session_id: string | null;
  parent_id: string | null;
  file_path: string;
  position: TextPosition;
  end: TextPosition | null;
  /** The text at the position when the comment was created. */
  quoted_text: string;
  /** The commented text is gone; the position is where it was. */
  orphaned: boolean;
  content: string;
  type: 'comment' | 'suggestion' | 'question' | 'issue';
  suggestion: string | null;
  author: {
    user_id: string;
    username: string;
    name: string;
    avatar_url: string;
  };
  resolved: boolean;
  resolved_by: string | null;
  applied_at: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** Absent if it is `main`. */
  branch?: string;
}

export interface TextPosition {
  line: number;
  column: number;
}

export interface CreateComment {
  file_path: string;
  position: TextPosition;
  end?: TextPosition | undefined;
  content: string;
  /** Default: `"comment"`. */
  type?: 'comment' | 'suggestion' | 'question' | 'issue' | undefined;
  /** For a suggestion: the text that replaces the range from position to end. */
  suggestion?: string | undefined;
  /** The comment that it replies to. */
  parent_id?: string | undefined;
  /** Default: the branch of the session or of the parent, otherwise `main`. */
  branch?: string | undefined;
}

export interface UpdateComment {
  content?: string | undefined;
  suggestion?: string | undefined;
  resolved?: boolean | undefined;
}

export interface CommentQuery {
  file_path?: string | undefined;
  type?: 'comment' | 'suggestion' | 'question' | 'issue' | undefined;
}

export interface SessionCommentList {
  comments: Array<SessionComment>;
  total: number;
}

export interface SessionComment {
  id: string;
  session_id: string;
  parent_id: string | null;
  file_path: string;
  position: TextPosition;
  end: TextPosition | null;
  /** The text at the position when the comment was created. */
  quoted_text: string;
  /** The commented text is gone; the position is where it was. */
  orphaned: boolean;
  content: string;
  type: 'comment' | 'suggestion' | 'question' | 'issue';
  suggestion: string | null;
  author: {
    user_id: string;
    username: string;
  };
  resolved: boolean;
  resolved_by: string | null;
  applied_at: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** Absent if it is `main`. */
  branch?: string;
}

export interface WriteFile {
  /** Each name at most 255 bytes, at most 64 levels; no control characters and no segment `.`, `..` or `.git`. */
  path: string;
  content: string;
  /** utf-8 or base64, case-insensitive. */
  encoding?: string | undefined;
  message?: string | undefined;
  /** The branch to write to; default: `main`. 404 if it does not exist. */
  branch?: string | undefined;
  /** If `branch` does not exist, it is created from this branch, tag or commit with the same write. */
  create_branch_from?: string | undefined;
}

export type ErrorCode =
  | 'AUTHENTICATION_ERROR'
  | 'AUTHORIZATION_ERROR'
  | 'VALIDATION_ERROR'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'INVALID_SESSION';

export interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    /** One entry per invalid field, or an object; for a 429: limit, window, reset_at. */
    details: Array<FieldError> | Record<string, unknown>;
    /** The same as the X-Request-Id header. */
    request_id: string;
    /** ISO 8601, UTC. */
    timestamp: string;
  };
}

export interface FieldError {
  field: string;
  message: string;
}

export type CodeChange =
  | {
      type: 'insert';
      position: TextPosition;
      text: string;
    }
  | {
      type: 'delete';
      position: TextPosition;
      end: TextPosition;
    }
  | {
      type: 'replace';
      position: TextPosition;
      end: TextPosition;
      text: string;
    };

export type ClientMessage =
  | {
      type: 'cursor_move';
      file_path: string;
      position: TextPosition;
      selection_end?: TextPosition | undefined;
    }
  | {
      type: 'code_change';
      file_path: string;
      changes: Array<
        | {
            type: 'insert';
            position: TextPosition;
            text: string;
          }
        | {
            type: 'delete';
            position: TextPosition;
            end: TextPosition;
          }
        | {
            type: 'replace';
            position: TextPosition;
            end: TextPosition;
            text: string;
          }
      >;
      base_revision?: number | undefined;
      /** A unique id that the client chooses; a change that is sent again after a lost connection is not applied twice. */
      id?: string | undefined;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number | undefined;
    }
  | {
      type: 'file_operation';
      operation: 'create' | 'delete' | 'rename';
      file_path: string;
      new_path?: string | undefined;
      /** Content of the created file. */
      content?: string | undefined;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number | undefined;
    }
  | {
      type: 'open_file';
      file_path: string;
      /** The branch of the session. */
      branch?: string | undefined;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number | undefined;
    }
  | {
      type: 'close_file';
      file_path: string;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number | undefined;
    }
  | {
      type: 'save';
      file_path?: string | undefined;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number | undefined;
    }
  | {
      type: 'comment';
      /** The same as the body of POST …/comments. */
      comment: Record<string, unknown>;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number | undefined;
    }
  | {
      type: 'ping';
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number | undefined;
    };

export type ServerMessage =
  | {
      type: 'cursor_move';
      user_id: string;
      /** ISO 8601, UTC. */
      timestamp: string;
      file_path: string;
      position: TextPosition;
      selection_end?: TextPosition;
      username: string;
      color: string;
    }
  | {
      type: 'code_change';
      user_id: string;
      /** ISO 8601, UTC. */
      timestamp: string;
      file_path: string;
      changes: Array<
        | {
            type: 'insert';
            position: TextPosition;
            text: string;
          }
        | {
            type: 'delete';
            position: TextPosition;
            end: TextPosition;
          }
        | {
            type: 'replace';
            position: TextPosition;
            end: TextPosition;
            text: string;
          }
      >;
      revision: number;
    }
  | {
      type: 'file_operation';
      user_id: string;
      /** ISO 8601, UTC. */
      timestamp: string;
      operation: 'create' | 'delete' | 'rename';
      file_path: string;
      new_path?: string;
    }
  | {
      type: 'file_state';
      file_path: string;
      content: string;
      revision: number;
      /** `sha256:` followed by the hex digest of the content in UTF-8. */
      checksum: string;
      /** ISO 8601, UTC. */
      timestamp: string;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number;
    }
  | {
      type: 'ack';
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number;
      file_path?: string;
      revision?: number;
      changes?: Array<
        | {
            type: 'insert';
            position: TextPosition;
            text: string;
          }
        | {
            type: 'delete';
            position: TextPosition;
            end: TextPosition;
          }
        | {
            type: 'replace';
            position: TextPosition;
            end: TextPosition;
            text: string;
          }
      >;
      durable: boolean;
    }
  | {
      type: 'resync';
      file_path: string;
      content: string;
      revision: number;
      checksum: string;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number;
    }
  | {
      type: 'saved';
      file_path: string;
      commit_sha: string | null;
      revision: number;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number;
    }
  | {
      type: 'error';
      code: ErrorCode;
      message: string;
      details: Record<string, unknown>;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number;
    }
  | {
      type: 'pong';
      /** ISO 8601, UTC. */
      timestamp: string;
      /** A number that the client chooses; the acknowledgement repeats it. */
      seq?: number;
    }
  | {
      type: 'participant_joined';
      participant: Participant;
      /** ISO 8601, UTC. */
      timestamp: string;
    }
  | {
      type: 'participant_updated';
      participant: Participant;
      /** ISO 8601, UTC. */
      timestamp: string;
    }
  | {
      type: 'participant_left';
      user_id: string;
      /** ISO 8601, UTC. */
      timestamp: string;
    }
  | {
      type: 'comment_created';
      comment: SessionComment;
      /** ISO 8601, UTC. */
      timestamp: string;
    }
  | {
      type: 'comment_updated';
      comment: SessionComment;
      /** ISO 8601, UTC. */
      timestamp: string;
    }
  | {
      type: 'comment_deleted';
      comment_id: string;
      /** ISO 8601, UTC. */
      timestamp: string;
    }
  | {
      type: 'session_expiring';
      /** ISO 8601, UTC. */
      expires_at: string;
      /** ISO 8601, UTC. */
      timestamp: string;
    }
  | {
      type: 'session_ended';
      reason: string;
      /** ISO 8601, UTC. */
      timestamp: string;
    };
