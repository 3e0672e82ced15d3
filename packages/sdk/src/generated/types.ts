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
  /** The present one only: it cannot be changed. */
  email?: string | undefined;
  /** 1 to 39 lower-case letters, digits, dots, dashes and underscores; unique. */
  username?: string | undefined;
  /** null returns to the generated picture. */
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
    /** null: the plan sets none. */
    limit: number | null;
  };
  stored_bytes: {
    used: number;
    /** null: the plan sets none. */
    limit: number | null;
  };
}

export interface UsageHistoryQuery {
  /** How many, today included. Default: `30`. */
  days?: number | undefined;
}

export interface UsageHistory {
  data: Array<UsageDay>;
}

export interface UsageDay {
  /** UTC. */
  date: string;
  /** Those that ended on this day, however they ended. */
  deployments: number;
  /** What these took from their begin to their end. */
  build_seconds: number;
  /** null: nobody has counted yet. */
  projects: number | null;
  /** null: nobody has counted yet. */
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
  /** The account that it happened to. */
  account_id: string;
  /** Who did it; null for nobody known. */
  actor_id: string | null;
  credential: {
    kind: string;
    id: string;
  } | null;
  address: string | null;
  user_agent: string | null;
  request_id: string | null;
  /** What it was done to, beside the account. */
  subject_id: string | null;
  /** null: there is no such account any more. */
  account_name: string | null;
  actor_name: string | null;
  /** Of a project or an account; for administrators. */
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
  /** How long the former secret goes on working. Default: `86400`. */
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
  /** Shown once; the bytes of this very text are the HS256 key. */
  secret: string;
}

export interface ServiceAccountList {
  data: Array<ServiceAccount>;
}

export interface ServiceAccount {
  /** The `sub` of JWTs that act as it, signed by any service of its owner. */
  id: string;
  name: string;
  /** Its owner, of whose rights it has a part. */
  user_id: string;
  /** Empty means every scope. write:x includes read:x. */
  scopes: Array<Scope>;
  /** The only ones that it reaches, as far as its owner does. */
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
  /** One, or two during a rotation; none of a public app. */
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
  /** Compared exactly. https, or http on loopback (of a public app, on any port); of a public app also a scheme of its own such as com.example.app:/callback. */
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
  /** One, or two during a rotation; none of a public app. */
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
  /** Compared exactly. https, or http on loopback (of a public app, on any port); of a public app also a scheme of its own such as com.example.app:/callback. */
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
  /** All that you have allowed it. */
  scopes: Array<Scope>;
  /** ISO 8601, UTC. */
  authorized_at: string;
  /** When it last got a token. */
  last_used_at: string | null;
}

export interface AdminUserQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** A part of name, username or address. */
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
  /** Whether a sign-in asks for a code. */
  second_factor: boolean;
  /** That it owns. */
  projects_count: number;
  /** In all of its projects, those in the trash included. */
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
  /** Whether a sign-in asks for a code. */
  second_factor: boolean;
  /** That it owns. */
  projects_count: number;
  /** In all of its projects, those in the trash included. */
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
  /** An administrator may vouch for the address. */
  email_verified?: boolean | undefined;
  /** A suspended account and all of its credentials are refused everywhere. */
  suspended?: boolean | undefined;
}

export interface ConfirmWithPassword {
  password: string;
  /** Six digits from the authenticator, or a recovery code. */
  code?: string | undefined;
}

export interface AdminProjectQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Default: `"created_at"`. */
  sort?: 'created_at' | 'stored_bytes' | undefined;
  /** A part of the name, or of the owner's address. */
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
  /** The template that it was created from. */
  template_id: string | null;
}

export type ProjectStatus = 'active' | 'archived';

export interface ProjectOwner {
  id: string;
  name: string;
  /** Empty for those who do not collaborate on the project. */
  email: string;
}

export interface ProjectSettings {
  /** Any signed-in user sees what is in the project: files, history, branches, comments, the names of its people, what is live. How it is built and run stays with its people: logs, variables, environments, previews, other deployments, pending domains, webhooks, events. Default: `false`. */
  public: boolean;
  /** Default: `true`. */
  collaboration_enabled: boolean;
  /** Default: `true`. */
  auto_save: boolean;
  /** Default: `true`. */
  version_control: boolean;
  /** A push deploys its branch. Default: `false`. */
  auto_deploy: boolean;
}

