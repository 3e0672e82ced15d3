import type {
  CheckAnnotation,
  CheckConclusion,
  CheckStatus,
  CommentType,
  DeploymentEnding,
  DeploymentError,
  DeploymentStatus,
  LogEntry,
  NotificationType,
  Permission,
  Plan,
  ProjectStatus,
  RetryPolicyInput,
  Role,
  Scope,
  TemplateVariable,
  VariableKind,
  WebhookFilters,
  WebhookFormat,
} from '@bottega/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/**
 * The tables as Kysely sees them. The migrations define them. All tables are in one long file, because Kysely needs one
 * type for the whole database (joins cross slices), and the file contains nothing except columns.
 */
export type Database = {
  users: {
    id: string;
    email: string;
    username: string;
    name: string;
    password_hash: string | null;
    is_admin: Generated<boolean>;
    plan: Generated<Plan>;
    subscription_status: Generated<'active' | 'past_due' | 'canceled'>;
    subscription_expires_at: Date | null;
    avatar_url: string | null;
    theme: Generated<'light' | 'dark' | 'system'>;
    language: Generated<string>;
    notify_email: Generated<boolean>;
    notify_push: Generated<boolean>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    email_verified_at: Date | null;
    suspended_at: Date | null;
  };
  sign_ins: {
    id: string;
    user_id: string;
    digest: Buffer;
    address: string;
    user_agent: string;
    second_factor: boolean;
    created_at: Generated<Date>;
    last_used_at: Generated<Date>;
    expires_at: Date;
  };
  account_tokens: {
    digest: Buffer;
    user_id: string;
    purpose: 'verify_email' | 'reset_password' | 'handed_reset';
    created_at: Generated<Date>;
    expires_at: Date;
  };
  second_factors: {
    user_id: string;
    secret_encrypted: Buffer;
    confirmed_at: Date | null;
    last_step: Generated<number>;
    created_at: Generated<Date>;
  };
  recovery_codes: { user_id: string; digest: Buffer };
  attempt_budgets: {
    key: Buffer;
    attempts: number;
    started_at: Generated<Date>;
    blocked_until: Date | null;
    trusted_until: Date | null;
    refused: Generated<number>;
    touched_at: Generated<Date>;
  };
  audit_log: {
    id: string;
    action: string;
    account_id: string;
    actor_id: string | null;
    credential_kind: string | null;
    credential_id: string | null;
    address: string | null;
    user_agent: string | null;
    request_id: string | null;
    subject_id: string | null;
    details: JSONColumnType<Record<string, unknown>>;
    created_at: Generated<Date>;
  };
  installation: { singleton: Generated<boolean>; secret_key_check: Buffer };
  api_keys: {
    id: string;
    user_id: string;
    name: string;
    hint: string;
    digest: Buffer;
    scopes: Generated<Scope[]>;
    created_at: Generated<Date>;
    expires_at: Date | null;
    last_used_at: Date | null;
  };
  services: { id: string; user_id: string; issuer: string; created_at: Generated<Date> };
  service_accounts: {
    id: string;
    user_id: string;
    name: string;
    scopes: string[];
    projects: string[];
    created_at: Generated<Date>;
  };
  service_keys: {
    service_id: string;
    kid: string;
    secret_encrypted: Buffer;
    created_at: Generated<Date>;
    expires_at: Date | null;
  };
  oauth_apps: {
    id: string;
    user_id: string | null;
    document_url: Generated<string | null>;
    name: string;
    type: 'confidential' | 'public';
    redirect_uris: string[];
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  oauth_app_secrets: {
    app_id: string;
    digest: Buffer;
    hint: string;
    created_at: Generated<Date>;
    expires_at: Date | null;
  };
  oauth_consents: {
    user_id: string;
    app_id: string;
    scopes: string[];
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    last_used_at: Date | null;
  };
  oauth_grants: {
    id: string;
    user_id: string;
    app_id: string;
    scopes: string[];
    created_at: Generated<Date>;
    expires_at: Date;
  };
  oauth_records: {
    user_code: Buffer | null;
    polled_at: Date | null;
    digest: Buffer;
    model: string;
    grant_id: string | null;
    payload: JSONColumnType<Record<string, unknown>>;
    consumed_at: Date | null;
    expires_at: Date;
  };
  projects: {
    id: string;
    owner_id: string;
    name: string;
    description: Generated<string>;
    status: Generated<ProjectStatus>;
    public: Generated<boolean>;
    collaboration_enabled: Generated<boolean>;
    auto_save: Generated<boolean>;
    version_control: Generated<boolean>;
    auto_deploy: Generated<boolean>;
    auto_preview: boolean | null;
    repository_url: string | null;
    repository_branch: string | null;
    repository_last_sync: Date | null;
    repository_status: Generated<'idle' | 'syncing' | 'failed'>;
    repository_error: string | null;
    template_id: string | null;
    template_version: number | null;
    forked_from: string | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    deleted_at: Date | null;
    purging: Generated<boolean>;
    live_deployment_id: string | null;
    app_name: string | null;
    protected_branches: Generated<string[]>;
  };
  project_stats: {
    project_id: string;
    files_count: Generated<number>;
    stored_bytes: Generated<number>;
    artifact_bytes: Generated<number>;
    live_bytes: Generated<number>;
    collaborators_count: Generated<number>;
    last_activity: Generated<Date>;
  };
  collaborators: {
    id: string;
    project_id: string;
    user_id: string | null;
    email: string;
    role: Role;
    permissions: Permission[];
    status: 'pending' | 'active';
    message: Generated<string>;
    token_digest: Buffer | null;
    invited_by: string | null;
    invited_at: Generated<Date>;
    joined_at: Date | null;
    expires_at: Date | null;
  };
  project_transfers: {
    project_id: string;
    recipient_id: string;
    address: string | null;
    created_at: Generated<Date>;
    expires_at: Date;
  };
  project_listing: {
    user_id: string;
    project_id: string;
    owned: boolean;
    status: ProjectStatus;
    name_key: string;
    search_text: string;
    created_at: Date;
    updated_at: Date;
  };
  project_counters: { user_id: string; slot: number; active: number; archived: number; owned: number };
  events: {
    id: string;
    type: string;
    account_id: string;
    project_id: string | null;
    actor_id: string | null;
    service_account_id: string | null;
    data: JSONColumnType<Record<string, unknown>>;
    request_id: string | null;
    idempotency_key: string | null;
    for_managers: boolean | null;
    created_at: ColumnType<Date, Date | undefined, never>;
    seq: ColumnType<number, never, never>;
    xid: ColumnType<string, never, never>;
  };
  idempotent_answers: {
    claim: Buffer;
    fingerprint: Buffer;
    status: number;
    answer_encrypted: Buffer;
    credential_id: string | null;
    scopes: Generated<string[]>;
    ends_at: Date | null;
    created_at: Generated<Date>;
  };
  git_objects: {
    project_id: string;
    sha: Buffer;
    type: number;
    size: number;
    deflated: Buffer;
    checksum: Buffer | null;
    base: Buffer | null;
    seq: ColumnType<number, never, never>;
  };
  git_packs: {
    id: ColumnType<number, never, never>;
    project_id: string;
    name: Buffer;
    objects: number;
    bytes: number;
    bits: number;
    up_to: number;
    last_sha: Buffer;
    gone: Generated<number>;
    finished_at: Date | null;
  };
  git_commits: {
    project_id: string;
    sha: Buffer;
    tree_sha: Buffer;
    parents: Buffer[];
    generation: number;
    author_name: string;
    author_email: string;
    committed_at: Date;
    message: string;
    beside: Generated<number | null>;
  };
  git_refs: {
    project_id: string;
    name: string;
    sha: Buffer;
    peeled: Buffer | null;
    updated_at: Generated<Date>;
    based_at: Generated<Date>;
    files_count: number | null;
  };
  branch_entries: {
    project_id: string;
    ref: string;
    path: string;
    id: string;
    is_directory: boolean;
    sha: Buffer;
    executable: Generated<boolean>;
    size: Generated<number>;
    mime_type: Generated<string>;
    checksum: Buffer | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  files: {
    project_id: string;
    path: string;
    parent: string;
    id: string;
    blob_sha: Buffer;
    executable: Generated<boolean>;
    size: number;
    mime_type: string;
    checksum: Buffer;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    placed_at: Generated<Date>;
  };
  directories: {
    project_id: string;
    path: string;
    parent: string | null;
    id: string;
    tree_sha: Buffer | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    placed_at: Generated<Date>;
  };
  templates: {
    id: string;
    owner_id: string;
    project_id: string | null;
    name: string;
    description: string;
    category: string;
    language: string;
    tags: string[];
    visibility: 'private' | 'public';
    featured: boolean;
    variables: JSONColumnType<TemplateVariable[]>;
    collaboration_enabled: boolean;
    auto_save: boolean;
    version_control: boolean;
    version: number;
    files_count: number;
    stored_bytes: Generated<number>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  template_files: { template_id: string; path: string; executable: boolean; size: number; deflated: Buffer };
  artifacts: {
    id: string;
    project_id: string;
    digest: Buffer;
    start_command: string | null;
    spa: boolean;
    file_count: number;
    size: number;
    created_at: Generated<Date>;
  };
  artifact_files: {
    artifact_id: string;
    path: string;
    kind: 'file' | 'executable' | 'link';
    size: number;
    mime_type: string;
    checksum: Buffer;
    chunks: Buffer;
    gzip_chunks: Buffer | null;
    gzip_size: number | null;
    brotli_chunks: Buffer | null;
    brotli_size: number | null;
  };
  artifact_chunks: {
    project_id: string;
    digest: Buffer;
    content: Buffer | null;
    object: string | null;
    object_bytes: number | null;
  };
  unneeded_objects: { address: string; delete_after: Date };
  deployments: {
    id: string;
    project_id: string;
    build_id: string;
    number: ColumnType<number, never, never>;
    status: Generated<DeploymentStatus>;
    environment: string;
    trigger: 'api' | 'push' | 'redeploy';
    branch: string;
    tree_sha: Buffer;
    commit_sha: Buffer | null;
    commit_message: string | null;
    commit_author_name: string | null;
    commit_author_email: string | null;
    build_command: string | null;
    output_directory: string | null;
    variable_names: Generated<string[]>;
    variables_encrypted: Buffer | null;
    own_variable_names: string[] | null;
    branch_label: string | null;
    retired_at: Date | null;
    deployed_by: string | null;
    request_id: string | null;
    idempotency_key: string | null;
    artifact_id: string | null;
    error: JSONColumnType<DeploymentError> | null;
    created_at: Generated<Date>;
    started_at: Date | null;
    completed_at: Date | null;
    cancel_requested_at: Date | null;
    worker_id: string | null;
    lease_until: Date | null;
    attempt: Generated<number>;
    log_seq: Generated<number>;
    wanted_until: Date | null;
    wanted_at: Generated<Date | null>;
  };
  variables: {
    id: string;
    project_id: string;
    name: string;
    environments: string[] | null;
    kind: VariableKind;
    value_encrypted: Buffer;
    version: Generated<number>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    updated_by: string | null;
  };
  deployment_logs: {
    deployment_id: string;
    seq: number;
    at: Date;
    level: LogEntry['level'];
    stream: LogEntry['stream'];
    message: string;
    is_runtime: Generated<boolean>;
  };
  app_instances: {
    id: string;
    deployment_id: string;
    worker_id: string;
    host: string | null;
    port: number | null;
    status: 'starting' | 'healthy' | 'stopping' | 'failed';
    restarts: Generated<number>;
    refused: Generated<boolean>;
    problem: string | null;
    ending: JSONColumnType<DeploymentEnding> | null;
    lease_until: Date;
    created_at: Generated<Date>;
  };
  build_turns: { account_id: string; started_at: Date };
  job_workers: { worker_id: string; beat_at: Generated<Date> };
  webhooks: {
    id: string;
    owner_id: string;
    project_id: string | null;
    created_by: string;
    format: WebhookFormat;
    name: string;
    description: Generated<string>;
    url: string;
    events: string[];
    active: Generated<boolean>;
    active_since: ColumnType<Date, never, never>;
    formerly_active: ColumnType<string | null, never, never>;
    secret_encrypted: Buffer;
    previous_secret_encrypted: Buffer | null;
    previous_secret_until: Date | null;
    headers_encrypted: Buffer | null;
    timeout: Generated<number>;
    retry_policy: JSONColumnType<RetryPolicyInput> | null;
    ordered: Generated<boolean>;
    filters: JSONColumnType<WebhookFilters> | null;
    disabled_reason: string | null;
    disabled_at: Date | null;
    grant_id: string | null;
    as_admin: Generated<boolean>;
    revision: ColumnType<number, never, never>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  webhook_health: {
    webhook_id: string;
    failures_in_row: Generated<number>;
    paused_until: Date | null;
    successful: Generated<number>;
    failed: Generated<number>;
    responses: Generated<number>;
    response_ms: Generated<number>;
    last_delivery: Date | null;
  };
  backups: {
    id: Generated<number>;
    started_at: Generated<Date>;
    ended_at: Date | null;
    path: string;
    size: number | null;
    problem: string | null;
  };
  event_retention: { single: Generated<boolean>; deleted_until: Date };
  webhook_generation: { single: Generated<boolean>; value: number };
  webhook_relay: {
    single: Generated<boolean>;
    snapshot: string;
    moved_at: Generated<Date>;
    cut_xid: string | null;
    cut_seq: number | null;
  };
  webhook_set_aside: { event_id: string; error: string; set_aside_at: Generated<Date> };
  webhook_workers: { id: Generated<number>; beat_at: Generated<Date>; known_types: Generated<number> };
  webhook_deliveries: {
    id: string;
    webhook_id: string;
    event_id: string;
    event_type: string;
    format: WebhookFormat;
    kind: 'event' | 'test' | 'redelivery' | 'recovery';
    original_delivery_id: string | null;
    project_id: string | null;
    place: number | null;
    status: Generated<'pending' | 'success' | 'failed'>;
    reason: string | null;
    attempts: Generated<number>;
    due_at: Generated<Date>;
    holder: number | null;
    response_code: number | null;
    response_time: number | null;
    response_body: string | null;
    error: string | null;
    delivered_at: Date | null;
    completed_at: Date | null;
    created_at: Generated<Date>;
    request_headers: JSONColumnType<Record<string, string>> | null;
    response_headers: JSONColumnType<Record<string, string>> | null;
  };
  webhook_batches: { id: Generated<number>; holder: number; deliveries: string; created_at: Generated<Date> };
  webhook_attempts: {
    delivery_id: string;
    attempt: number;
    started_at: Date;
    response_code: number | null;
    response_time: number | null;
    error: string | null;
    request_headers: JSONColumnType<Record<string, string>>;
    response_headers: JSONColumnType<Record<string, string>> | null;
    response_body: string | null;
  };
  webhook_payloads: {
    event_id: string;
    format: WebhookFormat;
    event_type: string;
    event_at: Date;
    request_id: string | null;
    idempotency_key: string | null;
    data: string;
  };
  webhook_stats: {
    webhook_id: string;
    hour: Date;
    event_type: string;
    status: 'success' | 'failed';
    deliveries: number;
    responses: number;
    response_ms: number;
  };
  collaboration_sessions: {
    id: string;
    project_id: string;
    creator_id: string | null;
    name: string;
    description: string;
    may_write: boolean;
    may_admin: boolean;
    invite_encrypted: Buffer;
    invite_digest: Buffer;
    created_at: Generated<Date>;
    expires_at: Date;
    ended_at: Date | null;
    end_reason: string | null;
    branch: Generated<string>;
  };
  session_participants: {
    session_id: string;
    user_id: string;
    status: Generated<'joined' | 'left' | 'removed'>;
    is_guest: boolean;
    may_write: boolean;
    may_admin: boolean;
    joined_at: Generated<Date>;
    last_seen: Generated<Date>;
    active_until: Date | null;
  };
  session_tickets: {
    digest: Buffer;
    session_id: string;
    user_id: string;
    credential: JSONColumnType<{ kind: string; id: string; part: string | null; expires_at: string | null }>;
    scopes: string[];
    expires_at: Date;
  };
  live_nodes: { id: string; address: string; beat_at: Generated<Date>; version: Generated<number> };
  live_sockets: { id: string; node_id: string; session_id: string; user_id: string; opened_at: Generated<Date> };
  live_owners: { project_id: string; node_id: string; address: string; epoch: Generated<string>; expires_at: Date };
  live_texts: {
    id: string;
    project_id: string;
    path: string;
    file_id: string;
    removed_at: Date | null;
    snapshot: Buffer;
    snapshot_seq: Generated<number>;
    revision: Generated<number>;
    reserved_revision: Generated<number>;
    base_sha: Buffer;
    base_content: Buffer;
    base_size: number;
    unsaved_by: Generated<string[]>;
    updated_at: Generated<Date>;
  };
  live_updates: { text_id: string; seq: number; content: Buffer };
  session_comments: {
    id: string;
    session_id: string | null;
    project_id: string;
    parent_id: string | null;
    author_id: string;
    text_id: string | null;
    file_path: string;
    anchor_place: Buffer | null;
    anchor_from: Buffer | null;
    anchor_to: Buffer | null;
    line: number;
    column: number;
    end_line: number | null;
    end_column: number | null;
    quoted_text: string;
    orphaned: Generated<boolean>;
    content: string;
    type: CommentType;
    suggestion: string | null;
    resolved_by: string | null;
    resolved_at: Date | null;
    applied_at: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    branch: Generated<string>;
  };
  notifications: {
    id: string;
    user_id: string;
    type: NotificationType;
    project_id: string | null;
    actor_id: string | null;
    data: JSONColumnType<Record<string, unknown>>;
    created_at: Generated<Date>;
    read_at: Date | null;
    mailed_at: Date | null;
  };
  usage_days: {
    user_id: string;
    day: string;
    deployments: Generated<number>;
    build_ms: Generated<number>;
    workspace_ms: Generated<number>;
    projects: number | null;
    stored_bytes: number | null;
  };
  usage_totals: {
    day: string;
    deployments: number;
    build_ms: number;
    workspace_ms: Generated<number>;
    projects: number;
    stored_bytes: number;
    accounts: number;
  };
  stars: { user_id: string; project_id: string; starred_at: Generated<Date> };
  certificate_accounts: {
    directory: string;
    key_encrypted: Buffer;
    issuer_id: string | null;
    issuer_until: Generated<Date>;
  };
  certificates: {
    directory: string;
    name: string;
    account_id: string | null;
    wanted_at: Generated<Date>;
    chain: string | null;
    key_encrypted: Buffer | null;
    not_after: Date | null;
    renew_at: Date | null;
    look_at: Date | null;
    key_authorization: string | null;
    failures: Generated<number>;
    problem: string | null;
    next_try_at: Generated<Date>;
    is_custom: Generated<boolean>;
  };
  domains: {
    id: string;
    project_id: string;
    domain: string;
    state: Generated<'pending' | 'verified' | 'active' | 'failed'>;
    redirect_to: string | null;
    reason_type: string | null;
    reason_message: string | null;
    has_txt: Generated<boolean>;
    has_cname: Generated<boolean>;
    leads_here: Generated<boolean>;
    created_at: Generated<Date>;
    verified_at: Date | null;
    checked_at: Date | null;
    unproven_since: Date | null;
    next_check_at: Generated<Date | null>;
  };
  workspaces: {
    id: string;
    project_id: string;
    created_by: string;
    name: string;
    branch: string;
    mode: 'follow' | 'own';
    status: 'starting' | 'running' | 'sleeping' | 'failed';
    wanted: Generated<boolean>;
    reason: string | null;
    created_at: Generated<Date>;
    started_at: Date | null;
    last_used_at: Generated<Date>;
    saved_at: Date | null;
    running_seconds: Generated<number>;
    home: string | null;
    worker_id: string | null;
    epoch: Generated<number>;
    lease_until: Date | null;
    host: string | null;
    port: number | null;
    layer_id: string | null;
    packed_home: string | null;
    packed_at: Date | null;
    layer_problem: string | null;
    is_leaving: Generated<boolean>;
    network: 'public' | 'off' | null;
    language_servers: boolean | null;
    stopped_agents: Generated<{ id: string; name: string; user_id: string; stopped_by: string; stopped_at: string }[]>;
  };
  workspace_layers: {
    id: string;
    project_id: string;
    kind: 'setup' | 'workspace' | 'cache';
    setup_key: Buffer | null;
    fingerprint: string | null;
    chunks: Generated<Buffer>;
    bytes: Generated<number>;
    is_complete: Generated<boolean>;
    is_needed: Generated<boolean>;
    created_at: Generated<Date>;
  };
  workspace_snapshots: {
    id: string;
    project_id: string;
    workspace_id: string;
    name: string;
    branch: string;
    commit_sha: Buffer | null;
    layer_id: string | null;
    created_at: Generated<Date>;
  };
  workspace_ports: {
    workspace_id: string;
    port: number;
    visibility: Generated<'owner' | 'members' | 'public'>;
    label: string | null;
    is_listening: Generated<boolean>;
  };
  merge_requests: {
    project_id: string;
    number: number;
    author_id: string | null;
    source: string;
    target: string;
    title: string;
    description: Generated<string>;
    state: Generated<'open' | 'merged' | 'closed'>;
    draft: Generated<boolean>;
    labels: Generated<string[]>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    merged_at: Date | null;
    closed_at: Date | null;
    merged_by: string | null;
    merge_sha: Buffer | null;
    source_project_id: string | null;
    source_problem: string | null;
    source_bytes: Generated<number>;
    started_sha: Buffer | null;
  };
  merge_request_people: { project_id: string; number: number; part: 'reviewer' | 'assignee'; user_id: string };
  merge_request_versions: {
    project_id: string;
    number: number;
    version: number;
    head_sha: Buffer;
    base_sha: Buffer;
    merge_base_sha: Buffer | null;
    patch_id: Buffer | null;
    pushed_by: string | null;
    created_at: Generated<Date>;
  };
  merge_request_threads: {
    id: string;
    project_id: string;
    number: number;
    version: number;
    path: string | null;
    side: 'LEFT' | 'RIGHT' | null;
    start_line: number | null;
    line: number | null;
    text: string | null;
    placed_version: number;
    place_path: string | null;
    place_start: number | null;
    place_line: number | null;
    outdated: Generated<boolean>;
    resolved_at: Date | null;
    resolved_by: string | null;
    created_at: Generated<Date>;
  };
  merge_request_comments: {
    id: string;
    thread_id: string;
    project_id: string;
    number: number;
    author_id: string | null;
    body: string;
    draft: Generated<boolean>;
    applied_sha: Buffer | null;
    created_at: Generated<Date>;
    edited_at: Date | null;
  };
  merge_request_reviews: {
    id: string;
    project_id: string;
    number: number;
    author_id: string | null;
    event: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';
    body: string;
    version: number;
    patch_id: Buffer;
    submitted_at: Generated<Date>;
  };
  merge_request_viewed: { project_id: string; number: number; user_id: string; path: string; sha: Buffer };
  merge_request_tests: {
    project_id: string;
    number: number;
    head_sha: Buffer;
    base_sha: Buffer;
    merge_sha: Buffer | null;
    tree_sha: Buffer | null;
    trusted: boolean;
    plan: Generated<unknown[]>;
    problem: string | null;
    tested_at: Generated<Date>;
  };
  merge_queue: {
    project_id: string;
    number: number;
    target: string;
    place: Generated<number>;
    strategy: 'merge' | 'squash' | 'rebase' | 'fast_forward';
    message: string | null;
    delete_branch: boolean;
    head_sha: Buffer;
    queued_by: string;
    request_id: string;
    queued_at: Generated<Date>;
    base_sha: Buffer | null;
    test_sha: Buffer | null;
    tree_sha: Buffer | null;
    plan: Generated<unknown[]>;
    tested_at: Date | null;
  };
  check_runs: {
    id: string;
    project_id: string;
    number: ColumnType<number, never, never>;
    name: string;
    head_sha: Buffer;
    tree_sha: Buffer;
    definition: Buffer | null;
    environment: Buffer | null;
    command: string | null;
    needs: Generated<string[]>;
    time_limit: number | null;
    cache: Generated<string[]>;
    reports: Generated<string[]>;
    scope: Generated<string>;
    trusted: Generated<boolean>;
    variables_encrypted: Buffer | null;
    status: Generated<CheckStatus>;
    conclusion: CheckConclusion | null;
    title: Generated<string>;
    summary: Generated<string>;
    details_url: string | null;
    external_id: string | null;
    annotations_count: Generated<number>;
    created_by: string | null;
    request_id: string | null;
    created_at: Generated<Date>;
    started_at: Date | null;
    completed_at: Date | null;
    cancel_requested_at: Date | null;
    worker_id: string | null;
    lease_until: Date | null;
    attempt: Generated<number>;
    tries: Generated<number>;
    log_seq: Generated<number>;
  };
  check_logs: {
    check_id: string;
    seq: number;
    at: Date;
    level: LogEntry['level'];
    stream: LogEntry['stream'];
    message: string;
    is_runtime: Generated<boolean>;
  };
  check_annotations: {
    check_id: string;
    seq: number;
    path: string;
    start_line: number;
    end_line: number;
    level: CheckAnnotation['annotation_level'];
    title: string;
    message: string;
  };
  check_caches: {
    project_id: string;
    scope: string;
    key: Buffer;
    layer_id: string;
    tree_sha: Buffer | null;
    used_at: Generated<Date>;
  };
  branch_rules: {
    id: string;
    project_id: string;
    pattern: string;
    approvals: Generated<number>;
    owners: Generated<boolean>;
    checks: Generated<string[]>;
    no_direct_push: Generated<boolean>;
    check_minutes: Generated<number>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  webhook_response_times: { webhook_id: string; hour: Date; bucket: number; deliveries: number };
};

export type { Permission };
