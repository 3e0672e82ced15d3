// Made of the contract by `npm run generate -w @bottega/sdk`; changes belong there. It is as long as the contract.

export interface User {
  id: string;
  name: string;
  username: string;
  email: string;
  avatar_url: string;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  subscription: {
    plan: 'free' | 'pro' | 'enterprise';
    status: 'active' | 'past_due' | 'canceled';
    expires_at: string | null;
  };
  preferences: {
    theme: 'light' | 'dark' | 'system';
    /** BCP 47 language tag. */
    language: string;
    notifications: {
      email: boolean;
      push: boolean;
    };
  };
}

export interface PatchUser {
  name?: string | undefined;
  /** Must be the current e-mail address, which cannot be changed. */
  email?: string | undefined;
  /** Unique; 1 to 39 lowercase letters, digits, dots, dashes and underscores. */
  username?: string | undefined;
  /** null means the generated picture. */
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
    /** In seconds. */
    window: number;
    /** ISO 8601 timestamp in UTC. */
    reset_at: string;
    burst: {
      limit: number;
      remaining: number;
      window: number;
    };
  };
  projects: {
    used: number;
    /** null means no limit. */
    limit: number | null;
  };
  stored_bytes: {
    used: number;
    /** null means no limit. */
    limit: number | null;
  };
  /** Total time for which workspaces ran in this month (UTC). */
  workspace_seconds: {
    used: number;
    /** null means no limit. */
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
  /** Day in UTC. */
  date: string;
  /** Number of deployments that ended on this day, regardless of the result. */
  deployments: number;
  /** Total duration of these deployments. */
  build_seconds: number;
  /** Total time for which workspaces ran. */
  workspace_seconds: number;
  /** null means not counted yet. */
  projects: number | null;
  /** null means not counted yet. */
  stored_bytes: number | null;
}

export interface AuditQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  action?: AuditAction | undefined;
  /** ISO 8601 timestamp in UTC. */
  since?: string | undefined;
  /** ISO 8601 timestamp in UTC. */
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
  | 'branch_rule.created'
  | 'branch_rule.changed'
  | 'branch_rule.deleted'
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
  /** Name of the action, such as `user.login`. */
  action: string;
  /** The affected account. */
  account_id: string;
  /** The user who performed the action; null if unknown. */
  actor_id: string | null;
  credential: {
    kind: string;
    id: string;
  } | null;
  address: string | null;
  user_agent: string | null;
  request_id: string | null;
  /** The affected object, if it is not the account itself. */
  subject_id: string | null;
  /** null after the account is deleted. */
  account_name: string | null;
  actor_name: string | null;
  /** Name of the project or account; shown to administrators only. */
  subject_name: string | null;
  details: Record<string, unknown>;
  /** ISO 8601 timestamp in UTC. */
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
  /** The first characters of the key, to identify it. */
  hint: string;
  /** An empty list grants all scopes. write:x includes read:x. */
  scopes: Array<Scope>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

export type Scope =
  | 'read:projects'
  | 'write:projects'
  | 'read:files'
  | 'write:files'
  | 'read:checks'
  | 'write:checks'
  | 'read:deployments'
  | 'write:deployments'
  | 'read:webhooks'
  | 'write:webhooks'
  | 'read:collaboration'
  | 'write:collaboration'
  | 'read:workspaces'
  | 'write:workspaces'
  | 'read:user'
  | 'write:user';

export interface CreateApiKey {
  name: string;
  /** An empty list grants all scopes. write:x includes read:x. */
  scopes?: Array<Scope> | undefined;
  expires_at?: string | null | undefined;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** The first characters of the key, to identify it. */
  hint: string;
  /** An empty list grants all scopes. write:x includes read:x. */
  scopes: Array<Scope>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** Returned once. */
  key: string;
}

export interface Overlap {
  /** How long the previous secret keeps working, in seconds. Default: `86400`. */
  overlap_seconds?: number | undefined;
}

export interface ServiceList {
  data: Array<Service>;
}

export interface Service {
  id: string;
  /** The `iss` claim of the service’s JWTs. */
  issuer: string;
  /** The `sub` claim of the service’s JWTs. */
  user_id: string;
  /** One key, or two keys during a rotation. */
  keys: Array<{
    kid: string;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface CreateService {
  /** Unique on this server. */
  issuer: string;
}

export interface NewService {
  id: string;
  /** The `iss` claim of the service’s JWTs. */
  issuer: string;
  /** The `sub` claim of the service’s JWTs. */
  user_id: string;
  /** One key, or two keys during a rotation. */
  keys: Array<{
    kid: string;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  kid: string;
  /** Returned only in this response. Use the bytes of this text as the HS256 key, without decoding them. */
  secret: string;
}

export interface ServiceAccountList {
  data: Array<ServiceAccount>;
}

export interface ServiceAccount {
  /** The `sub` claim of JWTs that act as this account. Any of the owner's services can sign them. */
  id: string;
  name: string;
  /** The owner, whose rights limit the service account's rights. */
  user_id: string;
  /** An empty list grants all scopes. write:x includes read:x. */
  scopes: Array<Scope>;
  /** Projects that the service account can access, within its owner's rights. */
  projects: Array<string>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface CreateServiceAccount {
  name: string;
  /** An empty list grants all scopes. write:x includes read:x. */
  scopes?: Array<Scope> | undefined;
  /** Project ids. */
  projects: Array<string>;
}

export interface OauthAppList {
  data: Array<OauthApp>;
}

export interface OauthApp {
  id: string;
  /** Same as `id`. */
  client_id: string;
  name: string;
  /** A public app, such as a mobile app, has no secret and must use PKCE. */
  type: 'confidential' | 'public';
  redirect_uris: Array<string>;
  /** One secret, or two secrets during a rotation. Public apps have no secret. */
  secrets: Array<{
    hint: string;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface CreateOauthApp {
  name: string;
  /** URIs must match exactly and use https, or http on a loopback address. Public apps can use any loopback port, or a custom scheme such as com.example.app:/callback. */
  redirect_uris: Array<string>;
  /** Default: `"confidential"`. */
  type?: 'confidential' | 'public' | undefined;
}

export interface NewOauthApp {
  id: string;
  /** Same as `id`. */
  client_id: string;
  name: string;
  /** A public app, such as a mobile app, has no secret and must use PKCE. */
  type: 'confidential' | 'public';
  redirect_uris: Array<string>;
  /** One secret, or two secrets during a rotation. Public apps have no secret. */
  secrets: Array<{
    hint: string;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    expires_at: string | null;
  }>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** Returned only in this response; null for a public app. */
  client_secret: string | null;
}

export interface PatchOauthApp {
  name?: string | undefined;
  /** URIs must match exactly and use https, or http on a loopback address. Public apps can use any loopback port, or a custom scheme such as com.example.app:/callback. */
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
  /** All scopes that you granted to the app. */
  scopes: Array<Scope>;
  /** ISO 8601 timestamp in UTC. */
  authorized_at: string;
  /** When the app last received a token. */
  last_used_at: string | null;
}

export interface AdminUserQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Part of the name, username or e-mail address. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  subscription: {
    plan: 'free' | 'pro' | 'enterprise';
    status: 'active' | 'past_due' | 'canceled';
    expires_at: string | null;
  };
  preferences: {
    theme: 'light' | 'dark' | 'system';
    /** BCP 47 language tag. */
    language: string;
    notifications: {
      email: boolean;
      push: boolean;
    };
  };
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  is_admin: boolean;
  email_verified: boolean;
  suspended: boolean;
  suspended_at: string | null;
  /** Whether signing in requires a code. */
  second_factor: boolean;
  /** Number of projects that the account owns. */
  projects_count: number;
  /** Number of bytes in all projects of the account, including projects in the trash. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  subscription: {
    plan: 'free' | 'pro' | 'enterprise';
    status: 'active' | 'past_due' | 'canceled';
    expires_at: string | null;
  };
  preferences: {
    theme: 'light' | 'dark' | 'system';
    /** BCP 47 language tag. */
    language: string;
    notifications: {
      email: boolean;
      push: boolean;
    };
  };
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  is_admin: boolean;
  email_verified: boolean;
  suspended: boolean;
  suspended_at: string | null;
  /** Whether signing in requires a code. */
  second_factor: boolean;
  /** Number of projects that the account owns. */
  projects_count: number;
  /** Number of bytes in all projects of the account, including projects in the trash. */
  stored_bytes: number;
  reset_link: ResetLink;
}

export interface ResetLink {
  /** Works once. Returned only in this response. */
  url: string;
  /** ISO 8601 timestamp in UTC. */
  expires_at: string;
}

export interface PatchAdminUser {
  /** Same as `subscription.plan`. */
  plan?: 'free' | 'pro' | 'enterprise' | undefined;
  subscription?:
    | {
        plan?: 'free' | 'pro' | 'enterprise' | undefined;
        status?: 'active' | 'past_due' | 'canceled' | undefined;
        expires_at?: string | null | undefined;
      }
    | undefined;
  is_admin?: boolean | undefined;
  /** An administrator can confirm the e-mail address for the user. */
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
  /** Part of the name or the owner’s e-mail address. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  last_activity: string;
  deleted_at: string | null;
  purge_at: string | null;
}

export interface Project {
  id: string;
  name: string;
  description: string;
  status: ProjectStatus;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
  /** Id of the project that this project was forked from; null if this project is not a fork, or if the original was purged. */
  forked_from: string | null;
}

export type ProjectStatus = 'active' | 'archived';

export interface ProjectOwner {
  id: string;
  name: string;
  /** Name for mentions, as in `@username`; empty unless you are a member of the project. */
  username: string;
  /** Empty unless you are a member of the project. */
  email: string;
}

export interface ProjectSettings {
  /** Any signed-in user can see the project’s content: files, history, branches, comments, the names of its members, and the live deployment. Only members can see how the project is built and run: logs, variables, environments, previews, other deployments, pending domains, webhooks and events. Default: `false`. */
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
  /** Status of the import. */
  status: 'idle' | 'syncing' | 'failed';
  /** Why the last import failed; null unless you are a member of the project. */
  error: string | null;
  /** What `error` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  error_code:
    | 'import_interrupted'
    | 'import_diverged'
    | 'import_unrelated'
    | 'not_version_controlled'
    | 'address_invalid'
    | 'host_name_invalid'
    | 'host_not_public'
    | 'host_unknown'
    | 'branch_missing'
    | 'repository_private'
    | 'repository_missing'
    | 'repository_moved'
    | 'repository_too_large'
    | 'repository_too_many_tags'
    | 'fetch_failed'
    | null;
  /** The values in `error` that its code does not say, by name. */
  error_values: Record<string, string>;
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
    /** In seconds. */
    window: number;
    burst: {
      limit: number;
      window: number;
    };
  };
  /** null means no limit. */
  projects: number | null;
  /** null means no limit. */
  stored_bytes: number | null;
  /** Files per project; null means no limit. */
  files: number | null;
  /** Concurrent builds per account; null means no limit. */
  builds: number | null;
  /** Concurrent server apps per account; null means no limit. */
  apps: number | null;
  /** null means no limit. */
  domains: number | null;
}

export interface AdminHealth {
  status: 'ok' | 'degraded';
  /** ISO 8601 timestamp in UTC. */
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
    /** Number of jobs that can run now. */
    ready: number;
    /** Number of jobs that are waiting for their scheduled time, their next attempt, or another job of the same account. */
    waiting: number;
    running: number;
    /** Number of jobs whose attempts all failed. */
    failed: number;
    oldest_ready_seconds: number | null;
  }>;
  workers: Array<{
    id: string;
    /** ISO 8601 timestamp in UTC. */
    last_seen: string;
    alive: boolean;
  }>;
  /** Reports from other parts of the service. */
  parts: Record<string, unknown>;
}

export interface InstallationUsageHistory {
  data: Array<InstallationUsageDay>;
}

export interface InstallationUsageDay {
  /** Day in UTC. */
  date: string;
  /** Number of deployments that ended on this day, regardless of the result. */
  deployments: number;
  /** Total duration of these deployments. */
  build_seconds: number;
  /** Total time for which workspaces ran. */
  workspace_seconds: number;
  /** null means not counted yet. */
  projects: number | null;
  /** null means not counted yet. */
  stored_bytes: number | null;
  /** null means not counted yet. */
  accounts: number | null;
}

export interface AdminAuditQuery {
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  action?: AuditAction | undefined;
  /** ISO 8601 timestamp in UTC. */
  since?: string | undefined;
  /** ISO 8601 timestamp in UTC. */
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
  /** If true, list projects that you starred and can read, including other users' projects. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
  /** Id of the project that this project was forked from; null if this project is not a fork, or if the original was purged. */
  forked_from: string | null;
  /** Address of the live deployment. */
  live_url: string | null;
  stats: {
    files_count: number;
    collaborators_count: number;
    /** ISO 8601 timestamp in UTC. */
    last_activity: string;
  };
}

export interface ProjectDetail {
  id: string;
  name: string;
  description: string;
  status: ProjectStatus;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
  /** Id of the project that this project was forked from; null if this project is not a fork, or if the original was purged. */
  forked_from: string | null;
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
  /** Leading and trailing white space is removed. */
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
        /** http or https URL of a git repository, without credentials. */
        url: string;
        /** Default: `"main"`. */
        branch?: string | undefined;
      }
    | null
    | undefined;
}

export interface ForkProject {
  /** Default: the name of the project. */
  name?: string | undefined;
  /** Default: the description of the project. */
  description?: string | undefined;
}

export interface ReplaceProject {
  /** Leading and trailing white space is removed. */
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
        /** http or https URL of a git repository, without credentials. */
        url: string;
        /** Default: `"main"`. */
        branch?: string | undefined;
      }
    | null
    | undefined;
}