export interface ProjectRepository {
  url: string;
  branch: string;
  last_sync: string | null;
  /** How its import stands. */
  status: 'idle' | 'syncing' | 'failed';
  /** Why the last import failed; null for those who do not collaborate on the project. */
  error: string | null;
}

export interface AdminPlanList {
  data: Array<AdminPlan>;
}

export interface AdminPlan {
  plan: 'free' | 'pro' | 'enterprise';
  /** How many have it. */
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
  /** null: none. */
  projects: number | null;
  /** null: none. */
  stored_bytes: number | null;
  /** Of one project; null: no limit. */
  files: number | null;
  /** Of one account at once; null: no limit. */
  builds: number | null;
  /** Server apps of one account at once; null: no limit. */
  apps: number | null;
  /** null: none. */
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
    /** Could run now. */
    ready: number;
    /** For its time, for the next attempt, or for another of its account. */
    waiting: number;
    running: number;
    /** Given up after all attempts. */
    failed: number;
    oldest_ready_seconds: number | null;
  }>;
  workers: Array<{
    id: string;
    /** ISO 8601, UTC. */
    last_seen: string;
    alive: boolean;
  }>;
  /** What other parts of the service tell of themselves. */
  parts: Record<string, unknown>;
}

export interface InstallationUsageHistory {
  data: Array<InstallationUsageDay>;
}

export interface InstallationUsageDay {
  /** UTC. */
  date: string;
  /** Those that ended on this day, however they ended. */
  deployments: number;
  /** What these took from their begin to their end. */
  build_seconds: number;
  /** null: nobody has counted yet. */
  projects: number | null;
  /** null: nobody has counted yet. */
  stored_bytes: number | null;
  /** null: nobody has counted yet. */
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
  /** Case-insensitive part of the name or description. */
  search?: string | undefined;
  status?: ProjectStatus | undefined;
  /** Instead of your own: the projects of everybody that are public. */
  visibility?: 'public' | undefined;
  /** true: those that you starred and may read, your own and those of others. */
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
  /** The template that it was created from. */
  template_id: string | null;
  /** Where its live deployment is. */
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
  /** The template that it was created from. */
  template_id: string | null;
  collaborators: Array<ProjectCollaborator>;
  /** Where its live deployment is. */
  live_url: string | null;
}

export interface ProjectCollaborator {
  /** User id. */
  id: string;
  name: string;
  /** Empty for those who do not collaborate on the project. */
  email: string;
  role: string;
  joined_at: string | null;
}

export interface CreateProject {
  /** Surrounding white space is removed first. */
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
  /** Surrounding white space is removed first. */
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
  /** Surrounding white space is removed first. */
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
  /** The template that it was created from. */
  template_id: string | null;
  /** ISO 8601, UTC. */
  deleted_at: string;
  /** When it goes for good; until then it can be restored. */
  purge_at: string | null;
  /** What it goes on counting for in the storage of your plan. */
  stored_bytes: number;
}

export interface PurgeProject {
  /** That of the project, so that it is meant. */
  name: string;
}

export interface PurgeProjectAnswer {
  message: string;
}

export interface Stars {
  /** Those that you may read, the last star first; at most 500. */
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
  /** Of somebody who has not accepted yet only `email`, the invited address, is shown. */
  user: {
    id: string | null;
    name: string | null;
    /** Empty for those who do not collaborate on the project. */
    email: string;
    avatar_url: string | null;
  };
  role: 'admin' | 'editor' | 'viewer';
  permissions: Array<'read' | 'write' | 'comment' | 'manage'>;
  /** User id; null for those who do not collaborate on the project. */
  invited_by: string | null;
  /** ISO 8601, UTC. */
  invited_at: string;
  joined_at: string | null;
  /** `expired`: an invitation that nobody answered in time; it can be sent again. */
  status: 'pending' | 'active' | 'expired';
  expires_at: string | null;
}