export interface PatchProject {
  /** Leading and trailing white space is removed. */
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
        /** http or https URL of a git repository, without credentials. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  owner: ProjectOwner;
  settings: ProjectSettings;
  repository: ProjectRepository | null;
  /** The template that the project was created from. */
  template_id: string | null;
  /** Id of the project that this project was forked from; null if this project is not a fork, or if the original was purged. */
  forked_from: string | null;
  /** ISO 8601 timestamp in UTC. */
  deleted_at: string;
  /** When the project is permanently deleted. You can restore it until then. */
  purge_at: string | null;
  /** Number of bytes that still count towards your plan’s storage limit. */
  stored_bytes: number;
}

export interface PurgeProject {
  /** The project’s name as confirmation. */
  name: string;
}

export interface PurgeProjectAnswer {
  message: string;
}

export interface Stars {
  /** Ids of projects that you can read, most recently starred first; at most 500. */
  project_ids: Array<string>;
}

export interface SyncRepositoryAnswer {
  status: 'syncing';
}

export interface ArchiveQuery {
  /** Default: `"zip"`. */
  format?: 'zip' | 'tar.gz' | undefined;
  /** A branch, a tag or a commit. */
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
    /** Name for mentions, as in `@username`; null unless you are a member of the project. */
    username: string | null;
    /** Empty unless you are a member of the project. */
    email: string;
    avatar_url: string | null;
  };
  role: 'admin' | 'editor' | 'viewer';
  permissions: Array<'read' | 'write' | 'comment' | 'manage'>;
  /** User id; null unless you are a member of the project. */
  invited_by: string | null;
  /** ISO 8601 timestamp in UTC. */
  invited_at: string;
  joined_at: string | null;
  /** `expired`: the invitation was not accepted in time. You can send it again. */
  status: 'pending' | 'active' | 'expired';
  expires_at: string | null;
}

export interface InviteCollaborator {
  email: string;
  /** Default: `"viewer"`. */
  role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** Overrides the role's permissions; always includes `read`. Default: the role's permissions. */
  permissions?: Array<'read' | 'write' | 'comment' | 'manage'> | undefined;
  message?: string | undefined;
}

export interface SentInvitation {
  id: string;
  /** Until the invitation is accepted, only `email`, the invited address, is set. */
  user: {
    id: string | null;
    name: string | null;
    /** Name for mentions, as in `@username`; null unless you are a member of the project. */
    username: string | null;
    /** Empty unless you are a member of the project. */
    email: string;
    avatar_url: string | null;
  };
  role: 'admin' | 'editor' | 'viewer';
  permissions: Array<'read' | 'write' | 'comment' | 'manage'>;
  /** User id; null unless you are a member of the project. */
  invited_by: string | null;
  /** ISO 8601 timestamp in UTC. */
  invited_at: string;
  joined_at: string | null;
  /** `expired`: the invitation was not accepted in time. You can send it again. */
  status: 'pending' | 'active' | 'expired';
  expires_at: string | null;
  message: string;
  /** The link to send to the invitee if the service sends no e-mail; otherwise null. Returned only in this response. */
  invitation_url: string | null;
}

export interface PatchCollaborator {
  /** Also resets the permissions to the role's, unless you specify `permissions`. */
  role?: 'admin' | 'editor' | 'viewer' | undefined;
  /** null means the role's permissions. */
  permissions?: Array<'read' | 'write' | 'comment' | 'manage'> | null | undefined;
}

export interface NotificationQuery {
  /** If true, return only unread notifications. */
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
    | ReviewRequestedNotification
    | ReviewNotification
    | MergeRequestCommentNotification
    | MergeRequestMentionNotification
    | LeftQueueNotification
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
  /** ISO 8601 timestamp in UTC. */
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
    /** Absent if it is `main`. */
    branch?: string;
    line: number;
    /** The beginning of the comment. */
    excerpt: string;
    /** The text that mentions you: the id of a comment or a review, or `!7` for the description of merge request 7. */
    mentioned_in?: string;
  };
  /** ISO 8601 timestamp in UTC. */
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
    /** Absent if it is `main`. */
    branch?: string;
    line: number;
    /** The beginning of the comment. */
    excerpt: string;
  };
  /** ISO 8601 timestamp in UTC. */
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
    /** What `reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
    reason_code:
      | 'deployment_canceled'
      | 'deployment_canceled_early'
      | 'deployment_replaced'
      | 'deployment_branch_deleted'
      | 'deployment_internal'
      | 'machine_disk_full'
      | 'storage_unavailable'
      | 'build_exited'
      | 'build_timed_out'
      | 'build_memory'
      | 'build_disk'
      | 'output_missing'
      | 'output_empty'
      | 'output_outside'
      | 'output_name_invalid'
      | 'nothing_to_serve'
      | 'no_index_page'
      | 'output_unreadable'
      | 'output_timed_out'
      | 'output_memory'
      | 'output_too_deep'
      | 'output_path_too_long'
      | 'output_paths_too_long'
      | 'no_tar'
      | 'no_worker'
      | 'project_file_not_json'
      | 'project_file_too_large'
      | 'project_file_mistake'
      | 'app_exited'
      | 'app_exited_early'
      | 'app_memory'
      | 'app_memory_early'
      | 'app_disk'
      | 'app_disk_early'
      | 'app_silent'
      | 'app_unresponsive'
      | 'app_internal'
      | 'app_limit'
      | 'commands_disabled'
      | 'builds_unavailable'
      | 'sandbox_failed'
      | 'sandbox_network_failed'
      | null;
    /** The values in `reason` that its code does not say, by name. */
    reason_values: Record<string, string>;
  };
  /** ISO 8601 timestamp in UTC. */
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
  /** ISO 8601 timestamp in UTC. */
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
    /** What `reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
    reason_code: 'deliveries_failing' | 'endpoint_gone' | 'filters_too_slow' | null;
    /** The values in `reason` that its code does not say, by name. */
    reason_values: Record<string, string>;
  };
  /** ISO 8601 timestamp in UTC. */
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
    /** What `reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
    reason_code: 'domain_unproven' | 'domain_unanswered' | 'domain_lost' | null;
    /** The values in `reason` that its code does not say, by name. */
    reason_values: Record<string, string>;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  read_at: string | null;
}

export interface ReviewRequestedNotification {
  id: string;
  type: 'review_requested';
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
    number: number;
    title: string;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  read_at: string | null;
}

export interface ReviewNotification {
  id: string;
  type: 'review_submitted';
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
    number: number;
    title: string;
    event: string;
    excerpt: string;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  read_at: string | null;
}

export interface MergeRequestCommentNotification {
  id: string;
  type: 'merge_request_comment';
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
    number: number;
    title: string;
    thread_id: string;
    excerpt: string;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  read_at: string | null;
}

export interface MergeRequestMentionNotification {
  id: string;
  type: 'merge_request_mention';
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
    number: number;
    title: string;
    /** Absent if a description or a review mentions you. */
    thread_id?: string;
    /** The text that mentions you: the id of a comment or a review, or `!7` for the description of merge request 7. */
    mentioned_in: string;
    /** The beginning of the text. */
    excerpt: string;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  read_at: string | null;
}

export interface LeftQueueNotification {
  id: string;
  type: 'left_queue';
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
    number: number;
    title: string;
    reason: string;
    /** What `reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
    reason_code:
      | 'queue_target_changed'
      | 'queue_target_deleted'
      | 'queue_source_changed'
      | 'queue_checks_failed'
      | 'merge_conflicts'
      | 'merge_nothing'
      | 'merge_not_fast_forward'
      | 'merge_unrelated'
      | 'merge_source_moved'
      | 'merge_target_moved'
      | 'branch_protected'
      | null;
    /** The values in `reason` that its code does not say, by name. */
    reason_values: Record<string, string>;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  read_at: string | null;
}

export interface ReadNotifications {
  ids?: Array<string> | undefined;
  /** Mark all notifications as read; use it instead of `ids`. */
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
  /** ISO 8601 timestamp in UTC. */
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
  /** Until the transfer is accepted, the owner sees only the specified address or id. */
  to: {
    id: string | null;
    name: string | null;
    email: string | null;
  };
  status: 'pending' | 'expired';
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  expires_at: string;
}

/** The e-mail address or the id of the new owner. */
export interface CreateTransfer {
  email?: string | undefined;
  user_id?: string | undefined;
}

export interface FileListQuery {
  /** Directory to list. Default: the root. */
  path?: string | undefined;
  /** Default: `false`. */
  recursive?: boolean | undefined;
  type?: 'file' | 'directory' | undefined;
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** The branch to read; default: `main`. Cannot be combined with `ref`. */
  branch?: string | undefined;
  /** Read the files on the disk of this running workspace, including files that git ignores. Only for members of the project. File ids are valid only with the same workspace. Cannot be combined with `ref`, `branch` or `recursive`. */
  workspace?: string | undefined;
  /** Page size. Follow `next` to get the next page. */
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
  /** Size in bytes; files only. */
  size?: number;
  /** Set for files only. */
  mime_type?: string;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** `sha256:` followed by the hex digest; files only. */
  checksum?: string;
}

export interface FileContentQuery {
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  /** The branch to read; default: `main`. Cannot be combined with `ref`. */
  branch?: string | undefined;
  /** Read the files on the disk of this running workspace, including files that git ignores. Only for members of the project. File ids are valid only with the same workspace. Cannot be combined with `ref`, `branch` or `recursive`. */
  workspace?: string | undefined;
  /** Default: `false`. */
  download?: boolean | undefined;
}

export interface MoveFile {
  /** At most 64 levels and 255 bytes per name. No control characters, and no name `.`, `..` or `.git`. */
  path: string;
  message?: string | undefined;
  /** The branch to write to; default: `main`. 404 if it does not exist. */
  branch?: string | undefined;
  /** Branch, tag or commit from which the write creates `branch` if `branch` does not exist. */
  create_branch_from?: string | undefined;
}

export interface WrittenFile {
  id: string;
  name: string;
  path: string;
  type: 'file' | 'directory';
  /** Size in bytes; files only. */
  size?: number;
  /** Set for files only. */
  mime_type?: string;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
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
  /** Branch, tag or commit from which the write creates `branch` if `branch` does not exist. */
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
    /** Starts at 1. */
    line: number;
    /** Starts at 1; counts UTF-16 code units. */
    column: number;
    excerpt: string;
  }>;
  /** Whether there are more matches, or some files were too large to search. */
  truncated: boolean;
}

export interface CreateShareLink {
  /** In seconds. Default: `86400`. */
  expires_in?: number | undefined;
}

export interface ShareLink {
  url: string;
  /** ISO 8601 timestamp in UTC. */
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
  /** Start of the page, from the `next` link of the previous page. With a cursor, `page` has no effect and is returned unchanged. */
  cursor?: string | undefined;
}

export interface CommitList {
  data: Array<Commit>;
  pagination: PageInfo;
}

export interface Commit {
  sha: string;
  /** At most the first 65,536 characters of the message. */
  message: string;
  /** Whether `message` was truncated. */
  message_truncated: boolean;
  author: {
    name: string;
    email: string;
  };
  /** ISO 8601 timestamp in UTC. */
  committed_at: string;
  parents: Array<string>;
  /** Present if the request that created the commit named a branch. */
  branch?: string;
}

export interface CommitQuery {
  /** Number of files that include `diff` and counts. Request other files with `path`. Default: `300`. */
  diffs?: number | undefined;
  /** Return only the file at this path. For a renamed file, specify the new path. */
  path?: string | undefined;
}

export interface CommitDetail {
  sha: string;
  /** At most the first 65,536 characters of the message. */
  message: string;
  /** Whether `message` was truncated. */
  message_truncated: boolean;
  author: {
    name: string;
    email: string;
  };
  /** ISO 8601 timestamp in UTC. */
  committed_at: string;
  parents: Array<string>;
  /** Present if the request that created the commit named a branch. */
  branch?: string;
  files: Array<{
    path: string;
    /** The path before a rename. */
    previous_path: string | null;
    status: 'added' | 'modified' | 'deleted' | 'renamed';
    /** Number of added lines; 0 if they were not counted. */
    additions: number;
    /** Number of removed lines; 0 if they were not counted. */
    deletions: number;
    /** Unified diff; null if the file is binary or very large, or the response reached its size limit. */
    diff: string | null;
  }>;
  /** Whether files, or their `diff` and counts, are missing because there are too many files. Files without a diff because of a smaller `diffs` value do not count. */
  truncated: boolean;
}