export interface InviteCollaborator {
  email: string;
  /** Default: `"viewer"`. */
  role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** Narrows or widens the role; `read` is always among them. Without it, those of the role. */
  permissions?: Array<'read' | 'write' | 'comment' | 'manage'> | undefined;
  message?: string | undefined;
}

export interface SentInvitation {
  id: string;
  /** Of somebody who has not accepted yet only `email`, the invited address, is shown. */
  user: {
    id: string | null;
    name: string | null;
    /** Empty for those who do not collaborate on the project. */
    email: string;
    avatar_url: string | null;
  };
  role: 'admin' | 'editor' | 'viewer';
  permissions: Array<'read' | 'write' | 'comment' | 'manage'>;
  /** User id; null for those who do not collaborate on the project. */
  invited_by: string | null;
  /** ISO 8601, UTC. */
  invited_at: string;
  joined_at: string | null;
  /** `expired`: an invitation that nobody answered in time; it can be sent again. */
  status: 'pending' | 'active' | 'expired';
  expires_at: string | null;
  message: string;
  /** The link to pass on, where the service sends no mail; else null. Shown once. */
  invitation_url: string | null;
}

export interface PatchCollaborator {
  /** Brings its own permissions unless some are given. */
  role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** null returns to those of the role. */
  permissions?: Array<'read' | 'write' | 'comment' | 'manage'> | null | undefined;
}

export interface NotificationQuery {
  /** true: only those that you have not read. */
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
  /** How many you have not read. */
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
    /** The beginning of what was written. */
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
    /** The beginning of what was written. */
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
  /** How many you have not read. */
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
  /** For the owner, until it is accepted: the address or the id that was given, and no more. */
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
  /** Directory; the root without it. */
  path?: string | undefined;
  /** Default: `false`. */
  recursive?: boolean | undefined;
  type?: 'file' | 'directory' | undefined;
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** A page of so many; the `next` link leads to the following. */
  limit?: number | undefined;
  /** The path after which the list begins. */
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
  /** `sha256:` and the hex digest; files only. */
  checksum?: string;
}

export interface FileContentQuery {
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** Default: `false`. */
  download?: boolean | undefined;
}

export interface MoveFile {
  /** Names of at most 255 bytes, 64 levels deep; without control characters, `.`, `..` and `.git`. */
  path: string;
  message?: string | undefined;
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
  /** `sha256:` and the hex digest; files only. */
  checksum?: string;
  /** null without version control. */
  commit_sha: string | null;
}

export interface SearchQuery {
  q: string;
  /** Default: `20`. */
  limit?: number | undefined;
}

export interface SearchResults {
  data: Array<{
    file_id: string;
    path: string;
    /** From 1. */
    line: number;
    /** From 1, in UTF-16 units. */
    column: number;
    excerpt: string;
  }>;
  /** There are more matches than these, or files too large to search. */
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
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Where the page begins, as the `next` link of the page before has it; its number is then only told. */
  cursor?: string | undefined;
}

export interface CommitList {
  data: Array<Commit>;
  pagination: PageInfo;
}

export interface Commit {
  sha: string;
  /** Of a very long one, the first 65,536 characters. */
  message: string;
  /** Whether `message` is only the beginning. */
  message_truncated: boolean;
  author: {
    name: string;
    email: string;
  };
  /** ISO 8601, UTC. */
  committed_at: string;
  parents: Array<string>;
}

export interface CommitQuery {
  /** How many files come with their `diff` and counts; the others can be asked for by `path`. Default: `300`. */
  diffs?: number | undefined;
  /** Only the file that the commit left, or deleted, at this path. */
  path?: string | undefined;
}

export interface CommitDetail {
  sha: string;
  /** Of a very long one, the first 65,536 characters. */
  message: string;
  /** Whether `message` is only the beginning. */
  message_truncated: boolean;
  author: {
    name: string;
    email: string;
  };
  /** ISO 8601, UTC. */
  committed_at: string;
  parents: Array<string>;
  files: Array<{
    path: string;
    /** Where it was before a rename. */
    previous_path: string | null;
    status: 'added' | 'modified' | 'deleted' | 'renamed';
    additions: number;
    deletions: number;
    /** Unified; null for a binary or very large file, and beyond what one answer shows. */
    diff: string | null;
  }>;
  /** Whether files are missing, or listed without their `diff` and counts, because the commit has too many. What a smaller `diffs` left out does not count. */
  truncated: boolean;
}

export interface CreateCommit {
  message?: string | undefined;
  changes: Array<{
    action: 'create' | 'update' | 'delete' | 'move';
    /** Names of at most 255 bytes, 64 levels deep; without control characters, `.`, `..` and `.git`. */
    path: string;
    /** Names of at most 255 bytes, 64 levels deep; without control characters, `.`, `..` and `.git`. */
    new_path?: string | undefined;
    content?: string | undefined;
    /** utf-8 or base64, in small letters or capitals. */
    encoding?: string | undefined;
    /** That of the file before the commit. Where it has another by now, nothing is changed: 412. */
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
  /** The default branch without it. */
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
  /** Commits of `head` that `base` does not have. */
  ahead: number;
  /** Commits of `base` that `head` does not have. */
  behind: number;
  /** Those of `head` that `base` does not have, newest first; 100 at most. */
  commits: Array<Commit>;
  files: Array<{
    path: string;
    /** Where it was before a rename. */
    previous_path: string | null;
    status: 'added' | 'modified' | 'deleted' | 'renamed';
    additions: number;
    deletions: number;
    /** Unified; null for a binary or very large file, and beyond what one answer shows. */
    diff: string | null;
  }>;
  /** Whether files are missing, or listed without their `diff` and counts, because the commit has too many. What a smaller `diffs` left out does not count. */
  truncated: boolean;
  mergeable: boolean | null;
  /** The paths that both sides changed in ways that do not fit. */
  conflicts: Array<string>;
}

export interface CreateMerge {
  /** A branch, a tag or a commit. */
  source: string;
  /** The branch that is merged into. */
  target: string;
  /** `merge` makes a commit with both parents, `squash` one on top of `target` only, `fast-forward` none: `target` moves to `source`. Default: `"merge"`. */
  strategy?: 'merge' | 'squash' | 'fast-forward' | undefined;
  message?: string | undefined;
  /** Refused with 409 unless `source` is this commit. */
  source_sha?: string | undefined;
  /** Refused with 409 unless `target` is at this commit. */
  target_sha?: string | undefined;
  /** One for each conflict, with exactly one of `content`, `delete` and `take`. */
  resolutions?:
    | Array<{
        /** Names of at most 255 bytes, 64 levels deep; without control characters, `.`, `..` and `.git`. */
        path: string;
        /** What the file is to hold. */
        content?: string | undefined;
        /** utf-8 or base64, in small letters or capitals. */
        encoding?: string | undefined;
        /** The file goes. */
        delete?: true | undefined;
        /** The file as `target` (ours) or `source` (theirs) has it, mode and all; it goes where that side has none. */
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
  /** private: its author only; public: everybody, set by administrators only. */
  visibility: 'private' | 'public';
  variables: Array<TemplateVariable>;
  /** Rises each time it is published anew. */
  version: number;
  files_count: number;
}

export interface TemplateVariable {
  name: string;
  type: 'string' | 'boolean' | 'choice';
  label?: string;
  default?: string | boolean;
  /** An empty value is refused. */
  required?: boolean;
  /** Of a choice only. */
  choices?: Array<string>;
  /** What the whole of a string has to match: characters, classes and quantifiers, without groups. */
  pattern?: string;
  /** Of a string only. */
  max_length?: number;
}

export interface PublishTemplate {
  project_id: string;
  name: string;
  description?: string | undefined;
  category?: string | undefined;
  language?: string | undefined;
  tags?: Array<string> | undefined;
  /** private: its author only; public: everybody, set by administrators only. */
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
  /** production goes live by itself; every other name is a preview. */
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
  /** Empty for those who do not collaborate on the project. */
  build_id: string;
  status: 'pending' | 'building' | 'success' | 'failed' | 'canceled';
  /** production goes live by itself; every other name is a preview. */
  environment: string;
  branch: string;
  /** The same word as in its events. */
  trigger: 'manual' | 'push' | 'redeploy';
  /** The deployment’s own address, once it has succeeded and until what it serves is purged. */
  url: string | null;
  /** Of a preview: the address at which the newest preview of its branch is shown. */
  branch_url: string | null;
  /** Of a preview: when its branch was deleted or its time was over; nothing is served since. */
  retired_at: string | null;
  /** All null without version control. */
  commit: {
    sha: string | null;
    message: string | null;
    author: string | null;
  };
  /** As requested; null: what bottega.json says. */
  build_command: string | null;
  /** As requested; null: what bottega.json says, or detected. */
  output_directory: string | null;
  /** Their names; the values are write-only. */
  environment_variables: Array<string>;
  /** Those of them that are not the project’s. */
  own_environment_variables: Array<string>;
  /** ISO 8601, UTC. */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** Seconds. */
  duration: number | null;
  /** 1 is next; null unless pending. */
  queue_position: number | null;
  /** null for files alone. */
  app: {
    status: 'starting' | 'running' | 'sleeping' | 'failed';
    /** Since it was last started anew. */
    restarts: number;
    /** Why it ended last, or is not started. */
    problem: string | null;
  } | null;
  /** The project’s live address shows this one. */
  is_live: boolean;
  /** Empty for those who do not collaborate on the project. */
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
    /** Of the build command, or of an app that ended before it answered. */
    exit_code: number | null;
    /** The line of standard error that tells most, as the log has it. */
    output?: string | null;
    /** Where the output says that the error is. */
    source?: {
      /** Below the project’s root. */
      file: string;
      /** From 1 on. */
      line: number | null;
      /** From 1 on. */
      column: number | null;
    } | null;
  } | null;
}

export interface EnvironmentList {
  data: Array<Environment>;
}

export interface Environment {
  /** production goes live by itself; every other name is a preview. */
  name: string;
  /** null where only variables name it. */
  latest_deployment: Deployment | null;
}

export interface CreateDeployment {
  /** production goes live by itself; every other name is a preview. Default: `"production"`. */
  environment?: string | undefined;
  /** Default: `"main"`. */
  branch?: string | undefined;
  /** Run by `sh`; empty: no build, whatever bottega.json says. */
  build_command?: string | undefined;
  /** Below the project’s root, such as `dist`; without it, from bottega.json or detected. */
  output_directory?: string | undefined;
  /** Beside the project’s variables, and instead of those of the same name; encrypted at rest, masked in logs. Without the field, those of the last deployment to the environment are kept. */
  environment_variables?: Record<string, string> | undefined;
}

export interface DeploymentLogsQuery {
  /** Lines behind this one only. */
  after?: number | undefined;
  /** At most so many; all without it. */
  limit?: number | undefined;
  /** Lines of this kind only; all without it. */
  source?: 'build' | 'runtime' | undefined;
}

export interface DeploymentLogs {
  logs: Array<LogEntry>;
}

export interface LogEntry {
  /** Rises by line; `after` takes it. */
  seq: number;
  /** ISO 8601, UTC. */
  timestamp: string;
  level: 'info' | 'warn' | 'error';
  stream: 'system' | 'stdout' | 'stderr' | 'app';
  /** `runtime`: of a running server app, or about it. */
  source: 'build' | 'runtime';
  message: string;
}

export interface DeploymentArtifacts {
  build_id: string;
  /** Bytes in all. */
  size: number;
  artifacts: Array<{
    /** Path below the output directory. */
    name: string;
    size: number;
    mime_type: string;
    /** `sha256:` and the hex digest. */
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
  /** null for a secret, and for those who may not change it. */
  value: string | null;
  /** null: every environment that has no value of its own. */
  environments: Array<string> | null;
  /** Rises with every change. */
  version: number;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
  /** Who changed it last; null once the account is gone. */
  updated_by: {
    id: string;
    name: string;
  } | null;
}

export interface PutVariable {
  value: string;
  /** Without it, every environment that has no value of its own. */
  environments?: Array<string> | undefined;
  /** The value of a secret is never shown again. Default: `"secret"`. */
  kind?: 'secret' | 'plain' | undefined;
}

export interface DeleteVariableQuery {
  /** The value of these alone, with commas; `*` is the one of every environment. Without it, all values of the name. */
  environments?: string | undefined;
}

export interface DomainList {
  data: Array<Domain>;
}

export interface Domain {
  id: string;
  project_id: string;
  /** In ASCII and lower case. */
  domain: string;
  /** `verified`: it is proven to be yours, and whoever asks this service for it is answered. `active`: it leads here, with a certificate where the service speaks TLS. */
  state: 'pending' | 'verified' | 'active' | 'failed';
  /** What stands in the way; null where nothing does. */
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
  /** Another domain of the project, which visitors of this one are sent to. */
  redirect_to: string | null;
  /** To be set where the DNS of the domain is kept: the CNAME alone, or the TXT and one of the addresses. */
  records: Array<{
    type: 'TXT' | 'CNAME' | 'A' | 'AAAA';
    name: string;
    value: string;
    /** `proof` shows whose the domain is, `address` leads visitors here; a CNAME does both. */
    purpose: 'proof' | 'address';
    /** As it was found when the domain was last checked. */
    is_set: boolean;
  }>;
  /** ISO 8601, UTC. */
  created_at: string;
  verified_at: string | null;
  checked_at: string | null;
}

export interface AddDomain {
  domain: string;
  /** Another domain of the same project, such as the name without www; null: none. */
  redirect_to?: string | null | undefined;
}

export interface PatchDomain {
  /** Another domain of the same project, such as the name without www; null: none. */
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
  /** Why the service turned it off by itself. */
  disabled_reason: string | null;
  disabled_at: string | null;
  /** No attempt before, after failures in a row. */
  paused_until: string | null;
  stats: {
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    last_delivery: string | null;
    /** Percent of the completed deliveries, 0 where there is none. */
    success_rate: number;
  };
}

export interface WebhookFilters {
  /** Only events of these projects. */
  projects?: Array<string>;
  /** Of events of files only those whose path matches one of these patterns, such as `/src/**\/*.ts`: `*` and `?` within a name, `**` for any directories. */
  paths?: Array<string>;
}

export interface OffsetPage {
  limit: number;
  offset: number;
  has_more: boolean;
}

export interface CreateCoreWebhook {
  /** https, without user name and password. */
  url: string;
  /** Names of any of the three taxonomies, `*`, or the beginning of names such as `project.*`. The first that matches names the event. */
  events: Array<string>;
  name?: string | undefined;
  description?: string | undefined;
  secret?: string | null | undefined;
  active?: boolean | undefined;
  headers?: Record<string, string> | null | undefined;
  /** Seconds for the whole exchange; 60 at most. */
  timeout?: number | undefined;
  /** Merged with that of the format. In a change, what is absent stays as it is, and null returns to that of the format. */
  retry_policy?: RetryPolicyInput | null | undefined;
  /** Deliveries of one project one after the other, in the order of its events. */
  ordered?: boolean | undefined;
  filters?: WebhookFilters | null | undefined;
  project_id?: string | null | undefined;
  /** Envelope, own event names and default retries. */
  format?: 'reference' | 'core' | 'guide' | undefined;
}

export interface RetryPolicyInput {
  /** The first one included. */
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
  /** Why the service turned it off by itself. */
  disabled_reason: string | null;
  disabled_at: string | null;
  /** No attempt before, after failures in a row. */
  paused_until: string | null;
  headers: Record<string, string>;
  /** Seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  /** Until then `webhook-signature` carries a signature by the former secret too. */
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
  /** The first one included. */
  max_attempts: number;
  /** Delay after an attempt: initial_delay × attempt, initial_delay × 2^(attempt − 1), or initial_delay; at most max_delay. */
  backoff_strategy: 'linear' | 'exponential' | 'fixed';
  /** Milliseconds. */
  initial_delay: number;
  /** Milliseconds. */
  max_delay: number;
  /** The statuses after which is tried again. By default all from 500 on. */
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
  /** Why the service turned it off by itself. */
  disabled_reason: string | null;
  disabled_at: string | null;
  /** No attempt before, after failures in a row. */
  paused_until: string | null;
  headers: Record<string, string>;
  /** Seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  /** Until then `webhook-signature` carries a signature by the former secret too. */
  previous_secret_until: string | null;
  /** Only for who holds write:webhooks. */
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
    /** Why the last attempt failed; absent where it did not. */
    error?: string;
  }>;
}

export interface WebhookDeliveryCounts {
  total_deliveries: number;
  successful_deliveries: number;
  failed_deliveries: number;
  last_delivery: string | null;
  /** Percent of the completed deliveries, 0 where there is none. */
  success_rate: number;
  /** Milliseconds. */
  average_response_time: number;
}

export interface UpdateWebhook {
  /** https, without user name and password. */
  url?: string | undefined;
  /** Names of any of the three taxonomies, `*`, or the beginning of names such as `project.*`. The first that matches names the event. */
  events?: Array<string> | undefined;
  name?: string | undefined;
  description?: string | undefined;
  secret?: string | null | undefined;
  active?: boolean | undefined;
  headers?: Record<string, string> | null | undefined;
  /** Seconds for the whole exchange; 60 at most. */
  timeout?: number | undefined;
  /** Merged with that of the format. In a change, what is absent stays as it is, and null returns to that of the format. */
  retry_policy?: RetryPolicyInput | null | undefined;
  /** Deliveries of one project one after the other, in the order of its events. */
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
  /** `whsec_` and base64, or any text. Generated where it is missing. */
  secret?: string | undefined;
  /** How long `webhook-signature` goes on carrying the former secret. Default: `86400`. */
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
  /** Sent as `data`; else the example of the catalogue. */
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
  /** Why the last attempt failed; absent where it did not. */
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
        /** Under which a wildcard delivers it. */
        name: string;
        /** JSON Schema of the whole body. */
        schema: Record<string, unknown>;
        example: Record<string, unknown>;
      };
      core: {
        /** Under which a wildcard delivers it. */
        name: string;
        /** JSON Schema of the whole body. */
        schema: Record<string, unknown>;
        example: Record<string, unknown>;
      };
      guide: {
        /** Under which a wildcard delivers it. */
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
  /** Percent of the completed deliveries, 0 where there is none. */
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
    /** Percent of the completed deliveries, 0 where there is none. */
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
  /** Every day of the period up to today, of more than a year only those with deliveries. */
  daily_stats: Array<{
    /** In UTC. */
    date: string;
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    /** Percent of the completed deliveries, 0 where there is none. */
    success_rate: number;
    /** Milliseconds. */
    average_response_time: number;
  }>;
  event_type_stats: Array<{
    event_type: string;
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    /** Percent of the completed deliveries, 0 where there is none. */
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
  /** Deliveries that were made. */
  scheduled: number;
}

export interface RecoverWebhook {
  since: string;
  /** Now, where it is missing. */
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
    /** Percent of the completed deliveries, 0 where there is none. */
    success_rate: number;
  };
}

export interface Delivery {
  delivery_id: string;
  webhook_id: string;
  /** The name under which it is delivered. */
  event_type: string;
  event_id: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** Milliseconds. */
  response_time: number | null;
  /** Cut after 16 KiB. */
  response_body: string | null;
  /** Time of the last attempt. */
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; absent where it did not. */
  error?: string;
  next_retry: string | null;
  payload: Record<string, unknown>;
  kind: 'event' | 'test' | 'redelivery' | 'recovery';
  /** Why it is tried no more, where it failed. */
  reason: string | null;
  original_delivery_id: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
}

export interface DeliveryDetail {
  delivery_id: string;
  webhook_id: string;
  /** The name under which it is delivered. */
  event_type: string;
  event_id: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** Milliseconds. */
  response_time: number | null;
  /** Cut after 16 KiB. */
  response_body: string | null;
  /** Time of the last attempt. */
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; absent where it did not. */
  error?: string;
  next_retry: string | null;
  payload: Record<string, unknown>;
  kind: 'event' | 'test' | 'redelivery' | 'recovery';
  /** Why it is tried no more, where it failed. */
  reason: string | null;
  original_delivery_id: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** Every attempt, the first one first. */
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
    /** Values of custom headers are left out. */
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
  /** Only those of this project. */
  workspace_id?: string | undefined;
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
  /** For joining. null for whoever may not invite. */
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
}

export interface ExtendSession {
  /** From now on. Without it: a whole session’s. */
  seconds?: number | undefined;
}

export interface SocketTicket {
  ticket: string;
  /** With the ticket in it. */
  ws_url: string;
  /** ISO 8601, UTC. */
  expires_at: string;
}

export interface SessionFileQuery {
  /** Directory; the root without it. */
  path?: string | undefined;
  /** Default: `false`. */
  recursive?: boolean | undefined;
  type?: 'file' | 'directory' | undefined;
  /** A page of so many; the `next` link leads to the following. */
  limit?: number | undefined;
  /** The path after which the list begins. */
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
  /** Holds a ticket: good for one connection within a minute. */
  ws_url: string;
}

export interface ParticipantList {
  participants: Array<Participant>;
}

export interface Participant {
  user_id: string;
  username: string;
  /** Of their cursor, as #rrggbb; always the same for a user. */
  color: string;
  role: 'admin' | 'collaborator';
  /** `away`: joined, but without a socket. */
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
  /** Only those of this file. */
  path?: string | undefined;
  /** Whether their thread is resolved. */
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
  /** The session that it was made in, for as long as that is kept. */
  session_id: string | null;
  parent_id: string | null;
  file_path: string;
  position: TextPosition;
  end: TextPosition | null;
  /** What stood there when the comment was made. */
  quoted_text: string;
  /** What it was about is gone; the position is where it stood. */
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
  /** What is to stand between position and end, for a suggestion. */
  suggestion?: string | undefined;
  /** The comment that this one replies to. */
  parent_id?: string | undefined;
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
  /** What stood there when the comment was made. */
  quoted_text: string;
  /** What it was about is gone; the position is where it stood. */
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
}

export interface WriteFile {
  /** Names of at most 255 bytes, 64 levels deep; without control characters, `.`, `..` and `.git`. */
  path: string;
  content: string;
  /** utf-8 or base64, in small letters or capitals. */
  encoding?: string | undefined;
  message?: string | undefined;
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
    /** One row per offending field, or an object such as that of a 429: limit, window, reset_at. */
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
      /** The client's own, never used before: sent again after a lost connection, it is not applied twice. */
      id?: string | undefined;
      /** The client's own number; acks carry it. */
      seq?: number | undefined;
    }
  | {
      type: 'file_operation';
      operation: 'create' | 'delete' | 'rename';
      file_path: string;
      new_path?: string | undefined;
      /** Of a created file. */
      content?: string | undefined;
      /** The client's own number; acks carry it. */
      seq?: number | undefined;
    }
  | {
      type: 'open_file';
      file_path: string;
      /** The client's own number; acks carry it. */
      seq?: number | undefined;
    }
  | {
      type: 'close_file';
      file_path: string;
      /** The client's own number; acks carry it. */
      seq?: number | undefined;
    }
  | {
      type: 'save';
      file_path?: string | undefined;
      /** The client's own number; acks carry it. */
      seq?: number | undefined;
    }
  | {
      type: 'comment';
      /** As the body of POST …/comments. */
      comment: Record<string, unknown>;
      /** The client's own number; acks carry it. */
      seq?: number | undefined;
    }
  | {
      type: 'ping';
      /** The client's own number; acks carry it. */
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
      /** sha256:<hex> of the content in UTF-8. */
      checksum: string;
      /** ISO 8601, UTC. */
      timestamp: string;
      /** The client's own number; acks carry it. */
      seq?: number;
    }
  | {
      type: 'ack';
      /** The client's own number; acks carry it. */
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
      /** The client's own number; acks carry it. */
      seq?: number;
    }
  | {
      type: 'saved';
      file_path: string;
      commit_sha: string | null;
      revision: number;
      /** The client's own number; acks carry it. */
      seq?: number;
    }
  | {
      type: 'error';
      code: ErrorCode;
      message: string;
      details: Record<string, unknown>;
      /** The client's own number; acks carry it. */
      seq?: number;
    }
  | {
      type: 'pong';
      /** ISO 8601, UTC. */
      timestamp: string;
      /** The client's own number; acks carry it. */
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