export interface CreateCommit {
  message?: string | undefined;
  /** The branch to write to; default: `main`. 404 if it does not exist. */
  branch?: string | undefined;
  /** Branch, tag or commit from which the write creates `branch` if `branch` does not exist. */
  create_branch_from?: string | undefined;
  changes: Array<{
    action: 'create' | 'update' | 'delete' | 'move';
    /** At most 64 levels and 255 bytes per name. No control characters, and no name `.`, `..` or `.git`. */
    path: string;
    /** At most 64 levels and 255 bytes per name. No control characters, and no name `.`, `..` or `.git`. */
    new_path?: string | undefined;
    content?: string | undefined;
    /** utf-8 or base64, case-insensitive. */
    encoding?: string | undefined;
    /** The checksum that the file must have before the commit. Otherwise, nothing changes and the response is a 412. */
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
  /** Whether a rule allows changes to the branch only through merge requests. */
  protected: boolean;
  /** ISO 8601 timestamp in UTC. */
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
  /** Return only counts, without commits and files; `mergeable` is null. Default: `false`. */
  summary?: boolean | undefined;
  /** Number of files that include `diff` and counts. Default: `300`. */
  diffs?: number | undefined;
}

export interface Comparison {
  /** Commit id of `base`. */
  base: string;
  /** Commit id of `head`. */
  head: string;
  merge_base: string | null;
  status: 'identical' | 'ahead' | 'behind' | 'diverged' | 'unrelated';
  /** Number of commits in `head` but not in `base`. */
  ahead: number;
  /** Number of commits in `base` but not in `head`. */
  behind: number;
  /** Commits in `head` but not in `base`, newest first; at most 100. */
  commits: Array<Commit>;
  files: Array<{
    path: string;
    /** The path before a rename. */
    previous_path: string | null;
    status: 'added' | 'modified' | 'deleted' | 'renamed';
    /** Number of added lines; 0 if they were not counted. */
    additions: number;
    /** Number of removed lines; 0 if they were not counted. */
    deletions: number;
    /** Unified diff; null if the file is binary or very large, or the response reached its size limit. */
    diff: string | null;
  }>;
  /** Whether files, or their `diff` and counts, are missing because there are too many files. Files without a diff because of a smaller `diffs` value do not count. */
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
  /** `merge` creates a commit with both parents, `squash` creates a commit with `target` as its only parent, `rebase` repeats the commits of `source` on `target`, and `fast-forward` moves `target` to `source`. Default: `"merge"`. */
  strategy?: 'merge' | 'squash' | 'rebase' | 'fast-forward' | undefined;
  message?: string | undefined;
  /** The commit that `source` must point to; otherwise, the response is a 409. */
  source_sha?: string | undefined;
  /** The commit that `target` must point to; otherwise, the response is a 409. */
  target_sha?: string | undefined;
  /** One entry per conflict, each with exactly one of `content`, `delete` and `take`. */
  resolutions?:
    | Array<{
        /** At most 64 levels and 255 bytes per name. No control characters, and no name `.`, `..` or `.git`. */
        path: string;
        /** The resolved content of the file. */
        content?: string | undefined;
        /** utf-8 or base64, case-insensitive. */
        encoding?: string | undefined;
        /** Delete the file. */
        delete?: true | undefined;
        /** Use the file and its mode from `target` (ours) or `source` (theirs). If that side has no such file, the file is deleted. */
        take?: 'ours' | 'theirs' | undefined;
      }>
    | undefined;
}

export interface MergeRequestQuery {
  state?: 'open' | 'merged' | 'closed' | undefined;
  /** Id of the author, or `me`. */
  author?: string | undefined;
  /** Id of a reviewer, or `me`. */
  reviewer?: string | undefined;
  /** Id of an assignee, or `me`. */
  assignee?: string | undefined;
  label?: string | undefined;
  /** A branch of the project itself; branches of forks do not match. */
  source?: string | undefined;
  target?: string | undefined;
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
  /** Start of the page, from the `next` link of the previous page. */
  cursor?: string | undefined;
}

export interface MergeRequestList {
  data: Array<MergeRequest>;
  pagination: PageInfo;
}

export interface MergeRequest {
  /** Number of the merge request in its project, starting at 1. */
  number: number;
  project_id: string;
  project_name: string;
  title: string;
  description: string;
  state: 'open' | 'merged' | 'closed';
  /** Whether the author is still working on the merge request; a draft cannot be merged. */
  draft: boolean;
  /** The branch with the changes. */
  source: string;
  /** The fork that contains the branch `source`; null if the project itself contains it. `name` is null if the fork was purged. */
  source_project: {
    id: string;
    name: string | null;
  } | null;
  /** Why newer commits of the fork did not become a version; null if there is no problem. */
  source_problem: string | null;
  /** What `source_problem` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  source_problem_code: 'fork_unreadable' | null;
  /** The values in `source_problem` that its code does not say, by name. */
  source_problem_values: Record<string, string>;
  /** The branch that the changes are for. */
  target: string;
  /** The head of the newest version. */
  head_sha: string;
  /** Number of the newest version. */
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  reviewers: Array<{
    id: string;
    name: string;
  } | null>;
  assignees: Array<{
    id: string;
    name: string;
  } | null>;
  labels: Array<string>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  merged_at: string | null;
  closed_at: string | null;
  merged_by: {
    id: string;
    name: string;
  } | null | null;
  /** The commit on `target` that resulted from the merge; null unless the merge request was merged. */
  merge_sha: string | null;
  /** Place of the merge request in the queue of its target; null if the merge request is not queued. */
  queue: {
    /** `waiting`: something that is required is still missing. `testing`: the checks of the merge result are running. */
    state: 'waiting' | 'testing';
    /** Position in the queue, starting at 1. */
    position: number;
    strategy: 'merge' | 'squash' | 'rebase' | 'fast_forward';
    queued_by: {
      id: string;
      name: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    queued_at: string;
    /** The commit that is tested: the target with this merge request and all merge requests before it in the queue. */
    test_sha: string | null;
  } | null;
  /** Address of the merge request in the dashboard. */
  url: string;
}

export interface CreateMergeRequest {
  /** The branch with the changes. */
  source: string;
  /** Id of your fork of the project, if `source` is a branch of the fork. */
  source_project?: string | undefined;
  /** Default: `"main"`. */
  target?: string | undefined;
  title: string;
  /** Markdown. Each `@username` notifies that member of the project; at most 20 members are notified. */
  description?: string | undefined;
  /** Default: `false`. */
  draft?: boolean | undefined;
  /** Ids of members who should review the merge request. */
  reviewers?: Array<string> | undefined;
  /** Ids of members who take care of the merge request. */
  assignees?: Array<string> | undefined;
  labels?: Array<string> | undefined;
}

export interface ChangeMergeRequest {
  title?: string | undefined;
  /** Markdown. Each `@username` notifies that member of the project; at most 20 members are notified. */
  description?: string | undefined;
  draft?: boolean | undefined;
  /** `closed` closes the merge request, and `open` reopens it. */
  state?: 'open' | 'closed' | undefined;
  target?: string | undefined;
  /** Ids of members who should review the merge request; replaces the current list. */
  reviewers?: Array<string> | undefined;
  /** Ids of members who take care of the merge request; replaces the current list. */
  assignees?: Array<string> | undefined;
  labels?: Array<string> | undefined;
}

export interface MergeRequestVersionList {
  data: Array<MergeRequestVersion>;
}

export interface MergeRequestVersion {
  version: number;
  head_sha: string;
  /** The head of `target` when the version was created. */
  base_sha: string;
  /** The newest commit that the source and the target have in common; null if there is none. */
  merge_base_sha: string | null;
  pushed_by: {
    id: string;
    name: string;
  } | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface MergeRequestDiffQuery {
  /** Show what changed since this version; default: since the merge base. */
  from?: number | undefined;
  /** The version to show; default: the newest. */
  to?: number | undefined;
  /** Return this file only, with its diff. */
  path?: string | undefined;
  /** Number of files that include `diff`. Default: `300`. */
  diffs?: number | undefined;
  /** Count the changed lines of all files, including files without a diff. Files beyond a size or time limit have 0 additions and 0 deletions. Default: `false`. */
  counts?: boolean | undefined;
}

export interface MergeRequestDiff {
  /** The commit on the left side; null if the left side is empty. */
  from_sha: string | null;
  /** The commit on the right side. */
  to_sha: string;
  /** The version on the right side. */
  version: number;
  files: Array<{
    path: string;
    /** The path before a rename. */
    previous_path: string | null;
    status: 'added' | 'modified' | 'deleted' | 'renamed';
    /** Number of added lines; 0 if they were not counted. */
    additions: number;
    /** Number of removed lines; 0 if they were not counted. */
    deletions: number;
    /** Unified diff; null if the file is binary or very large, or the response reached its size limit. */
    diff: string | null;
  }>;
  /** Whether files, or their `diff` and counts, are missing because there are too many files. Files without a diff because of a smaller `diffs` value do not count. */
  truncated: boolean;
}

export interface MergeMergeRequest {
  /** Default: `"merge"`. */
  strategy?: 'merge' | 'squash' | 'rebase' | 'fast_forward' | undefined;
  /** The commit that was reviewed; 409 if the source has moved since. */
  head_sha?: string | undefined;
  message?: string | undefined;
  /** Delete the source branch afterwards. Default: `false`. */
  delete_branch?: boolean | undefined;
  /** Put the merge request into the queue of its target, which merges it once it is ready. Default: `false`. */
  when_ready?: boolean | undefined;
}

export interface OwnMergeRequestQuery {
  /** `waiting`: merge requests that list you as a reviewer and whose newest version you have not reviewed yet. Default: `"waiting"`. */
  part?: 'waiting' | 'author' | 'assignee' | undefined;
  /** Default: `"open"`. */
  state?: 'open' | 'merged' | 'closed' | undefined;
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
}

export interface ReviewThreadList {
  data: Array<ReviewThread>;
  /** The head of the newest version, to which the places of the threads refer. */
  head_sha: string;
}

export interface ReviewThread {
  id: string;
  /** Null for a thread about the whole merge request. */
  path: string | null;
  /** `RIGHT`: the file on the source. `LEFT`: the file at the merge base. */
  side: 'LEFT' | 'RIGHT' | null;
  start_line: number | null;
  /** The last line; null for a thread about a file or about the whole request. */
  line: number | null;
  /** Whether the lines of the thread are no longer in the newest version. */
  outdated: boolean;
  /** Where and on which version the thread was started. */
  origin: {
    version: number;
    /** Null for a thread about the whole merge request. */
    path: string | null;
    /** `RIGHT`: the file on the source. `LEFT`: the file at the merge base. */
    side: 'LEFT' | 'RIGHT' | null;
    start_line: number | null;
    /** The last line; null for a thread about a file or about the whole request. */
    line: number | null;
    /** The lines at that time. */
    text: string | null;
  };
  resolved: boolean;
  resolved_by: {
    id: string;
    name: string;
  } | null;
  resolved_at: string | null;
  comments: Array<ReviewComment>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface ReviewComment {
  id: string;
  author: {
    id: string;
    name: string;
  } | null;
  /** Markdown. A code block named `suggestion` offers other lines for the lines of the thread. */
  body: string;
  /** Whether only the author sees the comment, until they submit their next review. */
  draft: boolean;
  /** The commit that applied the suggestion of the comment. */
  applied_sha: string | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  edited_at: string | null;
}

export interface CreateThread {
  /** Omit `path` for a thread about the whole merge request. */
  path?: string | undefined;
  /** Default: `"RIGHT"`. */
  side?: 'LEFT' | 'RIGHT' | undefined;
  start_line?: number | undefined;
  /** Omit `line` for a thread about the whole file. */
  line?: number | undefined;
  /** The version that you looked at; default: the newest. */
  version?: number | undefined;
  /** Markdown. Each `@username` notifies that member of the project; at most 20 members are notified. */
  body: string;
  /** Keep the comment as a draft until you submit your next review. Default: `false`. */
  draft?: boolean | undefined;
}

export interface ChangeThread {
  resolved: boolean;
}

export interface CreateReply {
  /** Markdown. Each `@username` notifies that member of the project; at most 20 members are notified. */
  body: string;
  /** Default: `false`. */
  draft?: boolean | undefined;
}

export interface ChangeReviewComment {
  /** Markdown. Each `@username` notifies that member of the project; at most 20 members are notified. */
  body: string;
}

export interface ReviewList {
  data: Array<Review>;
}

export interface Review {
  id: string;
  author: {
    id: string;
    name: string;
  } | null;
  event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';
  body: string;
  /** The version that was reviewed. */
  version: number;
  /** Whether the review counts for the newest version: it must be the last review by its author, and the newest version must change the same lines in the same way. */
  holds: boolean;
  /** ISO 8601 timestamp in UTC. */
  submitted_at: string;
}

export interface SubmitReview {
  event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';
  /** Markdown. Each `@username` notifies that member of the project; at most 20 members are notified. Default: `""`. */
  body?: string | undefined;
  /** The commit that you reviewed; 409 if there is a newer one. */
  head_sha?: string | undefined;
  /** Threads to start. Your draft comments are submitted too. */
  comments?:
    | Array<{
        /** Omit `path` for a thread about the whole merge request. */
        path?: string | undefined;
        /** Default: `"RIGHT"`. */
        side?: 'LEFT' | 'RIGHT' | undefined;
        start_line?: number | undefined;
        /** Omit `line` for a thread about the whole file. */
        line?: number | undefined;
        /** Markdown. Each `@username` notifies that member of the project; at most 20 members are notified. */
        body: string;
      }>
    | undefined;
}

export interface ApplySuggestions {
  /** Ids of comments with suggestions. One commit on the source applies all of them. */
  comments: Array<string>;
  message?: string | undefined;
}

export interface ViewedFiles {
  /** Files that you marked as viewed and that have not changed since. */
  paths: Array<string>;
}

export interface MarkViewed {
  paths: Array<string>;
  viewed: boolean;
}

export interface MergeReadiness {
  ready: boolean;
  blocked_by: Array<MergeBlock>;
  approvals: {
    given: number;
    required: number;
  };
  /** Owners of changed files who cannot approve, because they are not members who can edit the project. */
  unknown_owners?: Array<string>;
  /** Whether you are allowed to merge the merge request once it is ready. */
  can_merge: boolean;
}

export interface MergeBlock {
  reason:
    | 'draft'
    | 'closed'
    | 'conflicts'
    | 'approvals'
    | 'changes_requested'
    | 'owners'
    | 'check_missing'
    | 'check_pending'
    | 'check_failed'
    | 'definition_changed';
  message: string;
  /** Names of the checks, people or files that the reason is about; empty if there are none. */
  names: Array<string>;
}

export interface QueueMergeRequest {
  /** Default: `"merge"`. */
  strategy?: 'merge' | 'squash' | 'rebase' | 'fast_forward' | undefined;
  /** The commit that was reviewed; 409 if the source has moved since. */
  head_sha?: string | undefined;
  message?: string | undefined;
  /** Delete the source branch afterwards. Default: `false`. */
  delete_branch?: boolean | undefined;
}

export interface MergeQueueQuery {
  /** Default: `"main"`. */
  target?: string | undefined;
}

export interface MergeQueue {
  data: Array<MergeRequest>;
}

export interface RequestChecks {
  state: 'none' | 'pending' | 'success' | 'failure';
  /** The commit that is checked: the merge of the newest version into the target. */
  merge_sha: string | null;
  /** Why nothing can be checked, such as conflicts or a mistake in bottega.json. */
  problem: string | null;
  /** What `problem` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  problem_code:
    | 'merge_conflicts'
    | 'merge_nothing'
    | 'merge_not_fast_forward'
    | 'merge_unrelated'
    | 'merge_source_moved'
    | 'merge_target_moved'
    | 'branch_protected'
    | 'project_file_not_json'
    | 'project_file_too_large'
    | 'project_file_mistake'
    | null;
  /** The values in `problem` that its code does not say, by name. */
  problem_values: Record<string, string>;
  /** Whether the checks of this version are waiting for a member who can edit the project to start them. */
  needs_start: boolean;
  data: Array<RequestCheck>;
}

export interface RequestCheck {
  name: string;
  /** Whether a rule of the target branch requires this check. */
  required: boolean;
  /** False if the request changes none of the `paths` of the check. */
  applies: boolean;
  /** Whether the request changes how the check is defined. */
  changed: boolean;
  run: CheckRun | null;
}

export interface CheckRun {
  id: string;
  project_id: string;
  name: string;
  /** The commit for which the check was first requested. The result belongs to the tree of the commit. */
  head_sha: string;
  /** The tree that is checked: all files of the commit. */
  tree_sha: string;
  /** `project`: a check from bottega.json that runs here. `outside`: a check that another system reports. */
  source: 'project' | 'outside';
  status: 'queued' | 'in_progress' | 'completed';
  /** Null until the check is completed. */
  conclusion: 'success' | 'failure' | 'neutral' | 'cancelled' | 'skipped' | 'timed_out' | 'action_required' | null;
  /** The command that the check runs; null for a check that another system reports. */
  command: string | null;
  /** Names of checks that must succeed before this check runs. */
  needs: Array<string>;
  /** How many times the check was started. */
  attempt: number;
  details_url: string | null;
  external_id: string | null;
  output: {
    title: string;
    /** Markdown. */
    summary: string;
    annotations_count: number;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
}

export interface StartRequestChecks {
  /** The commit that you looked at; 409 if the merge request has a newer one. */
  head_sha: string;
}

export interface BranchRuleList {
  data: Array<BranchRule>;
}

export interface BranchRule {
  id: string;
  project_id: string;
  /** A branch name. `*` stands for any characters within one part of the name, as in `release/*`, and `**` stands for any number of parts. */
  pattern: string;
  /** Number of approvals that a merge request needs from members who can edit the project. */
  approvals: number;
  /** Whether an owner of each changed file, as named in CODEOWNERS, must approve a merge request. */
  owners: boolean;
  /** Names of checks that must succeed. For a check in bottega.json, the definition on the target branch applies. */
  checks: Array<string>;
  /** Whether the branch changes only through merge requests, and not through pushes, writes or live editing. */
  no_direct_push: boolean;
  /** Minutes to wait until another system completes its check. After that, the check counts as `timed_out`. */
  check_minutes: number;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface CreateBranchRule {
  /** A branch name. `*` stands for any characters within one part of the name, as in `release/*`, and `**` stands for any number of parts. */
  pattern: string;
  /** Number of approvals that a merge request needs from members who can edit the project. Default: `0`. */
  approvals?: number | undefined;
  /** Whether an owner of each changed file, as named in CODEOWNERS, must approve a merge request. Default: `false`. */
  owners?: boolean | undefined;
  /** Names of checks that must succeed. For a check in bottega.json, the definition on the target branch applies. Default: `[]`. */
  checks?: Array<string> | undefined;
  /** Whether the branch changes only through merge requests, and not through pushes, writes or live editing. Default: `false`. */
  no_direct_push?: boolean | undefined;
  /** Minutes to wait until another system completes its check. After that, the check counts as `timed_out`. Default: `60`. */
  check_minutes?: number | undefined;
}

export interface ChangeBranchRule {
  /** Number of approvals that a merge request needs from members who can edit the project. */
  approvals?: number | undefined;
  /** Whether an owner of each changed file, as named in CODEOWNERS, must approve a merge request. */
  owners?: boolean | undefined;
  /** Names of checks that must succeed. For a check in bottega.json, the definition on the target branch applies. */
  checks?: Array<string> | undefined;
  /** Whether the branch changes only through merge requests, and not through pushes, writes or live editing. */
  no_direct_push?: boolean | undefined;
  /** Minutes to wait until another system completes its check. After that, the check counts as `timed_out`. */
  check_minutes?: number | undefined;
}

export interface CheckRunQuery {
  /** A branch, a tag or a commit. */
  ref?: string | undefined;
  name?: string | undefined;
  status?: 'queued' | 'in_progress' | 'completed' | undefined;
  /** Default: `1`. */
  page?: number | undefined;
  /** Default: `20`. */
  limit?: number | undefined;
}

export interface CheckRunList {
  data: Array<CheckRun>;
  pagination: PageInfo;
}

export interface CreateCheckRun {
  name: string;
  head_sha: string;
  /** Default: `"queued"`. */
  status?: 'queued' | 'in_progress' | 'completed' | undefined;
  /** Required when `status` is `completed`. */
  conclusion?:
    | 'success'
    | 'failure'
    | 'neutral'
    | 'cancelled'
    | 'skipped'
    | 'timed_out'
    | 'action_required'
    | undefined;
  /** Address at which the other system shows the check. */
  details_url?: string | undefined;
  external_id?: string | undefined;
  /** ISO 8601 timestamp in UTC. */
  started_at?: string | undefined;
  /** ISO 8601 timestamp in UTC. */
  completed_at?: string | undefined;
  output?:
    | {
        title?: string | undefined;
        /** Markdown. */
        summary?: string | undefined;
        /** Added to the annotations that the check already has. */
        annotations?:
          | Array<{
              /** A file of the commit. */
              path: string;
              start_line: number;
              end_line: number;
              annotation_level: 'notice' | 'warning' | 'failure';
              title?: string | undefined;
              message: string;
            }>
          | undefined;
      }
    | undefined;
}

export interface RunChecks {
  /** Default: `"main"`. */
  ref?: string | undefined;
  /** Names of the checks to run; default: all. */
  names?: Array<string> | undefined;
}

export interface CommitChecks {
  sha: string;
  state: 'none' | 'pending' | 'success' | 'failure';
  data: Array<CheckRun>;
}

export interface ChangeCheckRun {
  status?: 'queued' | 'in_progress' | 'completed' | undefined;
  /** Required when `status` is `completed`. */
  conclusion?:
    | 'success'
    | 'failure'
    | 'neutral'
    | 'cancelled'
    | 'skipped'
    | 'timed_out'
    | 'action_required'
    | undefined;
  /** Address at which the other system shows the check. */
  details_url?: string | undefined;
  external_id?: string | undefined;
  /** ISO 8601 timestamp in UTC. */
  started_at?: string | undefined;
  /** ISO 8601 timestamp in UTC. */
  completed_at?: string | undefined;
  output?:
    | {
        title?: string | undefined;
        /** Markdown. */
        summary?: string | undefined;
        /** Added to the annotations that the check already has. */
        annotations?:
          | Array<{
              /** A file of the commit. */
              path: string;
              start_line: number;
              end_line: number;
              annotation_level: 'notice' | 'warning' | 'failure';
              title?: string | undefined;
              message: string;
            }>
          | undefined;
      }
    | undefined;
}

export interface CheckAnnotationList {
  data: Array<CheckAnnotation>;
}

export interface CheckAnnotation {
  /** A file of the commit. */
  path: string;
  start_line: number;
  end_line: number;
  annotation_level: 'notice' | 'warning' | 'failure';
  title: string;
  message: string;
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
  /** Increases with each line. Pass it as `after` to get later lines. */
  seq: number;
  /** ISO 8601 timestamp in UTC. */
  timestamp: string;
  level: 'info' | 'warn' | 'error';
  stream: 'system' | 'stdout' | 'stderr' | 'app';
  /** `runtime`: written by or about a running server app. */
  source: 'build' | 'runtime';
  message: string;
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
    /** null for templates that users published. */
    url: string | null;
  };
  preview_url: string;
  repository_url: string;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** `private`: only the author can see the template. `public`: all users can see it. Only administrators can make a template public. */
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
  /** Whether a value is required. */
  required?: boolean;
  /** Only for the type `choice`. */
  choices?: Array<string>;
  /** Regular expression that the entire string must match. Characters, classes and quantifiers are allowed; groups are not. */
  pattern?: string;
  /** Only for the type `string`. */
  max_length?: number;
}

export interface PublishTemplate {
  project_id: string;
  name: string;
  description?: string | undefined;
  category?: string | undefined;
  language?: string | undefined;
  tags?: Array<string> | undefined;
  /** `private`: only the author can see the template. `public`: all users can see it. Only administrators can make a template public. */
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
  /** Deployments to `production` go live automatically. Any other name is a preview. */
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
  /** Deployments to `production` go live automatically. Any other name is a preview. */
  environment: string;
  branch: string;
  /** Same value as in the deployment’s events. */
  trigger: 'manual' | 'push' | 'redeploy';
  /** The deployment’s own address; null until the deployment succeeds and after its files are purged. */
  url: string | null;
  /** Only for previews: the address of the branch’s newest preview. */
  branch_url: string | null;
  /** Only for previews: when the preview stopped being served, because its branch was deleted or it expired. */
  retired_at: string | null;
  /** All fields are null without version control. */
  commit: {
    sha: string | null;
    message: string | null;
    author: string | null;
  };
  /** The requested command; null means the command from bottega.json. */
  build_command: string | null;
  /** The requested directory; null means that the directory comes from bottega.json or is detected. */
  output_directory: string | null;
  /** Names only; the API never returns the values. */
  environment_variables: Array<string>;
  /** Names of variables that were set for this deployment, not for the project. */
  own_environment_variables: Array<string>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** In seconds. */
  duration: number | null;
  /** 1 means that this deployment starts next; null unless it is pending. */
  queue_position: number | null;
  /** null for static files. */
  app: {
    status: 'starting' | 'running' | 'sleeping' | 'failed';
    /** Number of automatic restarts after crashes since the app was last started. */
    restarts: number;
    /** Why the process last exited, or why it cannot start. */
    problem: string | null;
    /** What `problem` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
    problem_code:
      | 'app_exited'
      | 'app_exited_early'
      | 'app_memory'
      | 'app_memory_early'
      | 'app_disk'
      | 'app_disk_early'
      | 'app_silent'
      | 'app_unresponsive'
      | 'app_internal'
      | 'app_limit'
      | 'commands_disabled'
      | 'builds_unavailable'
      | 'sandbox_failed'
      | 'sandbox_network_failed'
      | null;
    /** The values in `problem` that its code does not say, by name. */
    problem_values: Record<string, string>;
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
    /** The most informative line that the command wrote to standard error. */
    output?: string | null;
    /** Location of the error, according to the output. */
    source?: {
      /** Path relative to the project’s root. */
      file: string;
      /** Starts at 1. */
      line: number | null;
      /** Starts at 1. */
      column: number | null;
    } | null;
    /** What `message` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
    message_code:
      | 'deployment_canceled'
      | 'deployment_canceled_early'
      | 'deployment_replaced'
      | 'deployment_branch_deleted'
      | 'deployment_internal'
      | 'machine_disk_full'
      | 'storage_unavailable'
      | 'build_exited'
      | 'build_timed_out'
      | 'build_memory'
      | 'build_disk'
      | 'output_missing'
      | 'output_empty'
      | 'output_outside'
      | 'output_name_invalid'
      | 'nothing_to_serve'
      | 'no_index_page'
      | 'output_unreadable'
      | 'output_timed_out'
      | 'output_memory'
      | 'output_too_deep'
      | 'output_path_too_long'
      | 'output_paths_too_long'
      | 'no_tar'
      | 'no_worker'
      | 'project_file_not_json'
      | 'project_file_too_large'
      | 'project_file_mistake'
      | 'app_exited'
      | 'app_exited_early'
      | 'app_memory'
      | 'app_memory_early'
      | 'app_disk'
      | 'app_disk_early'
      | 'app_silent'
      | 'app_unresponsive'
      | 'app_internal'
      | 'app_limit'
      | 'commands_disabled'
      | 'builds_unavailable'
      | 'sandbox_failed'
      | 'sandbox_network_failed'
      | null;
    /** The values in `message` that its code does not say, by name. */
    message_values: Record<string, string>;
  } | null;
}

export interface EnvironmentList {
  data: Array<Environment>;
}

export interface Environment {
  /** Deployments to `production` go live automatically. Any other name is a preview. */
  name: string;
  /** null if the environment has variables but no deployments. */
  latest_deployment: Deployment | null;
}

export interface CreateDeployment {
  /** Deployments to `production` go live automatically. Any other name is a preview. Default: `"production"`. */
  environment?: string | undefined;
  /** Default: `"main"`. */
  branch?: string | undefined;
  /** Runs in `sh`. If empty, no build runs, even if bottega.json specifies a command. */
  build_command?: string | undefined;
  /** Path relative to the project’s root, such as `dist`. Default: specified in bottega.json, or detected. */
  output_directory?: string | undefined;
  /** Variables in addition to the project’s variables. They override project variables with the same name. Encrypted at rest and masked in logs. Default: the values from the last deployment to the environment. */
  environment_variables?: Record<string, string> | undefined;
}

export interface DeploymentArtifacts {
  build_id: string;
  /** Total size in bytes. */
  size: number;
  artifacts: Array<{
    /** Path relative to the output directory. */
    name: string;
    size: number;
    mime_type: string;
    /** `sha256:` followed by the hex digest. */
    checksum: string;
    /** null for a server app’s files. */
    url: string | null;
  }>;
}

export interface WorkspaceList {
  data: Array<Workspace>;
}

export interface Workspace {
  id: string;
  project_id: string;
  name: string;
  /** The branch whose files the workspace contains. */
  branch: string;
  /** `follow`: the workspace shares an existing branch. `own`: the branch was created for the workspace. */
  mode: 'follow' | 'own';
  status: 'starting' | 'running' | 'sleeping' | 'failed';
  /** Why the workspace failed or last stopped without a request, or which files could not be saved or restored. */
  reason: string | null;
  /** What `reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  reason_code:
    | 'workspace_branch_deleted'
    | 'workspace_memory'
    | 'workspace_disk'
    | 'workspace_exited'
    | 'workspace_ended'
    | 'workspace_internal'
    | 'workspace_files_lost'
    | 'workspace_elsewhere'
    | 'head_detached'
    | 'branch_unknown'
    | 'checkout_failed'
    | 'checkout_refused'
    | 'file_not_saved'
    | 'file_of_protected_branch'
    | 'file_of_lost_account'
    | 'ignored_files_not_stored'
    | 'ignored_files_missing'
    | 'project_file_not_json'
    | 'project_file_too_large'
    | 'project_file_mistake'
    | 'commands_disabled'
    | 'builds_unavailable'
    | 'sandbox_failed'
    | 'sandbox_network_failed'
    | null;
  /** The values in `reason` that its code does not say, by name. */
  reason_values: Record<string, string>;
  /** The user who created the workspace. */
  created_by: string;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  started_at: string | null;
  /** ISO 8601 timestamp in UTC. */
  last_used_at: string;
  /** When the workspace will go to sleep if nobody uses it until then; null unless it is running. */
  sleeps_at: string | null;
  /** When all files that git tracks were last the same in the workspace and on its branch. */
  saved_at: string | null;
  /** Time of the last complete copy of the files that git ignores, outside the worker of the workspace. */
  ignored_saved_at: string | null;
  /** Since the last start: `public` if programs in the workspace can reach public addresses, `off` if they can reach none. Null before the first start. */
  network: 'public' | 'off' | null;
  /** Whether the workspace has been able to run language servers since its last start; null before the first start. */
  language_servers: boolean | null;
  /** How long the workspace has run in total. */
  running_seconds: number;
}

export interface CreateWorkspace {
  /** With mode `own`, the branch that the new branch starts from. Default: `main`. */
  branch?: string | undefined;
  /** `own` creates a branch for the workspace, which you can merge later. Default: `"follow"`. */
  mode?: 'follow' | 'own' | undefined;
  name?: string | undefined;
  /** Id of a snapshot. The workspace begins with the snapshot’s files that git ignores. Without `branch`, the workspace follows the snapshot’s branch or, with mode `own`, starts from the snapshot’s commit. */
  from_snapshot?: string | undefined;
}

export interface ForkWorkspace {
  /** Name of the new branch. Default: `workspace/…`. */
  branch?: string | undefined;
  /** Name of the new workspace. */
  name?: string | undefined;
}

export interface CreateSnapshot {
  name: string;
}

export interface WorkspaceSnapshot {
  id: string;
  project_id: string;
  /** The workspace, which may have been deleted since. */
  workspace_id: string;
  name: string;
  /** The branch of the workspace. */
  branch: string;
  /** Id of the commit at the tip of the branch; null if the branch had none. */
  commit: string | null;
  /** Stored bytes of the files that git ignores. */
  size: number;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface WorkspaceSnapshotList {
  data: Array<WorkspaceSnapshot>;
}

export interface RunCommand {
  /** Runs in `sh`. */
  command: string;
  /** Relative to the project’s root. */
  cwd?: string | undefined;
  /** Variables in addition to the project’s `development` variables. */
  env?: Record<string, string> | undefined;
  stdin?: string | undefined;
  /** In seconds. Default: 60, or no limit in the background. At most 600 unless in the background. */
  timeout?: number | undefined;
  /** Return immediately with 201; the command keeps running. Default: `false`. */
  background?: boolean | undefined;
}

export interface WorkspaceCommandResult {
  id: string;
  command: string;
  /** Working directory, relative to the project’s root. */
  cwd: string;
  status: 'running' | 'exited';
  /** null while the command runs, or if a signal ended it. */
  exit_code: number | null;
  /** The signal that ended the command. */
  signal: string | null;
  /** Whether the command was stopped because of its timeout. */
  timed_out: boolean;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  /** In seconds. */
  duration: number;
  stdout: string;
  stderr: string;
  /** Whether the beginning of the output was dropped. The last 1,048,576 bytes are kept. */
  truncated: boolean;
}

export interface WorkspaceCommandList {
  data: Array<WorkspaceCommand>;
}

export interface WorkspaceCommand {
  id: string;
  command: string;
  /** Working directory, relative to the project’s root. */
  cwd: string;
  status: 'running' | 'exited';
  /** null while the command runs, or if a signal ended it. */
  exit_code: number | null;
  /** The signal that ended the command. */
  signal: string | null;
  /** Whether the command was stopped because of its timeout. */
  timed_out: boolean;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  /** In seconds. */
  duration: number;
}

export interface CommandOutputQuery {
  /** Position in bytes; return only later output. Default: `0`. */
  after?: number | undefined;
}

export interface CommandOutput {
  id: string;
  command: string;
  /** Working directory, relative to the project’s root. */
  cwd: string;
  status: 'running' | 'exited';
  /** null while the command runs, or if a signal ended it. */
  exit_code: number | null;
  /** The signal that ended the command. */
  signal: string | null;
  /** Whether the command was stopped because of its timeout. */
  timed_out: boolean;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  /** In seconds. */
  duration: number;
  data: Array<{
    /** Position after this piece. Pass it as `after` to get later output. */
    position: number;
    stream: 'stdout' | 'stderr';
    text: string;
  }>;
  /** Whether output between `after` and the first piece was dropped. */
  truncated: boolean;
}

export interface CommandInput {
  data?: string | undefined;
  /** Close standard input after the data. Default: `false`. */
  close?: boolean | undefined;
}

export interface CommandSignal {
  /** Default: `"SIGTERM"`. */
  signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGHUP' | undefined;
}

export interface OpenTerminal {
  /** Width in characters. Default: `80`. */
  cols?: number | undefined;
  /** Height in lines. Default: `24`. */
  rows?: number | undefined;
  /** Directory in which the shell starts, relative to the project’s root. */
  cwd?: string | undefined;
}

export interface WorkspaceTerminal {
  id: string;
  cols: number;
  rows: number;
  /** Number of open connections to the terminal. */
  viewers: number;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  /** null while the shell runs. */
  exit_code: number | null;
}

export interface WorkspaceTerminalList {
  data: Array<WorkspaceTerminal>;
}

export interface WorkspaceProcessList {
  data: Array<WorkspaceProcess>;
}

export interface WorkspaceProcess {
  /** Number of the process inside the workspace. */
  pid: number;
  /** The beginning of the command line, at most 500 characters. */
  command: string;
  /** Resident memory, in bytes. */
  memory: number;
  /** CPU time that the process has used, in seconds. */
  cpu_seconds: number;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
}

export interface ProcessSignal {
  /** `SIGTERM` asks the process to end. `SIGKILL` ends it at once. Default: `"SIGTERM"`. */
  signal?: 'SIGTERM' | 'SIGKILL' | undefined;
}

export interface WorkspaceAgentList {
  data: Array<WorkspaceAgent>;
}

export interface WorkspaceAgent {
  /** Id of the API key, service account or service, or of the user’s consent to an MCP client. */
  id: string;
  /** Name of the API key, service account, service or MCP client. */
  name: string;
  /** The user for whom the agent works. */
  user_id: string;
  /** `running`: a command of the agent is running now. `stopped`: a person stopped the agent, so its commands are refused. */
  status: 'running' | 'idle' | 'stopped';
  /** Commands that are running now, newest first; at most 5. */
  commands: Array<AgentCommand>;
  last_command_at: string | null;
  stopped_at: string | null;
  /** The user who stopped the agent. */
  stopped_by: string | null;
}

export interface AgentCommand {
  id: string;
  /** The beginning of the command, at most 200 characters. */
  command: string;
  /** Working directory, relative to the project’s root. */
  cwd: string;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
}

export interface ProblemsQuery {
  /** `typescript` includes JavaScript. Default: the language of the path, or `typescript`. */
  language?: 'typescript' | 'python' | undefined;
  /** Only the problems of this file. Default: all files of the language. */
  path?: string | undefined;
}

export interface WorkspaceProblemList {
  data: Array<WorkspaceProblem>;
  /** Whether there are more than 500 files or more than 1,000 problems. */
  truncated: boolean;
}

export interface WorkspaceProblem {
  path: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 code units. */
  column: number;
  end_line: number;
  /** After the last character. */
  end_column: number;
  severity: 'error' | 'warning' | 'information' | 'hint';
  message: string;
  /** Code that identifies the problem in its language, such as `2322`. */
  code: string | null;
  /** The program that found the problem. */
  source: string | null;
}

export interface WorkspacePortList {
  data: Array<WorkspacePort>;
}

export interface WorkspacePort {
  port: number;
  /** Name of the port. */
  label: string | null;
  /** `owner`: only the user who created the workspace. `members`: all members of the project. `public`: everyone. */
  visibility: 'owner' | 'members' | 'public';
  /** Address at which the port is reached. */
  url: string;
  /** Whether a program listens on the port now. */
  listening: boolean;
}

export interface ChangeWorkspacePort {
  visibility?: 'owner' | 'members' | 'public' | undefined;
  label?: string | null | undefined;
}

export interface CreatePortTicket {
  /** Path that the link opens. Default: `"/"`. */
  path?: string | undefined;
}

export interface PortTicket {
  url: string;
  /** ISO 8601 timestamp in UTC. */
  expires_at: string;
}

export interface VariableList {
  data: Array<Variable>;
}

export interface Variable {
  id: string;
  project_id: string;
  name: string;
  kind: 'secret' | 'plain';
  /** null for a secret, or if you cannot change the variable. */
  value: string | null;
  /** null means all environments without their own value. */
  environments: Array<string> | null;
  /** Increases with every change. */
  version: number;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** The user who last changed the variable; null after the account is deleted. */
  updated_by: {
    id: string;
    name: string;
  } | null;
}

export interface PutVariable {
  value: string;
  /** Default: all environments without their own value. */
  environments?: Array<string> | undefined;
  /** The API never returns the value of a secret. Default: `"secret"`. */
  kind?: 'secret' | 'plain' | undefined;
}

export interface DeleteVariableQuery {
  /** Environments whose value to delete, separated by commas. `*` means the value for all environments. Default: all values. */
  environments?: string | undefined;
}

export interface DomainList {
  data: Array<Domain>;
}

export interface Domain {
  id: string;
  project_id: string;
  /** The domain name in lowercase ASCII. */
  domain: string;
  /** `verified`: you proved that you own the domain, and the service responds to requests for it. `active`: the domain also points to this service and, if the service uses TLS, has a certificate. */
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
  /** Another domain of the project to which visitors are redirected. */
  redirect_to: string | null;
  /** Records to set at the domain’s DNS provider: either only the CNAME, or the TXT and one of the address records. */
  records: Array<{
    type: 'TXT' | 'CNAME' | 'A' | 'AAAA';
    name: string;
    value: string;
    /** `proof` proves that you own the domain; `address` points the domain to this service. A CNAME does both. */
    purpose: 'proof' | 'address';
    /** Whether the last check found the record. */
    is_set: boolean;
  }>;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  verified_at: string | null;
  checked_at: string | null;
}

export interface AddDomain {
  domain: string;
  /** Another domain of the same project, such as the name without www; null means no redirect. */
  redirect_to?: string | null | undefined;
}

export interface PatchDomain {
  /** Another domain of the same project, such as the name without www; null means no redirect. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** User id. */
  created_by: string;
  /** Why the service disabled the webhook. */
  disabled_reason: string | null;
  /** What `disabled_reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  disabled_reason_code: 'deliveries_failing' | 'endpoint_gone' | 'filters_too_slow' | null;
  /** The values in `disabled_reason` that its code does not say, by name. */
  disabled_reason_values: Record<string, string>;
  disabled_at: string | null;
  /** End of the pause that follows repeated failures. */
  paused_until: string | null;
  stats: {
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    last_delivery: string | null;
    /** Percentage of completed deliveries that succeeded; 0 if no deliveries are completed. */
    success_rate: number;
  };
}

export interface WebhookFilters {
  /** Send only events of these projects. */
  projects?: Array<string>;
  /** Send only events whose file path matches one of these patterns, such as `/src/**\/*.ts`. `*` and `?` match within a name; `**` matches any number of directories. Events without a file path are always sent. */
  paths?: Array<string>;
}

export interface OffsetPage {
  limit: number;
  offset: number;
  has_more: boolean;
}

export interface CreateCoreWebhook {
  /** An https URL without a user name or password. */
  url: string;
  /** Event names in any of the three formats, prefixes such as `project.*`, or `*`. The first matching entry determines the delivered event name. */
  events: Array<string>;
  name?: string | undefined;
  description?: string | undefined;
  secret?: string | null | undefined;
  active?: boolean | undefined;
  headers?: Record<string, string> | null | undefined;
  /** Timeout for the entire request in seconds; at most 60. */
  timeout?: number | undefined;
  /** Overrides parts of the format’s default policy. In an update, omitted fields keep their values, and null restores the default. */
  retry_policy?: RetryPolicyInput | null | undefined;
  /** Whether to send a project’s deliveries one at a time, in the order of its events. */
  ordered?: boolean | undefined;
  filters?: WebhookFilters | null | undefined;
  project_id?: string | null | undefined;
  /** Determines the payload, the event names and the default retry policy. */
  format?: 'reference' | 'core' | 'guide' | undefined;
}

export interface RetryPolicyInput {
  /** Maximum attempts, including the first. */
  max_attempts?: number | undefined;
  /** Delay after an attempt: initial_delay × attempt (linear), initial_delay × 2^(attempt − 1) (exponential), or initial_delay (fixed). The delay never exceeds max_delay. */
  backoff_strategy?: 'linear' | 'exponential' | 'fixed' | undefined;
  /** In milliseconds. */
  initial_delay?: number | undefined;
  /** In milliseconds. */
  max_delay?: number | undefined;
  /** null means 500 and above. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** User id. */
  created_by: string;
  /** Why the service disabled the webhook. */
  disabled_reason: string | null;
  /** What `disabled_reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  disabled_reason_code: 'deliveries_failing' | 'endpoint_gone' | 'filters_too_slow' | null;
  /** The values in `disabled_reason` that its code does not say, by name. */
  disabled_reason_values: Record<string, string>;
  disabled_at: string | null;
  /** End of the pause that follows repeated failures. */
  paused_until: string | null;
  headers: Record<string, string>;
  /** In seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  /** Until this time, `webhook-signature` also includes a signature with the previous secret. */
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
  /** Maximum attempts, including the first. */
  max_attempts: number;
  /** Delay after an attempt: initial_delay × attempt (linear), initial_delay × 2^(attempt − 1) (exponential), or initial_delay (fixed). The delay never exceeds max_delay. */
  backoff_strategy: 'linear' | 'exponential' | 'fixed';
  /** In milliseconds. */
  initial_delay: number;
  /** In milliseconds. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** User id. */
  created_by: string;
  /** Why the service disabled the webhook. */
  disabled_reason: string | null;
  /** What `disabled_reason` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  disabled_reason_code: 'deliveries_failing' | 'endpoint_gone' | 'filters_too_slow' | null;
  /** The values in `disabled_reason` that its code does not say, by name. */
  disabled_reason_values: Record<string, string>;
  disabled_at: string | null;
  /** End of the pause that follows repeated failures. */
  paused_until: string | null;
  headers: Record<string, string>;
  /** In seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  /** Until this time, `webhook-signature` also includes a signature with the previous secret. */
  previous_secret_until: string | null;
  /** null without the `write:webhooks` scope. */
  secret: string | null;
  stats: WebhookDeliveryCounts;
  recent_deliveries: Array<{
    delivery_id: string;
    event_type: string;
    status: 'success' | 'failed' | 'pending';
    response_code: number | null;
    /** In milliseconds. */
    response_time: number | null;
    /** Time of the last attempt. */
    delivered_at: string | null;
    attempts: number;
    /** Why the last attempt failed; omitted if it succeeded. */
    error?: string;
    /** What `error` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
    error_code?:
      | 'webhook_inactive'
      | 'owner_lost_access'
      | 'delivery_timed_out'
      | 'http_status'
      | 'connection_failed'
      | 'connection_refused'
      | 'connection_reset'
      | 'connection_closed'
      | 'host_not_found'
      | 'address_not_allowed'
      | 'certificate_self_signed'
      | 'certificate_untrusted'
      | 'certificate_chain_incomplete'
      | 'certificate_expired'
      | 'certificate_not_yet_valid'
      | 'certificate_revoked'
      | 'certificate_of_other_host'
      | null;
    /** The values in `error` that its code does not say, by name. */
    error_values?: Record<string, string>;
  }>;
}

export interface WebhookDeliveryCounts {
  total_deliveries: number;
  successful_deliveries: number;
  failed_deliveries: number;
  last_delivery: string | null;
  /** Percentage of completed deliveries that succeeded; 0 if no deliveries are completed. */
  success_rate: number;
  /** In milliseconds. */
  average_response_time: number;
}

export interface UpdateWebhook {
  /** An https URL without a user name or password. */
  url?: string | undefined;
  /** Event names in any of the three formats, prefixes such as `project.*`, or `*`. The first matching entry determines the delivered event name. */
  events?: Array<string> | undefined;
  name?: string | undefined;
  description?: string | undefined;
  secret?: string | null | undefined;
  active?: boolean | undefined;
  headers?: Record<string, string> | null | undefined;
  /** Timeout for the entire request in seconds; at most 60. */
  timeout?: number | undefined;
  /** Overrides parts of the format’s default policy. In an update, omitted fields keep their values, and null restores the default. */
  retry_policy?: RetryPolicyInput | null | undefined;
  /** Whether to send a project’s deliveries one at a time, in the order of its events. */
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
  /** In seconds. */
  timeout: number;
  retry_policy: RetryPolicy;
  ordered: boolean;
  filters: WebhookFilters | null;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface RotateSecret {
  /** `whsec_` followed by base64, or any text. Default: a generated secret. */
  secret?: string | undefined;
  /** Number of seconds for which `webhook-signature` also includes a signature with the previous secret. Default: `86400`. */
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
  /** The `data` to send. Default: the event’s example. */
  payload?: Record<string, unknown> | undefined;
}

export interface TestedWebhook {
  delivery_id: string;
  event_type: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** In milliseconds. */
  response_time: number | null;
  response_body: string | null;
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; omitted if it succeeded. */
  error?: string;
  /** What `error` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  error_code?:
    | 'webhook_inactive'
    | 'owner_lost_access'
    | 'delivery_timed_out'
    | 'http_status'
    | 'connection_failed'
    | 'connection_refused'
    | 'connection_reset'
    | 'connection_closed'
    | 'host_not_found'
    | 'address_not_allowed'
    | 'certificate_self_signed'
    | 'certificate_untrusted'
    | 'certificate_chain_incomplete'
    | 'certificate_expired'
    | 'certificate_not_yet_valid'
    | 'certificate_revoked'
    | 'certificate_of_other_host'
    | null;
  /** The values in `error` that its code does not say, by name. */
  error_values?: Record<string, string>;
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
        /** The event name that wildcard subscriptions receive. */
        name: string;
        /** JSON Schema of the entire body. */
        schema: Record<string, unknown>;
        example: Record<string, unknown>;
      };
      core: {
        /** The event name that wildcard subscriptions receive. */
        name: string;
        /** JSON Schema of the entire body. */
        schema: Record<string, unknown>;
        example: Record<string, unknown>;
      };
      guide: {
        /** The event name that wildcard subscriptions receive. */
        name: string;
        /** JSON Schema of the entire body. */
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
    /** ISO 8601 timestamp in UTC. */
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
  /** Period that ends now or at end_date. Default: `"week"`. */
  period?: 'hour' | 'day' | 'week' | 'month' | undefined;
  /** ISO 8601 timestamp, or a day in UTC. */
  start_date?: string | undefined;
  /** ISO 8601 timestamp, or a day in UTC. */
  end_date?: string | undefined;
}

export interface WebhookStats {
  webhook_id: string;
  period: 'hour' | 'day' | 'week' | 'month';
  /** ISO 8601 timestamp in UTC. */
  start_date: string;
  /** ISO 8601 timestamp in UTC. */
  end_date: string;
  /** Percentage of completed deliveries that succeeded; 0 if no deliveries are completed. */
  success_rate: number;
  /** In milliseconds. */
  avg_response_time: number;
  total_events: number;
  failed_events: number;
  overall_stats: {
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    pending_deliveries: number;
    /** Percentage of completed deliveries that succeeded; 0 if no deliveries are completed. */
    success_rate: number;
    /** In milliseconds. */
    average_response_time: number;
    /** In milliseconds. */
    median_response_time: number;
    /** In milliseconds. */
    p95_response_time: number;
    /** In milliseconds. */
    p99_response_time: number;
  };
  /** One entry per day up to today; for periods over a year, only days with deliveries. */
  daily_stats: Array<{
    /** Day in UTC. */
    date: string;
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    /** Percentage of completed deliveries that succeeded; 0 if no deliveries are completed. */
    success_rate: number;
    /** In milliseconds. */
    average_response_time: number;
  }>;
  event_type_stats: Array<{
    event_type: string;
    total_deliveries: number;
    successful_deliveries: number;
    failed_deliveries: number;
    /** Percentage of completed deliveries that succeeded; 0 if no deliveries are completed. */
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
  /** ISO 8601 timestamp in UTC. */
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
  /** ISO 8601 timestamp, or a day in UTC. */
  start_date?: string | undefined;
  /** ISO 8601 timestamp, or a day in UTC. */
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
    /** Percentage of completed deliveries that succeeded; 0 if no deliveries are completed. */
    success_rate: number;
  };
}

export interface Delivery {
  delivery_id: string;
  webhook_id: string;
  /** The delivered event name. */
  event_type: string;
  event_id: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** In milliseconds. */
  response_time: number | null;
  /** Truncated after 16 KiB. */
  response_body: string | null;
  /** Time of the last attempt. */
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; omitted if it succeeded. */
  error?: string;
  /** What `error` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  error_code?:
    | 'webhook_inactive'
    | 'owner_lost_access'
    | 'delivery_timed_out'
    | 'http_status'
    | 'connection_failed'
    | 'connection_refused'
    | 'connection_reset'
    | 'connection_closed'
    | 'host_not_found'
    | 'address_not_allowed'
    | 'certificate_self_signed'
    | 'certificate_untrusted'
    | 'certificate_chain_incomplete'
    | 'certificate_expired'
    | 'certificate_not_yet_valid'
    | 'certificate_revoked'
    | 'certificate_of_other_host'
    | null;
  /** The values in `error` that its code does not say, by name. */
  error_values?: Record<string, string>;
  next_retry: string | null;
  payload: Record<string, unknown>;
  kind: 'event' | 'test' | 'redelivery' | 'recovery';
  /** Why a failed delivery is not retried. */
  reason: string | null;
  original_delivery_id: string | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface DeliveryDetail {
  delivery_id: string;
  webhook_id: string;
  /** The delivered event name. */
  event_type: string;
  event_id: string;
  status: 'success' | 'failed' | 'pending';
  response_code: number | null;
  /** In milliseconds. */
  response_time: number | null;
  /** Truncated after 16 KiB. */
  response_body: string | null;
  /** Time of the last attempt. */
  delivered_at: string | null;
  attempts: number;
  /** Why the last attempt failed; omitted if it succeeded. */
  error?: string;
  /** What `error` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  error_code?:
    | 'webhook_inactive'
    | 'owner_lost_access'
    | 'delivery_timed_out'
    | 'http_status'
    | 'connection_failed'
    | 'connection_refused'
    | 'connection_reset'
    | 'connection_closed'
    | 'host_not_found'
    | 'address_not_allowed'
    | 'certificate_self_signed'
    | 'certificate_untrusted'
    | 'certificate_chain_incomplete'
    | 'certificate_expired'
    | 'certificate_not_yet_valid'
    | 'certificate_revoked'
    | 'certificate_of_other_host'
    | null;
  /** The values in `error` that its code does not say, by name. */
  error_values?: Record<string, string>;
  next_retry: string | null;
  payload: Record<string, unknown>;
  kind: 'event' | 'test' | 'redelivery' | 'recovery';
  /** Why a failed delivery is not retried. */
  reason: string | null;
  original_delivery_id: string | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** All attempts, oldest first. */
  attempt_log: Array<DeliveryAttempt>;
}

export interface DeliveryAttempt {
  attempt: number;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  response_code: number | null;
  /** In milliseconds. */
  response_time: number | null;
  error: string | null;
  /** What `error` says, for programs and translations. Null if there is none, or if it has no code. New codes may be added. */
  error_code:
    | 'webhook_inactive'
    | 'owner_lost_access'
    | 'delivery_timed_out'
    | 'http_status'
    | 'connection_failed'
    | 'connection_refused'
    | 'connection_reset'
    | 'connection_closed'
    | 'host_not_found'
    | 'address_not_allowed'
    | 'certificate_self_signed'
    | 'certificate_untrusted'
    | 'certificate_chain_incomplete'
    | 'certificate_expired'
    | 'certificate_not_yet_valid'
    | 'certificate_revoked'
    | 'certificate_of_other_host'
    | null;
  /** The values in `error` that its code does not say, by name. */
  error_values: Record<string, string>;
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
  /** ISO 8601 timestamp in UTC. */
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
  /** Project id. */
  workspace_id: string;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  expires_at: string;
  permissions: {
    read: boolean;
    write: boolean;
    admin: boolean;
  };
  /** The branch whose files the session edits. Absent if it is `main`. */
  branch?: string;
  /** Why nobody can write in the session: its branch is protected. Absent otherwise. */
  read_only_reason?: string;
  /** Link to join the session; null if you cannot invite users. */
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
  /** Seconds from now. Default: the duration of a new session. */
  seconds?: number | undefined;
}

export interface SocketTicket {
  ticket: string;
  /** Includes the ticket. */
  ws_url: string;
  /** ISO 8601 timestamp in UTC. */
  expires_at: string;
}

export interface SessionFileQuery {
  /** Directory to list. Default: the root. */
  path?: string | undefined;
  /** Default: `false`. */
  recursive?: boolean | undefined;
  type?: 'file' | 'directory' | undefined;
  /** Read the files on the disk of this running workspace, including files that git ignores. Only for members of the project. File ids are valid only with the same workspace. Cannot be combined with `ref`, `branch` or `recursive`. */
  workspace?: string | undefined;
  /** Page size. Follow `next` to get the next page. */
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
  /** Size in bytes; files only. */
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
      /** ISO 8601 timestamp in UTC. */
      joined_at: string;
    }>;
    permissions: {
      read: boolean;
      write: boolean;
      admin: boolean;
    };
    /** Why nobody can write in the session: its branch is protected. Absent otherwise. */
    read_only_reason?: string;
  };
  /** Includes a ticket that is valid for one connection and for one minute. */
  ws_url: string;
}

export interface ParticipantList {
  participants: Array<Participant>;
}

export interface Participant {
  user_id: string;
  username: string;
  name: string;
  /** Cursor color as #rrggbb; each user always has the same color. */
  color: string;
  role: 'admin' | 'collaborator';
  /** `away`: joined but not connected. */
  status: 'active' | 'away' | 'left' | 'removed';
  permissions: {
    read: boolean;
    write: boolean;
    admin: boolean;
  };
  /** ISO 8601 timestamp in UTC. */
  joined_at: string;
  /** ISO 8601 timestamp in UTC. */
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
  /** The session in which the comment was created, as long as the session is stored. */
  session_id: string | null;
  parent_id: string | null;
  file_path: string;
  position: TextPosition;
  end: TextPosition | null;
  /** The text at the position when the comment was created. */
  quoted_text: string;
  /** Whether the commented text was deleted; `position` is then where the text was. */
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
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
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
  /** Each `@username` notifies that member of the project; at most 20 members are notified. */
  content: string;
  /** Default: `"comment"`. */
  type?: 'comment' | 'suggestion' | 'question' | 'issue' | undefined;
  /** For a suggestion, the text that replaces the range from `position` to `end`. */
  suggestion?: string | undefined;
  /** The comment that this comment replies to. */
  parent_id?: string | undefined;
  /** Default: the branch of the session or of the parent, otherwise `main`. */
  branch?: string | undefined;
}

export interface UpdateComment {
  /** Each `@username` notifies that member of the project; at most 20 members are notified. */
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
  /** Whether the commented text was deleted; `position` is then where the text was. */
  orphaned: boolean;
  content: string;
  type: 'comment' | 'suggestion' | 'question' | 'issue';
  suggestion: string | null;
  author: {
    user_id: string;
    username: string;
    name: string;
  };
  resolved: boolean;
  resolved_by: string | null;
  applied_at: string | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** Absent if it is `main`. */
  branch?: string;
}

export interface WriteFile {
  /** At most 64 levels and 255 bytes per name. No control characters, and no name `.`, `..` or `.git`. */
  path: string;
  content: string;
  /** utf-8 or base64, case-insensitive. */
  encoding?: string | undefined;
  message?: string | undefined;
  /** The branch to write to; default: `main`. 404 if it does not exist. */
  branch?: string | undefined;
  /** Branch, tag or commit from which the write creates `branch` if `branch` does not exist. */
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
    /** One entry per invalid field, or an object with further details. For a 429, the object contains limit, window and reset_at. */
    details: Array<FieldError> | Record<string, unknown>;
    /** Same value as in the X-Request-Id header. */
    request_id: string;
    /** ISO 8601 timestamp in UTC. */
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
      /** A unique id that the client chooses. The service applies a change once, even if it is sent again after a lost connection. */
      id?: string | undefined;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number | undefined;
    }
  | {
      type: 'file_operation';
      operation: 'create' | 'delete' | 'rename';
      file_path: string;
      new_path?: string | undefined;
      /** Content of the created file. */
      content?: string | undefined;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number | undefined;
    }
  | {
      type: 'open_file';
      file_path: string;
      /** The branch of the session. */
      branch?: string | undefined;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number | undefined;
    }
  | {
      type: 'close_file';
      file_path: string;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number | undefined;
    }
  | {
      type: 'save';
      file_path?: string | undefined;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number | undefined;
    }
  | {
      type: 'comment';
      /** Same as the body of POST …/comments. */
      comment: Record<string, unknown>;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number | undefined;
    }
  | {
      type: 'ping';
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number | undefined;
    };

export type ServerMessage =
  | {
      type: 'cursor_move';
      user_id: string;
      /** ISO 8601 timestamp in UTC. */
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
      /** ISO 8601 timestamp in UTC. */
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
      /** ISO 8601 timestamp in UTC. */
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
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number;
    }
  | {
      type: 'ack';
      /** A number that the client chooses. The acknowledgement contains the same number. */
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
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number;
    }
  | {
      type: 'saved';
      file_path: string;
      commit_sha: string | null;
      revision: number;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number;
    }
  | {
      type: 'error';
      code: ErrorCode;
      message: string;
      details: Record<string, unknown>;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number;
    }
  | {
      type: 'pong';
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
      /** A number that the client chooses. The acknowledgement contains the same number. */
      seq?: number;
    }
  | {
      type: 'participant_joined';
      participant: Participant;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    }
  | {
      type: 'participant_updated';
      participant: Participant;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    }
  | {
      type: 'participant_left';
      user_id: string;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    }
  | {
      type: 'comment_created';
      comment: SessionComment;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    }
  | {
      type: 'comment_updated';
      comment: SessionComment;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    }
  | {
      type: 'comment_deleted';
      comment_id: string;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    }
  | {
      type: 'session_expiring';
      /** ISO 8601 timestamp in UTC. */
      expires_at: string;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    }
  | {
      type: 'session_ended';
      reason: string;
      /** ISO 8601 timestamp in UTC. */
      timestamp: string;
    };
