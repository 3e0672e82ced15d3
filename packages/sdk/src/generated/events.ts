// Made of the contract by `npm run generate -w @bottega/sdk`; changes belong there. It is as long as the contract.

export interface ProjectCreatedReferenceData {
  project_id: string;
  project_name: string;
  description: string;
  status: 'active' | 'archived';
  /** The template that the project was created from. */
  template_id?: string | null;
  settings: {
    public: boolean;
    collaboration_enabled: boolean;
    auto_save: boolean;
    version_control: boolean;
    auto_deploy: boolean;
    auto_preview: boolean;
  };
  owner: {
    id: string;
    name: string;
    email: string;
    username: string;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface ProjectUpdatedReferenceData {
  project_id: string;
  project_name: string;
  description: string;
  status: 'active' | 'archived';
  /** The template that the project was created from. */
  template_id?: string | null;
  settings: {
    public: boolean;
    collaboration_enabled: boolean;
    auto_save: boolean;
    version_control: boolean;
    auto_deploy: boolean;
    auto_preview: boolean;
  };
  owner: {
    id: string;
    name: string;
    email: string;
    username: string;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** All changed fields; settings and preferences have dotted names. */
  changes: Record<
    string,
    {
      from: unknown;
      to: unknown;
    }
  >;
}

export interface ProjectDeletedReferenceData {
  project_id: string;
  project_name: string;
  description: string;
  status: 'active' | 'archived';
  /** The template that the project was created from. */
  template_id?: string | null;
  settings: {
    public: boolean;
    collaboration_enabled: boolean;
    auto_save: boolean;
    version_control: boolean;
    auto_deploy: boolean;
    auto_preview: boolean;
  };
  owner: {
    id: string;
    name: string;
    email: string;
    username: string;
  };
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  /** ISO 8601 timestamp in UTC. */
  deleted_at: string;
}

export interface CollaborationInvitedReferenceData {
  invitation_id: string;
  project_id: string;
  project_name: string;
  inviter: {
    name: string;
    email: string;
    username: string;
  };
  invitee: {
    email: string | null;
    name: string | null;
  };
  role: string;
  permissions: Array<string>;
  message: string | null;
  expires_at: string | null;
  invitation_url: string | null;
}

export interface CollaborationJoinedReferenceData {
  invitation_id: string;
  project_id: string;
  project_name: string;
  collaborator: {
    id: string | null;
    name: string | null;
    email: string;
    username: string | null;
  };
  role: string;
  permissions: Array<string>;
  joined_at: string | null;
}

export interface CollaborationLeftReferenceData {
  invitation_id: string;
  project_id: string;
  project_name: string;
  collaborator: {
    id: string | null;
    name: string | null;
    email: string;
    username: string | null;
  };
  role: string;
  permissions: Array<string>;
  reason: 'left' | 'removed' | 'became_owner';
  removed_by: {
    name: string;
    email: string;
    username: string;
  } | null;
  /** ISO 8601 timestamp in UTC. */
  left_at: string;
}

export interface FileCreatedReferenceData {
  file_id: string;
  project_id: string;
  project_name: string;
  file_path: string;
  file_name: string;
  /** MIME type. */
  file_type: string;
  /** Bytes. */
  size: number;
  updated_by: {
    name: string;
    email: string;
    username: string;
  };
  /** null if the change was too large to count. */
  changes: {
    lines_added: number;
    lines_removed: number;
    lines_modified: number;
  } | null;
  /** null if version control is off. */
  commit_sha: string | null;
  /** null if version control is off. */
  branch: string | null;
  /** null if version control is off. */
  diff_url: string | null;
  /** The path before the file was moved. */
  previous_path?: string;
}

export interface FileUpdatedReferenceData {
  file_id: string;
  project_id: string;
  project_name: string;
  file_path: string;
  file_name: string;
  /** MIME type. */
  file_type: string;
  /** Bytes. */
  size: number;
  updated_by: {
    name: string;
    email: string;
    username: string;
  };
  /** All values are 0 if the file was only moved, or if a push changed more than 256 MiB. */
  changes: {
    lines_added: number;
    lines_removed: number;
    lines_modified: number;
  };
  /** null if version control is off. */
  commit_sha: string | null;
  /** null if version control is off. */
  branch: string | null;
  /** null if version control is off. */
  diff_url: string | null;
  /** The path before the file was moved. */
  previous_path?: string;
}

export interface FileDeletedReferenceData {
  file_id: string;
  project_id: string;
  project_name: string;
  file_path: string;
  file_name: string;
  /** MIME type. */
  file_type: string;
  /** Bytes. */
  size: number;
  updated_by: {
    name: string;
    email: string;
    username: string;
  };
  /** null if the change was too large to count. */
  changes: {
    lines_added: number;
    lines_removed: number;
    lines_modified: number;
  } | null;
  /** null if version control is off. */
  commit_sha: string | null;
  /** null if version control is off. */
  branch: string | null;
  /** null if version control is off. */
  diff_url: string | null;
  /** The path before the file was moved. */
  previous_path?: string;
}

export interface FileDownloadedReferenceData {
  file_id: string;
  project_id: string;
  project_name: string;
  file_path: string;
  file_name: string;
  /** MIME type. */
  file_type: string;
  /** Bytes. */
  size: number;
  /** null if a share link was used. */
  downloaded_by: {
    name: string;
    email: string;
    username: string;
  } | null;
}

export interface FileSharedReferenceData {
  file_id: string;
  project_id: string;
  project_name: string;
  file_path: string;
  file_name: string;
  shared_by: {
    name: string;
    email: string;
    username: string;
  };
  /** ISO 8601 timestamp in UTC. */
  expires_at: string;
}

export interface RepositoryPushedReferenceData {
  project_id: string;
  project_name: string;
  /** The full name, such as `refs/heads/main`. */
  ref: string;
  branch: string | null;
  before: string | null;
  after: string | null;
  /** The newest of the pushed commits that are not in `before`; at most 20. */
  commits: Array<{
    sha: string;
    /** The first line, at most 200 characters. */
    message: string;
    author: {
      name: string;
      email: string;
    };
    /** ISO 8601 timestamp in UTC. */
    committed_at: string;
  }>;
  /** Number of pushed commits that are not in `before`, counted up to 500. */
  commits_count: number;
  files_count: {
    added: number;
    modified: number;
    removed: number;
  };
  pushed_by: {
    name: string;
    email: string;
    username: string;
  };
}

export interface BuildStartedReferenceData {
  build_id: string;
  project_id: string;
  project_name: string;
  commit_sha: string | null;
  commit_message: string | null;
  branch: string | null;
  author: {
    name: string;
    email: string | null;
    username: string | null;
  } | null;
  trigger: string;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  environment: string;
  build_config: {
    node_version: string | null;
    build_command: string | null;
    output_directory: string | null;
  };
}

export interface BuildCompletedReferenceData {
  build_id: string;
  project_id: string;
  project_name: string;
  commit_sha: string | null;
  commit_message: string | null;
  branch: string | null;
  author: {
    name: string;
    email: string | null;
    username: string | null;
  } | null;
  status: string;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  /** ISO 8601 timestamp in UTC. */
  completed_at: string;
  /** In seconds. */
  duration: number;
  environment: string;
  artifacts: Array<{
    name: string;
    size: number;
    url: string;
  }>;
  logs_url: string;
  deploy_preview_url: string | null;
}

export interface BuildFailedReferenceData {
  build_id: string;
  project_id: string;
  project_name: string;
  commit_sha: string | null;
  commit_message: string | null;
  branch: string | null;
  author: {
    name: string;
    email: string | null;
    username: string | null;
  } | null;
  status: string;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  /** ISO 8601 timestamp in UTC. */
  failed_at: string;
  /** In seconds. */
  duration: number;
  environment: string;
  error: {
    type: string;
    message: string;
    details: {
      file: string | null;
      line: number | null;
      column: number | null;
      code: string | null;
    };
  };
  logs_url: string;
}

export interface DeploymentStartedReferenceData {
  deployment_id: string;
  build_id: string;
  project_id: string;
  project_name: string;
  commit_sha: string | null;
  commit_message: string | null;
  branch: string | null;
  author: {
    name: string;
    email: string | null;
    username: string | null;
  } | null;
  deployed_by: {
    name: string;
    email: string;
    username: string;
  } | null;
  environment: string;
  /** null until the deployment succeeds. */
  url: string | null;
  trigger: string;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
}

export interface DeploymentCompletedReferenceData {
  deployment_id: string;
  build_id: string;
  project_id: string;
  project_name: string;
  commit_sha: string | null;
  commit_message: string | null;
  branch: string | null;
  author: {
    name: string;
    email: string | null;
    username: string | null;
  } | null;
  deployed_by: {
    name: string;
    email: string;
    username: string;
  } | null;
  environment: string;
  url: string;
  status: string;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
  /** ISO 8601 timestamp in UTC. */
  completed_at: string;
  /** In seconds. */
  duration: number;
  deployment_config: {
    strategy: string;
    instances: number;
    health_check_url: string | null;
  };
}

export interface DeploymentFailedReferenceData {
  deployment_id: string;
  build_id: string;
  project_id: string;
  project_name: string;
  commit_sha: string | null;
  commit_message: string | null;
  branch: string | null;
  author: {
    name: string;
    email: string | null;
    username: string | null;
  } | null;
  deployed_by: {
    name: string;
    email: string;
    username: string;
  } | null;
  environment: string;
  /** null until the deployment succeeds. */
  url: string | null;
  status: string;
  started_at: string | null;
  /** ISO 8601 timestamp in UTC. */
  failed_at: string;
  duration: number | null;
  error: {
    type: string;
    message: string;
    details: {
      file: string | null;
      line: number | null;
      column: number | null;
      code: string | null;
    };
  };
  logs_url: string;
}

export interface VariableUpdatedReferenceData {
  variable_id: string;
  project_id: string;
  project_name: string;
  name: string;
  kind: 'secret' | 'plain';
  /** null means all environments. */
  environments: Array<string> | null;
  version: number;
  deleted: boolean;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  updated_by: {
    name: string;
    email: string;
    username: string;
  } | null;
}

export interface DomainVerifiedReferenceData {
  domain_id: string;
  project_id: string;
  project_name: string;
  domain: string;
  /** ISO 8601 timestamp in UTC. */
  verified_at: string;
}

export interface DomainFailedReferenceData {
  domain_id: string;
  project_id: string;
  project_name: string;
  domain: string;
  /** ISO 8601 timestamp in UTC. */
  failed_at: string;
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
  };
}

export interface WorkspaceStartedReferenceData {
  workspace_id: string;
  project_id: string;
  project_name: string;
  name: string;
  branch: string;
  /** ISO 8601 timestamp in UTC. */
  started_at: string;
}

export interface WorkspaceSleptReferenceData {
  workspace_id: string;
  project_id: string;
  project_name: string;
  name: string;
  branch: string;
  /** ISO 8601 timestamp in UTC. */
  slept_at: string;
}

export interface WorkspaceFailedReferenceData {
  workspace_id: string;
  project_id: string;
  project_name: string;
  name: string;
  branch: string;
  /** ISO 8601 timestamp in UTC. */
  failed_at: string;
  reason: string;
}

export interface WorkspaceBranchChangedReferenceData {
  workspace_id: string;
  project_id: string;
  project_name: string;
  name: string;
  branch: string;
  former_branch: string;
  /** ISO 8601 timestamp in UTC. */
  changed_at: string;
}

export interface WorkspaceAgentStoppedReferenceData {
  workspace_id: string;
  project_id: string;
  project_name: string;
  name: string;
  branch: string;
  agent_id: string;
  agent_name: string;
  /** ISO 8601 timestamp in UTC. */
  stopped_at: string;
}

export interface WorkspaceAgentResumedReferenceData {
  workspace_id: string;
  project_id: string;
  project_name: string;
  name: string;
  branch: string;
  agent_id: string;
  agent_name: string;
  /** ISO 8601 timestamp in UTC. */
  resumed_at: string;
}

export interface WorkspacePortOpenedReferenceData {
  workspace_id: string;
  project_id: string;
  project_name: string;
  name: string;
  branch: string;
  port: number;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  opened_at: string;
}

export interface MergeRequestOpenedReferenceData {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  state: string;
  draft: boolean;
  source: string;
  target: string;
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  head_sha: string;
  merge_sha: string | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface MergeRequestUpdatedReferenceData {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  state: string;
  draft: boolean;
  source: string;
  target: string;
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  head_sha: string;
  merge_sha: string | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface MergeRequestMergedReferenceData {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  state: string;
  draft: boolean;
  source: string;
  target: string;
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  head_sha: string;
  merge_sha: string | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface MergeRequestClosedReferenceData {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  state: string;
  draft: boolean;
  source: string;
  target: string;
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  head_sha: string;
  merge_sha: string | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface MergeRequestQueuedReferenceData {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  state: string;
  draft: boolean;
  source: string;
  target: string;
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  head_sha: string;
  merge_sha: string | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
}

export interface MergeRequestDequeuedReferenceData {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  state: string;
  draft: boolean;
  source: string;
  target: string;
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  head_sha: string;
  merge_sha: string | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  reason: string;
}

export interface ReviewSubmittedReferenceData {
  project_id: string;
  project_name: string;
  review_id: string;
  number: number;
  title: string;
  event: string;
  body: string;
  version: number;
  author: {
    id: string;
    name: string;
  } | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  submitted_at: string;
}

export interface ReviewCommentedReferenceData {
  project_id: string;
  project_name: string;
  number: number;
  title: string;
  action: 'created' | 'edited' | 'deleted' | 'resolved' | 'reopened';
  thread_id: string;
  /** null if the thread was resolved or reopened. */
  comment_id: string | null;
  /** null if the thread is about the whole request. */
  path: string | null;
  /** null if the thread is not about lines. */
  line: number | null;
  /** null unless the comment was created or edited. */
  body: string | null;
  author: {
    id: string;
    name: string;
  } | null;
  url: string;
  /** ISO 8601 timestamp in UTC. */
  commented_at: string;
}

export interface CheckCompletedReferenceData {
  project_id: string;
  project_name: string;
  check_id: string;
  name: string;
  head_sha: string;
  tree_sha: string;
  source: string;
  conclusion: string;
  title: string;
  details_url: string | null;
}

export interface CommentCreatedReferenceData {
  comment_id: string;
  project_id: string;
  project_name: string;
  /** null if the comment was created without a live session. */
  session_id: string | null;
  /** The comment to which this comment replies. */
  parent_id: string | null;
  file_path: string;
  line: number;
  comment_type: 'comment' | 'suggestion' | 'question' | 'issue';
  content: string;
  resolved: boolean;
  author: {
    name: string;
    email: string;
    username: string;
  } | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface CommentUpdatedReferenceData {
  comment_id: string;
  project_id: string;
  project_name: string;
  /** null if the comment was created without a live session. */
  session_id: string | null;
  /** The comment to which this comment replies. */
  parent_id: string | null;
  file_path: string;
  line: number;
  comment_type: 'comment' | 'suggestion' | 'question' | 'issue';
  content: string;
  resolved: boolean;
  author: {
    name: string;
    email: string;
    username: string;
  } | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  updated_at: string;
  updated_by: {
    name: string;
    email: string;
    username: string;
  } | null;
}

export interface CommentDeletedReferenceData {
  comment_id: string;
  project_id: string;
  project_name: string;
  /** null if the comment was created without a live session. */
  session_id: string | null;
  /** The comment to which this comment replies. */
  parent_id: string | null;
  file_path: string;
  line: number;
  comment_type: 'comment' | 'suggestion' | 'question' | 'issue';
  content: string;
  resolved: boolean;
  author: {
    name: string;
    email: string;
    username: string;
  } | null;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  deleted_at: string;
  deleted_by: {
    name: string;
    email: string;
    username: string;
  } | null;
}

export interface UserRegisteredReferenceData {
  user_id: string;
  name: string;
  email: string;
  username: string;
  role: 'admin' | 'user';
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  metadata: {
    source: string;
  };
}

export interface UserUpdatedReferenceData {
  user_id: string;
  name: string;
  email: string;
  username: string;
  role: 'admin' | 'user';
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** All changed fields; settings and preferences have dotted names. */
  changes: Record<
    string,
    {
      from: unknown;
      to: unknown;
    }
  >;
}

export interface UserDeletedReferenceData {
  user_id: string;
  name: string;
  email: string;
  username: string;
  role: 'admin' | 'user';
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  /** ISO 8601 timestamp in UTC. */
  deleted_at: string;
}

export interface UserLoginReferenceData {
  user_id: string;
  name: string;
  email: string;
  username: string;
  role: 'admin' | 'user';
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  session_id: string;
  ip_address: string | null;
  user_agent: string | null;
  second_factor: boolean;
  /** ISO 8601 timestamp in UTC. */
  signed_in_at: string;
}

export interface UserLogoutReferenceData {
  user_id: string;
  name: string;
  email: string;
  username: string;
  role: 'admin' | 'user';
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
  session_id: string;
  /** ISO 8601 timestamp in UTC. */
  signed_out_at: string;
}

export interface SecurityAlertReferenceData {
  alert_id: string;
  alert_type: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  title: string;
  description: string;
  user: {
    user_id: string | null;
    username: string | null;
    email: string | null;
  };
  details: {
    ip_address: string | null;
    location: string | null;
    user_agent: string | null;
    failed_attempts: number | null;
    time_window: string | null;
  };
  actions_taken: Array<string>;
  recommended_actions: Array<string>;
}

export interface NotificationCreatedReferenceData {
  notification_id: string;
  user_id: string;
  /** Type of the notification, such as `mention`. */
  notification_type: string;
  /** ISO 8601 timestamp in UTC. */
  created_at: string;
}

export interface ProjectCreatedCoreData {
  project: {
    id: string;
    name: string;
    description: string;
    status: 'active' | 'archived';
    /** The template that the project was created from. */
    template_id?: string | null;
    settings: {
      public: boolean;
      collaboration_enabled: boolean;
      auto_save: boolean;
      version_control: boolean;
      auto_deploy: boolean;
      auto_preview: boolean;
    };
    owner: {
      id: string;
      name: string | null;
    };
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface ProjectUpdatedCoreData {
  project: {
    id: string;
    name: string;
    description: string;
    status: 'active' | 'archived';
    /** The template that the project was created from. */
    template_id?: string | null;
    settings: {
      public: boolean;
      collaboration_enabled: boolean;
      auto_save: boolean;
      version_control: boolean;
      auto_deploy: boolean;
      auto_preview: boolean;
    };
    owner: {
      id: string;
      name: string | null;
    };
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    /** All changed fields; settings and preferences have dotted names. */
    changes: Record<
      string,
      {
        from: unknown;
        to: unknown;
      }
    >;
  };
}

export interface ProjectDeletedCoreData {
  project: {
    id: string;
    name: string;
    description: string;
    status: 'active' | 'archived';
    /** The template that the project was created from. */
    template_id?: string | null;
    settings: {
      public: boolean;
      collaboration_enabled: boolean;
      auto_save: boolean;
      version_control: boolean;
      auto_deploy: boolean;
      auto_preview: boolean;
    };
    owner: {
      id: string;
      name: string | null;
    };
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    /** ISO 8601 timestamp in UTC. */
    deleted_at: string;
  };
}

export interface CollaborationInvitedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  collaborator: {
    id: string;
    invited_by: {
      name: string;
      email: string;
      username: string;
    };
    user: {
      email: string | null;
      name: string | null;
    };
    role: string;
    permissions: Array<string>;
    message: string | null;
    expires_at: string | null;
    invitation_url: string | null;
  };
}

export interface CollaborationJoinedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  collaborator: {
    id: string;
    user: {
      id: string | null;
      name: string | null;
      email: string;
      username: string | null;
    };
    role: string;
    permissions: Array<string>;
    joined_at: string | null;
  };
}

export interface CollaborationLeftCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  collaborator: {
    id: string;
    user: {
      id: string | null;
      name: string | null;
      email: string;
      username: string | null;
    };
    role: string;
    permissions: Array<string>;
    reason: 'left' | 'removed' | 'became_owner';
    removed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    left_at: string;
  };
}

export interface FileCreatedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  file: {
    id: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    updated_by: {
      name: string;
      email: string;
      username: string;
    };
    /** null if the change was too large to count. */
    changes: {
      lines_added: number;
      lines_removed: number;
      lines_modified: number;
    } | null;
    /** null if version control is off. */
    commit_sha: string | null;
    /** null if version control is off. */
    branch: string | null;
    /** null if version control is off. */
    diff_url: string | null;
    /** The path before the file was moved. */
    previous_path?: string;
  };
}

export interface FileUpdatedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  file: {
    id: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    updated_by: {
      name: string;
      email: string;
      username: string;
    };
    /** All values are 0 if the file was only moved, or if a push changed more than 256 MiB. */
    changes: {
      lines_added: number;
      lines_removed: number;
      lines_modified: number;
    };
    /** null if version control is off. */
    commit_sha: string | null;
    /** null if version control is off. */
    branch: string | null;
    /** null if version control is off. */
    diff_url: string | null;
    /** The path before the file was moved. */
    previous_path?: string;
  };
}

export interface FileDeletedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  file: {
    id: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    updated_by: {
      name: string;
      email: string;
      username: string;
    };
    /** null if the change was too large to count. */
    changes: {
      lines_added: number;
      lines_removed: number;
      lines_modified: number;
    } | null;
    /** null if version control is off. */
    commit_sha: string | null;
    /** null if version control is off. */
    branch: string | null;
    /** null if version control is off. */
    diff_url: string | null;
    /** The path before the file was moved. */
    previous_path?: string;
  };
}

export interface FileDownloadedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  file: {
    id: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    /** null if a share link was used. */
    downloaded_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface FileSharedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  file: {
    id: string;
    path: string;
    name: string;
    shared_by: {
      name: string;
      email: string;
      username: string;
    };
    /** ISO 8601 timestamp in UTC. */
    expires_at: string;
  };
}

export interface RepositoryPushedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  repository: {
    /** The full name, such as `refs/heads/main`. */
    ref: string;
    branch: string | null;
    before: string | null;
    after: string | null;
    /** The newest of the pushed commits that are not in `before`; at most 20. */
    commits: Array<{
      sha: string;
      /** The first line, at most 200 characters. */
      message: string;
      author: {
        name: string;
        email: string;
      };
      /** ISO 8601 timestamp in UTC. */
      committed_at: string;
    }>;
    /** Number of pushed commits that are not in `before`, counted up to 500. */
    commits_count: number;
    files_count: {
      added: number;
      modified: number;
      removed: number;
    };
    pushed_by: {
      name: string;
      email: string;
      username: string;
    };
  };
}

export interface BuildStartedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  build: {
    id: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    trigger: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    environment: string;
    config: {
      node_version: string | null;
      build_command: string | null;
      output_directory: string | null;
    };
  };
}

export interface BuildCompletedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  build: {
    id: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    status: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    /** ISO 8601 timestamp in UTC. */
    completed_at: string;
    /** In seconds. */
    duration: number;
    environment: string;
    artifacts: Array<{
      name: string;
      size: number;
      url: string;
    }>;
    logs_url: string;
    deploy_preview_url: string | null;
  };
}

export interface BuildFailedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  build: {
    id: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    status: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
    /** In seconds. */
    duration: number;
    environment: string;
    error: {
      type: string;
      message: string;
      details: {
        file: string | null;
        line: number | null;
        column: number | null;
        code: string | null;
      };
    };
    logs_url: string;
  };
}

export interface DeploymentStartedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  deployment: {
    id: string;
    build_id: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    deployed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    environment: string;
    /** null until the deployment succeeds. */
    url: string | null;
    trigger: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
  };
}

export interface DeploymentCompletedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  deployment: {
    id: string;
    build_id: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    deployed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    environment: string;
    url: string;
    status: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    /** ISO 8601 timestamp in UTC. */
    completed_at: string;
    /** In seconds. */
    duration: number;
    config: {
      strategy: string;
      instances: number;
      health_check_url: string | null;
    };
  };
}

export interface DeploymentFailedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  deployment: {
    id: string;
    build_id: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    deployed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    environment: string;
    /** null until the deployment succeeds. */
    url: string | null;
    status: string;
    started_at: string | null;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
    duration: number | null;
    error: {
      type: string;
      message: string;
      details: {
        file: string | null;
        line: number | null;
        column: number | null;
        code: string | null;
      };
    };
    logs_url: string;
  };
}

export interface VariableUpdatedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  variable: {
    id: string;
    name: string;
    kind: 'secret' | 'plain';
    /** null means all environments. */
    environments: Array<string> | null;
    version: number;
    deleted: boolean;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    updated_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface DomainVerifiedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  domain: {
    id: string;
    name: string;
    /** ISO 8601 timestamp in UTC. */
    verified_at: string;
  };
}

export interface DomainFailedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  domain: {
    id: string;
    name: string;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
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
    };
  };
}

export interface WorkspaceStartedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  workspace: {
    id: string;
    name: string;
    branch: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
  };
}

export interface WorkspaceSleptCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  workspace: {
    id: string;
    name: string;
    branch: string;
    /** ISO 8601 timestamp in UTC. */
    slept_at: string;
  };
}

export interface WorkspaceFailedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  workspace: {
    id: string;
    name: string;
    branch: string;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
    reason: string;
  };
}

export interface WorkspaceBranchChangedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  workspace: {
    id: string;
    name: string;
    branch: string;
    former_branch: string;
    /** ISO 8601 timestamp in UTC. */
    changed_at: string;
  };
}

export interface WorkspaceAgentStoppedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  workspace: {
    id: string;
    name: string;
    branch: string;
    agent_id: string;
    agent_name: string;
    /** ISO 8601 timestamp in UTC. */
    stopped_at: string;
  };
}

export interface WorkspaceAgentResumedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  workspace: {
    id: string;
    name: string;
    branch: string;
    agent_id: string;
    agent_name: string;
    /** ISO 8601 timestamp in UTC. */
    resumed_at: string;
  };
}

export interface WorkspacePortOpenedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  workspace: {
    id: string;
    name: string;
    branch: string;
    port: number;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    opened_at: string;
  };
}

export interface MergeRequestOpenedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  merge_request: {
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestUpdatedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  merge_request: {
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestMergedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  merge_request: {
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestClosedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  merge_request: {
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestQueuedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  merge_request: {
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestDequeuedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  merge_request: {
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    reason: string;
  };
}

export interface ReviewSubmittedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  review: {
    id: string;
    number: number;
    title: string;
    event: string;
    body: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    submitted_at: string;
  };
}

export interface ReviewCommentedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  review: {
    number: number;
    title: string;
    action: 'created' | 'edited' | 'deleted' | 'resolved' | 'reopened';
    thread_id: string;
    /** null if the thread was resolved or reopened. */
    comment_id: string | null;
    /** null if the thread is about the whole request. */
    path: string | null;
    /** null if the thread is not about lines. */
    line: number | null;
    /** null unless the comment was created or edited. */
    body: string | null;
    author: {
      id: string;
      name: string;
    } | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    commented_at: string;
  };
}

export interface CheckCompletedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  check: {
    id: string;
    name: string;
    head_sha: string;
    tree_sha: string;
    source: string;
    conclusion: string;
    title: string;
    details_url: string | null;
  };
}

export interface CommentCreatedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  comment: {
    id: string;
    /** null if the comment was created without a live session. */
    session_id: string | null;
    /** The comment to which this comment replies. */
    parent_id: string | null;
    file_path: string;
    line: number;
    type: 'comment' | 'suggestion' | 'question' | 'issue';
    content: string;
    resolved: boolean;
    author: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
  };
}

export interface CommentUpdatedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  comment: {
    id: string;
    /** null if the comment was created without a live session. */
    session_id: string | null;
    /** The comment to which this comment replies. */
    parent_id: string | null;
    file_path: string;
    line: number;
    type: 'comment' | 'suggestion' | 'question' | 'issue';
    content: string;
    resolved: boolean;
    author: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    updated_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface CommentDeletedCoreData {
  project: {
    id: string;
    name: string;
    owner: {
      id: string;
      name: string | null;
    };
  };
  comment: {
    id: string;
    /** null if the comment was created without a live session. */
    session_id: string | null;
    /** The comment to which this comment replies. */
    parent_id: string | null;
    file_path: string;
    line: number;
    type: 'comment' | 'suggestion' | 'question' | 'issue';
    content: string;
    resolved: boolean;
    author: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    deleted_at: string;
    deleted_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface UserRegisteredCoreData {
  user: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    metadata: {
      source: string;
    };
  };
}

export interface UserUpdatedCoreData {
  user: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** All changed fields; settings and preferences have dotted names. */
    changes: Record<
      string,
      {
        from: unknown;
        to: unknown;
      }
    >;
  };
}

export interface UserDeletedCoreData {
  user: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    deleted_at: string;
  };
}

export interface UserLoginCoreData {
  user: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    session_id: string;
    ip_address: string | null;
    user_agent: string | null;
    second_factor: boolean;
    /** ISO 8601 timestamp in UTC. */
    signed_in_at: string;
  };
}

export interface UserLogoutCoreData {
  user: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    session_id: string;
    /** ISO 8601 timestamp in UTC. */
    signed_out_at: string;
  };
}

export interface SecurityAlertCoreData {
  alert: {
    id: string;
    alert_type: string;
    severity: 'low' | 'medium' | 'high' | 'critical';
    title: string;
    description: string;
    user: {
      user_id: string | null;
      username: string | null;
      email: string | null;
    };
    details: {
      ip_address: string | null;
      location: string | null;
      user_agent: string | null;
      failed_attempts: number | null;
      time_window: string | null;
    };
    actions_taken: Array<string>;
    recommended_actions: Array<string>;
  };
}

export interface NotificationCreatedCoreData {
  notification: {
    id: string;
    user_id: string;
    /** Type of the notification, such as `mention`. */
    type: string;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
  };
}

export interface ProjectCreatedGuideData {
  object: {
    id: string;
    name: string;
    description: string;
    status: 'active' | 'archived';
    /** The template that the project was created from. */
    template_id?: string | null;
    settings: {
      public: boolean;
      collaboration_enabled: boolean;
      auto_save: boolean;
      version_control: boolean;
      auto_deploy: boolean;
      auto_preview: boolean;
    };
    owner: {
      id: string;
      name: string;
      email: string;
      username: string;
    };
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface ProjectUpdatedGuideData {
  object: {
    id: string;
    name: string;
    description: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    /** All changed fields; settings and preferences have dotted names. */
    changes: Record<
      string,
      {
        from: unknown;
        to: unknown;
      }
    >;
  };
}

export interface ProjectDeletedGuideData {
  object: {
    id: string;
    name: string;
    description: string;
    status: 'active' | 'archived';
    /** The template that the project was created from. */
    template_id?: string | null;
    settings: {
      public: boolean;
      collaboration_enabled: boolean;
      auto_save: boolean;
      version_control: boolean;
      auto_deploy: boolean;
      auto_preview: boolean;
    };
    owner: {
      id: string;
      name: string;
      email: string;
      username: string;
    };
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    /** ISO 8601 timestamp in UTC. */
    deleted_at: string;
  };
}

export interface CollaborationInvitedGuideData {
  object: {
    invitation_id: string;
    id: string;
    name: string;
    shared_by: {
      name: string;
      email: string;
      username: string;
    };
    shared_with: {
      email: string | null;
      name: string | null;
    };
    role: string;
    permissions: Array<string>;
    message: string | null;
    expires_at: string | null;
    invitation_url: string | null;
  };
}

export interface CollaborationJoinedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    user: {
      id: string | null;
      name: string | null;
      email: string;
      username: string | null;
    };
    role: string;
    permissions: Array<string>;
    joined_at: string | null;
  };
}

export interface CollaborationLeftGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    user: {
      id: string | null;
      name: string | null;
      email: string;
      username: string | null;
    };
    role: string;
    permissions: Array<string>;
    reason: 'left' | 'removed' | 'became_owner';
    removed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    left_at: string;
  };
}

export interface FileCreatedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    updated_by: {
      name: string;
      email: string;
      username: string;
    };
    /** null if the change was too large to count. */
    changes: {
      lines_added: number;
      lines_removed: number;
      lines_modified: number;
    } | null;
    /** null if version control is off. */
    commit_sha: string | null;
    /** null if version control is off. */
    branch: string | null;
    /** null if version control is off. */
    diff_url: string | null;
    /** The path before the file was moved. */
    previous_path?: string;
  };
}

export interface FileUpdatedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    updated_by: {
      name: string;
      email: string;
      username: string;
    };
    /** All values are 0 if the file was only moved, or if a push changed more than 256 MiB. */
    changes: {
      lines_added: number;
      lines_removed: number;
      lines_modified: number;
    };
    /** null if version control is off. */
    commit_sha: string | null;
    /** null if version control is off. */
    branch: string | null;
    /** null if version control is off. */
    diff_url: string | null;
    /** The path before the file was moved. */
    previous_path?: string;
  };
}

export interface FileDeletedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    updated_by: {
      name: string;
      email: string;
      username: string;
    };
    /** null if the change was too large to count. */
    changes: {
      lines_added: number;
      lines_removed: number;
      lines_modified: number;
    } | null;
    /** null if version control is off. */
    commit_sha: string | null;
    /** null if version control is off. */
    branch: string | null;
    /** null if version control is off. */
    diff_url: string | null;
    /** The path before the file was moved. */
    previous_path?: string;
  };
}

export interface FileDownloadedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    path: string;
    name: string;
    /** MIME type. */
    type: string;
    /** Bytes. */
    size: number;
    /** null if a share link was used. */
    downloaded_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface FileSharedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    path: string;
    name: string;
    shared_by: {
      name: string;
      email: string;
      username: string;
    };
    /** ISO 8601 timestamp in UTC. */
    expires_at: string;
  };
}

export interface RepositoryPushedGuideData {
  object: {
    project_id: string;
    project_name: string;
    /** The full name, such as `refs/heads/main`. */
    ref: string;
    branch: string | null;
    before: string | null;
    after: string | null;
    /** The newest of the pushed commits that are not in `before`; at most 20. */
    commits: Array<{
      sha: string;
      /** The first line, at most 200 characters. */
      message: string;
      author: {
        name: string;
        email: string;
      };
      /** ISO 8601 timestamp in UTC. */
      committed_at: string;
    }>;
    /** Number of pushed commits that are not in `before`, counted up to 500. */
    commits_count: number;
    files_count: {
      added: number;
      modified: number;
      removed: number;
    };
    pushed_by: {
      name: string;
      email: string;
      username: string;
    };
  };
}

export interface BuildStartedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    trigger: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    environment: string;
    config: {
      node_version: string | null;
      build_command: string | null;
      output_directory: string | null;
    };
  };
}

export interface BuildCompletedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    status: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    /** ISO 8601 timestamp in UTC. */
    completed_at: string;
    /** In seconds. */
    duration: number;
    environment: string;
    artifacts: Array<{
      name: string;
      size: number;
      url: string;
    }>;
    logs_url: string;
    deploy_preview_url: string | null;
  };
}

export interface BuildFailedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    status: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
    /** In seconds. */
    duration: number;
    environment: string;
    error: {
      type: string;
      message: string;
      details: {
        file: string | null;
        line: number | null;
        column: number | null;
        code: string | null;
      };
    };
    logs_url: string;
  };
}

export interface DeploymentStartedGuideData {
  object: {
    id: string;
    build_id: string;
    project_id: string;
    project_name: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    deployed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    environment: string;
    /** null until the deployment succeeds. */
    url: string | null;
    trigger: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
  };
}

export interface DeploymentCompletedGuideData {
  object: {
    id: string;
    build_id: string;
    project_id: string;
    project_name: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    deployed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    environment: string;
    url: string;
    status: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
    /** ISO 8601 timestamp in UTC. */
    completed_at: string;
    /** In seconds. */
    duration: number;
    config: {
      strategy: string;
      instances: number;
      health_check_url: string | null;
    };
  };
}

export interface DeploymentFailedGuideData {
  object: {
    id: string;
    build_id: string;
    project_id: string;
    project_name: string;
    commit_sha: string | null;
    commit_message: string | null;
    branch: string | null;
    author: {
      name: string;
      email: string | null;
      username: string | null;
    } | null;
    deployed_by: {
      name: string;
      email: string;
      username: string;
    } | null;
    environment: string;
    /** null until the deployment succeeds. */
    url: string | null;
    status: string;
    started_at: string | null;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
    duration: number | null;
    error: {
      type: string;
      message: string;
      details: {
        file: string | null;
        line: number | null;
        column: number | null;
        code: string | null;
      };
    };
    logs_url: string;
  };
}

export interface VariableUpdatedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    kind: 'secret' | 'plain';
    /** null means all environments. */
    environments: Array<string> | null;
    version: number;
    deleted: boolean;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    updated_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface DomainVerifiedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    /** ISO 8601 timestamp in UTC. */
    verified_at: string;
  };
}

export interface DomainFailedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
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
    };
  };
}

export interface WorkspaceStartedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    branch: string;
    /** ISO 8601 timestamp in UTC. */
    started_at: string;
  };
}

export interface WorkspaceSleptGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    branch: string;
    /** ISO 8601 timestamp in UTC. */
    slept_at: string;
  };
}

export interface WorkspaceFailedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    branch: string;
    /** ISO 8601 timestamp in UTC. */
    failed_at: string;
    reason: string;
  };
}

export interface WorkspaceBranchChangedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    branch: string;
    former_branch: string;
    /** ISO 8601 timestamp in UTC. */
    changed_at: string;
  };
}

export interface WorkspaceAgentStoppedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    branch: string;
    agent_id: string;
    agent_name: string;
    /** ISO 8601 timestamp in UTC. */
    stopped_at: string;
  };
}

export interface WorkspaceAgentResumedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    branch: string;
    agent_id: string;
    agent_name: string;
    /** ISO 8601 timestamp in UTC. */
    resumed_at: string;
  };
}

export interface WorkspacePortOpenedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    name: string;
    branch: string;
    port: number;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    opened_at: string;
  };
}

export interface MergeRequestOpenedGuideData {
  object: {
    project_id: string;
    project_name: string;
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestUpdatedGuideData {
  object: {
    project_id: string;
    project_name: string;
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestMergedGuideData {
  object: {
    project_id: string;
    project_name: string;
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestClosedGuideData {
  object: {
    project_id: string;
    project_name: string;
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestQueuedGuideData {
  object: {
    project_id: string;
    project_name: string;
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
  };
}

export interface MergeRequestDequeuedGuideData {
  object: {
    project_id: string;
    project_name: string;
    number: number;
    title: string;
    state: string;
    draft: boolean;
    source: string;
    target: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    head_sha: string;
    merge_sha: string | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    reason: string;
  };
}

export interface ReviewSubmittedGuideData {
  object: {
    project_id: string;
    project_name: string;
    id: string;
    number: number;
    title: string;
    event: string;
    body: string;
    version: number;
    author: {
      id: string;
      name: string;
    } | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    submitted_at: string;
  };
}

export interface ReviewCommentedGuideData {
  object: {
    project_id: string;
    project_name: string;
    number: number;
    title: string;
    action: 'created' | 'edited' | 'deleted' | 'resolved' | 'reopened';
    thread_id: string;
    /** null if the thread was resolved or reopened. */
    comment_id: string | null;
    /** null if the thread is about the whole request. */
    path: string | null;
    /** null if the thread is not about lines. */
    line: number | null;
    /** null unless the comment was created or edited. */
    body: string | null;
    author: {
      id: string;
      name: string;
    } | null;
    url: string;
    /** ISO 8601 timestamp in UTC. */
    commented_at: string;
  };
}

export interface CheckCompletedGuideData {
  object: {
    project_id: string;
    project_name: string;
    id: string;
    name: string;
    head_sha: string;
    tree_sha: string;
    source: string;
    conclusion: string;
    title: string;
    details_url: string | null;
  };
}

export interface CommentCreatedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    /** null if the comment was created without a live session. */
    session_id: string | null;
    /** The comment to which this comment replies. */
    parent_id: string | null;
    file_path: string;
    line: number;
    type: 'comment' | 'suggestion' | 'question' | 'issue';
    content: string;
    resolved: boolean;
    author: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
  };
}

export interface CommentUpdatedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    /** null if the comment was created without a live session. */
    session_id: string | null;
    /** The comment to which this comment replies. */
    parent_id: string | null;
    file_path: string;
    line: number;
    type: 'comment' | 'suggestion' | 'question' | 'issue';
    content: string;
    resolved: boolean;
    author: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    updated_at: string;
    updated_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface CommentDeletedGuideData {
  object: {
    id: string;
    project_id: string;
    project_name: string;
    /** null if the comment was created without a live session. */
    session_id: string | null;
    /** The comment to which this comment replies. */
    parent_id: string | null;
    file_path: string;
    line: number;
    type: 'comment' | 'suggestion' | 'question' | 'issue';
    content: string;
    resolved: boolean;
    author: {
      name: string;
      email: string;
      username: string;
    } | null;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    deleted_at: string;
    deleted_by: {
      name: string;
      email: string;
      username: string;
    } | null;
  };
}

export interface UserRegisteredGuideData {
  object: {
    id: string;
    name: string;
    email: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    metadata: {
      source: string;
    };
  };
}

export interface UserUpdatedGuideData {
  object: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** All changed fields; settings and preferences have dotted names. */
    changes: Record<
      string,
      {
        from: unknown;
        to: unknown;
      }
    >;
  };
}

export interface UserDeletedGuideData {
  object: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    /** ISO 8601 timestamp in UTC. */
    deleted_at: string;
  };
}

export interface UserLoginGuideData {
  object: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    session_id: string;
    ip_address: string | null;
    user_agent: string | null;
    second_factor: boolean;
    /** ISO 8601 timestamp in UTC. */
    signed_in_at: string;
  };
}

export interface UserLogoutGuideData {
  object: {
    id: string;
    name: string;
    email: string;
    username: string;
    role: 'admin' | 'user';
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
    session_id: string;
    /** ISO 8601 timestamp in UTC. */
    signed_out_at: string;
  };
}

export interface SecurityAlertGuideData {
  object: {
    id: string;
    alert_type: string;
    severity: 'low' | 'medium' | 'high' | 'critical';
    title: string;
    description: string;
    user: {
      user_id: string | null;
      username: string | null;
      email: string | null;
    };
    details: {
      ip_address: string | null;
      location: string | null;
      user_agent: string | null;
      failed_attempts: number | null;
      time_window: string | null;
    };
    actions_taken: Array<string>;
    recommended_actions: Array<string>;
  };
}

export interface NotificationCreatedGuideData {
  object: {
    id: string;
    user_id: string;
    /** Type of the notification, such as `mention`. */
    type: string;
    /** ISO 8601 timestamp in UTC. */
    created_at: string;
  };
}

/** `data` of the format reference, by the name of the event. */
export interface ReferenceEventData {
  /** A project was created. */
  'project.created': ProjectCreatedReferenceData;
  /** A project was changed, archived, unarchived or restored. */
  'project.updated': ProjectUpdatedReferenceData;
  /** A project was deleted. */
  'project.deleted': ProjectDeletedReferenceData;
  /** Someone was invited to a project. */
  'collaboration.invited': CollaborationInvitedReferenceData;
  /** Someone was invited to a project. */
  'collaborator.invited': CollaborationInvitedReferenceData;
  /** Someone was invited to a project. */
  'project.shared': CollaborationInvitedReferenceData;
  /** An invitation to a project was accepted. */
  'collaboration.joined': CollaborationJoinedReferenceData;
  /** An invitation to a project was accepted. */
  'collaborator.joined': CollaborationJoinedReferenceData;
  /** A collaborator left a project or was removed. */
  'collaboration.left': CollaborationLeftReferenceData;
  /** A collaborator left a project or was removed. */
  'collaborator.removed': CollaborationLeftReferenceData;
  /** A file was created through the API, a push or a live session. */
  'file.created': FileCreatedReferenceData;
  /** A file was created through the API, a push or a live session. A file was changed or moved. */
  'file.uploaded': FileCreatedReferenceData | FileUpdatedReferenceData;
  /** A file was changed or moved. */
  'file.updated': FileUpdatedReferenceData;
  /** A file was deleted. */
  'file.deleted': FileDeletedReferenceData;
  /** A file's content was downloaded. */
  'file.downloaded': FileDownloadedReferenceData;
  /** A share link for a file was created. */
  'file.shared': FileSharedReferenceData;
  /** A branch or tag was created, moved or deleted, other than by writing files through the API. */
  'repository.pushed': RepositoryPushedReferenceData;
  /** A build was started. */
  'build.started': BuildStartedReferenceData;
  /** A build succeeded. */
  'build.completed': BuildCompletedReferenceData;
  /** A build failed. */
  'build.failed': BuildFailedReferenceData;
  /** A deployment was started. */
  'deployment.started': DeploymentStartedReferenceData;
  /** A deployment succeeded. */
  'deployment.completed': DeploymentCompletedReferenceData;
  /** A deployment failed. */
  'deployment.failed': DeploymentFailedReferenceData;
  /** A project variable was set or deleted; the event does not include its value. */
  'variable.updated': VariableUpdatedReferenceData;
  /** A project proved that it owns a domain. */
  'domain.verified': DomainVerifiedReferenceData;
  /** A domain could not be verified, or its proof of ownership was missing for several days. */
  'domain.failed': DomainFailedReferenceData;
  /** A workspace started or woke up. */
  'workspace.started': WorkspaceStartedReferenceData;
  /** A workspace went to sleep, on request or because nobody used it. */
  'workspace.slept': WorkspaceSleptReferenceData;
  /** A workspace could not start, or stopped because of an error or a limit. */
  'workspace.failed': WorkspaceFailedReferenceData;
  /** Another branch was checked out in a workspace, and the workspace now follows that branch. */
  'workspace.branch_changed': WorkspaceBranchChangedReferenceData;
  /** A person stopped an agent in a workspace: the commands of the agent ended, and its further commands are refused. */
  'workspace.agent_stopped': WorkspaceAgentStoppedReferenceData;
  /** A stopped agent can use a workspace again. */
  'workspace.agent_resumed': WorkspaceAgentResumedReferenceData;
  /** A program in a workspace began to listen on a port, for the first time since the workspace started. */
  'workspace.port_opened': WorkspacePortOpenedReferenceData;
  /** A merge request was opened or reopened. */
  'merge_request.opened': MergeRequestOpenedReferenceData;
  /** A merge request has a new version, or its title, description, target or people changed. */
  'merge_request.updated': MergeRequestUpdatedReferenceData;
  /** A merge request was merged. */
  'merge_request.merged': MergeRequestMergedReferenceData;
  /** A merge request was closed without being merged. */
  'merge_request.closed': MergeRequestClosedReferenceData;
  /** A merge request was put into the queue of its target. */
  'merge_request.queued': MergeRequestQueuedReferenceData;
  /** A merge request left the queue without being merged. */
  'merge_request.dequeued': MergeRequestDequeuedReferenceData;
  /** Somebody reviewed a merge request. */
  'review.submitted': ReviewSubmittedReferenceData;
  /** Somebody commented on a merge request, changed or deleted a comment, or resolved or reopened a thread. */
  'review.commented': ReviewCommentedReferenceData;
  /** A check of a commit was completed. */
  'check.completed': CheckCompletedReferenceData;
  /** Somebody commented on a file. */
  'comment.created': CommentCreatedReferenceData;
  /** A comment was changed, resolved or reopened, or its suggestion was applied. */
  'comment.updated': CommentUpdatedReferenceData;
  /** A comment was deleted with its replies. */
  'comment.deleted': CommentDeletedReferenceData;
  /** An account was created. */
  'user.registered': UserRegisteredReferenceData;
  /** An account was created. */
  'user.created': UserRegisteredReferenceData;
  /** A profile or preferences were changed. */
  'user.updated': UserUpdatedReferenceData;
  /** An account was deleted. */
  'user.deleted': UserDeletedReferenceData;
  /** Someone signed in. */
  'user.login': UserLoginReferenceData;
  /** Someone signed out. */
  'user.logout': UserLogoutReferenceData;
  /** Sign-ins failed repeatedly, a credential leaked, or somebody tried to guess a credential. */
  'security.alert': SecurityAlertReferenceData;
  /** A user received a notification. */
  'notification.created': NotificationCreatedReferenceData;
}
/** An event in the format reference. */
export type ReferenceEvent = {
  [Name in keyof ReferenceEventData]: {
    event: Name;
    /** ISO 8601 timestamp in UTC. */
    timestamp: string;
    webhook_id: string;
    /** Same value in every attempt of the delivery. */
    delivery_id: string;
    data: ReferenceEventData[Name];
  };
}[keyof ReferenceEventData];

/** `data` of the format core, by the name of the event. */
export interface CoreEventData {
  /** A project was created. */
  'project.created': ProjectCreatedCoreData;
  /** A project was changed, archived, unarchived or restored. */
  'project.updated': ProjectUpdatedCoreData;
  /** A project was deleted. */
  'project.deleted': ProjectDeletedCoreData;
  /** Someone was invited to a project. */
  'collaboration.invited': CollaborationInvitedCoreData;
  /** Someone was invited to a project. */
  'collaborator.invited': CollaborationInvitedCoreData;
  /** Someone was invited to a project. */
  'project.shared': CollaborationInvitedCoreData;
  /** An invitation to a project was accepted. */
  'collaboration.joined': CollaborationJoinedCoreData;
  /** An invitation to a project was accepted. */
  'collaborator.joined': CollaborationJoinedCoreData;
  /** A collaborator left a project or was removed. */
  'collaboration.left': CollaborationLeftCoreData;
  /** A collaborator left a project or was removed. */
  'collaborator.removed': CollaborationLeftCoreData;
  /** A file was created through the API, a push or a live session. */
  'file.created': FileCreatedCoreData;
  /** A file was created through the API, a push or a live session. A file was changed or moved. */
  'file.uploaded': FileCreatedCoreData | FileUpdatedCoreData;
  /** A file was changed or moved. */
  'file.updated': FileUpdatedCoreData;
  /** A file was deleted. */
  'file.deleted': FileDeletedCoreData;
  /** A file's content was downloaded. */
  'file.downloaded': FileDownloadedCoreData;
  /** A share link for a file was created. */
  'file.shared': FileSharedCoreData;
  /** A branch or tag was created, moved or deleted, other than by writing files through the API. */
  'repository.pushed': RepositoryPushedCoreData;
  /** A build was started. */
  'build.started': BuildStartedCoreData;
  /** A build succeeded. */
  'build.completed': BuildCompletedCoreData;
  /** A build failed. */
  'build.failed': BuildFailedCoreData;
  /** A deployment was started. */
  'deployment.started': DeploymentStartedCoreData;
  /** A deployment succeeded. */
  'deployment.completed': DeploymentCompletedCoreData;
  /** A deployment failed. */
  'deployment.failed': DeploymentFailedCoreData;
  /** A project variable was set or deleted; the event does not include its value. */
  'variable.updated': VariableUpdatedCoreData;
  /** A project proved that it owns a domain. */
  'domain.verified': DomainVerifiedCoreData;
  /** A domain could not be verified, or its proof of ownership was missing for several days. */
  'domain.failed': DomainFailedCoreData;
  /** A workspace started or woke up. */
  'workspace.started': WorkspaceStartedCoreData;
  /** A workspace went to sleep, on request or because nobody used it. */
  'workspace.slept': WorkspaceSleptCoreData;
  /** A workspace could not start, or stopped because of an error or a limit. */
  'workspace.failed': WorkspaceFailedCoreData;
  /** Another branch was checked out in a workspace, and the workspace now follows that branch. */
  'workspace.branch_changed': WorkspaceBranchChangedCoreData;
  /** A person stopped an agent in a workspace: the commands of the agent ended, and its further commands are refused. */
  'workspace.agent_stopped': WorkspaceAgentStoppedCoreData;
  /** A stopped agent can use a workspace again. */
  'workspace.agent_resumed': WorkspaceAgentResumedCoreData;
  /** A program in a workspace began to listen on a port, for the first time since the workspace started. */
  'workspace.port_opened': WorkspacePortOpenedCoreData;
  /** A merge request was opened or reopened. */
  'merge_request.opened': MergeRequestOpenedCoreData;
  /** A merge request has a new version, or its title, description, target or people changed. */
  'merge_request.updated': MergeRequestUpdatedCoreData;
  /** A merge request was merged. */
  'merge_request.merged': MergeRequestMergedCoreData;
  /** A merge request was closed without being merged. */
  'merge_request.closed': MergeRequestClosedCoreData;
  /** A merge request was put into the queue of its target. */
  'merge_request.queued': MergeRequestQueuedCoreData;
  /** A merge request left the queue without being merged. */
  'merge_request.dequeued': MergeRequestDequeuedCoreData;
  /** Somebody reviewed a merge request. */
  'review.submitted': ReviewSubmittedCoreData;
  /** Somebody commented on a merge request, changed or deleted a comment, or resolved or reopened a thread. */
  'review.commented': ReviewCommentedCoreData;
  /** A check of a commit was completed. */
  'check.completed': CheckCompletedCoreData;
  /** Somebody commented on a file. */
  'comment.created': CommentCreatedCoreData;
  /** A comment was changed, resolved or reopened, or its suggestion was applied. */
  'comment.updated': CommentUpdatedCoreData;
  /** A comment was deleted with its replies. */
  'comment.deleted': CommentDeletedCoreData;
  /** An account was created. */
  'user.registered': UserRegisteredCoreData;
  /** An account was created. */
  'user.created': UserRegisteredCoreData;
  /** A profile or preferences were changed. */
  'user.updated': UserUpdatedCoreData;
  /** An account was deleted. */
  'user.deleted': UserDeletedCoreData;
  /** Someone signed in. */
  'user.login': UserLoginCoreData;
  /** Someone signed out. */
  'user.logout': UserLogoutCoreData;
  /** Sign-ins failed repeatedly, a credential leaked, or somebody tried to guess a credential. */
  'security.alert': SecurityAlertCoreData;
  /** A user received a notification. */
  'notification.created': NotificationCreatedCoreData;
}
/** An event in the format core. */
export type CoreEvent = {
  [Name in keyof CoreEventData]: {
    /** Event id. */
    id: string;
    event: Name;
    /** ISO 8601 timestamp in UTC. */
    timestamp: string;
    data: CoreEventData[Name];
    delivery_attempt: number;
  };
}[keyof CoreEventData];

/** `data` of the format guide, by the name of the event. */
export interface GuideEventData {
  /** A project was created. */
  'project.created': ProjectCreatedGuideData;
  /** A project was changed, archived, unarchived or restored. */
  'project.updated': ProjectUpdatedGuideData;
  /** A project was deleted. */
  'project.deleted': ProjectDeletedGuideData;
  /** Someone was invited to a project. */
  'collaboration.invited': CollaborationInvitedGuideData;
  /** Someone was invited to a project. */
  'collaborator.invited': CollaborationInvitedGuideData;
  /** Someone was invited to a project. */
  'project.shared': CollaborationInvitedGuideData;
  /** An invitation to a project was accepted. */
  'collaboration.joined': CollaborationJoinedGuideData;
  /** An invitation to a project was accepted. */
  'collaborator.joined': CollaborationJoinedGuideData;
  /** A collaborator left a project or was removed. */
  'collaboration.left': CollaborationLeftGuideData;
  /** A collaborator left a project or was removed. */
  'collaborator.removed': CollaborationLeftGuideData;
  /** A file was created through the API, a push or a live session. */
  'file.created': FileCreatedGuideData;
  /** A file was created through the API, a push or a live session. A file was changed or moved. */
  'file.uploaded': FileCreatedGuideData | FileUpdatedGuideData;
  /** A file was changed or moved. */
  'file.updated': FileUpdatedGuideData;
  /** A file was deleted. */
  'file.deleted': FileDeletedGuideData;
  /** A file's content was downloaded. */
  'file.downloaded': FileDownloadedGuideData;
  /** A share link for a file was created. */
  'file.shared': FileSharedGuideData;
  /** A branch or tag was created, moved or deleted, other than by writing files through the API. */
  'repository.pushed': RepositoryPushedGuideData;
  /** A build was started. */
  'build.started': BuildStartedGuideData;
  /** A build succeeded. */
  'build.completed': BuildCompletedGuideData;
  /** A build failed. */
  'build.failed': BuildFailedGuideData;
  /** A deployment was started. */
  'deployment.started': DeploymentStartedGuideData;
  /** A deployment succeeded. */
  'deployment.completed': DeploymentCompletedGuideData;
  /** A deployment failed. */
  'deployment.failed': DeploymentFailedGuideData;
  /** A project variable was set or deleted; the event does not include its value. */
  'variable.updated': VariableUpdatedGuideData;
  /** A project proved that it owns a domain. */
  'domain.verified': DomainVerifiedGuideData;
  /** A domain could not be verified, or its proof of ownership was missing for several days. */
  'domain.failed': DomainFailedGuideData;
  /** A workspace started or woke up. */
  'workspace.started': WorkspaceStartedGuideData;
  /** A workspace went to sleep, on request or because nobody used it. */
  'workspace.slept': WorkspaceSleptGuideData;
  /** A workspace could not start, or stopped because of an error or a limit. */
  'workspace.failed': WorkspaceFailedGuideData;
  /** Another branch was checked out in a workspace, and the workspace now follows that branch. */
  'workspace.branch_changed': WorkspaceBranchChangedGuideData;
  /** A person stopped an agent in a workspace: the commands of the agent ended, and its further commands are refused. */
  'workspace.agent_stopped': WorkspaceAgentStoppedGuideData;
  /** A stopped agent can use a workspace again. */
  'workspace.agent_resumed': WorkspaceAgentResumedGuideData;
  /** A program in a workspace began to listen on a port, for the first time since the workspace started. */
  'workspace.port_opened': WorkspacePortOpenedGuideData;
  /** A merge request was opened or reopened. */
  'merge_request.opened': MergeRequestOpenedGuideData;
  /** A merge request has a new version, or its title, description, target or people changed. */
  'merge_request.updated': MergeRequestUpdatedGuideData;
  /** A merge request was merged. */
  'merge_request.merged': MergeRequestMergedGuideData;
  /** A merge request was closed without being merged. */
  'merge_request.closed': MergeRequestClosedGuideData;
  /** A merge request was put into the queue of its target. */
  'merge_request.queued': MergeRequestQueuedGuideData;
  /** A merge request left the queue without being merged. */
  'merge_request.dequeued': MergeRequestDequeuedGuideData;
  /** Somebody reviewed a merge request. */
  'review.submitted': ReviewSubmittedGuideData;
  /** Somebody commented on a merge request, changed or deleted a comment, or resolved or reopened a thread. */
  'review.commented': ReviewCommentedGuideData;
  /** A check of a commit was completed. */
  'check.completed': CheckCompletedGuideData;
  /** Somebody commented on a file. */
  'comment.created': CommentCreatedGuideData;
  /** A comment was changed, resolved or reopened, or its suggestion was applied. */
  'comment.updated': CommentUpdatedGuideData;
  /** A comment was deleted with its replies. */
  'comment.deleted': CommentDeletedGuideData;
  /** An account was created. */
  'user.registered': UserRegisteredGuideData;
  /** An account was created. */
  'user.created': UserRegisteredGuideData;
  /** A profile or preferences were changed. */
  'user.updated': UserUpdatedGuideData;
  /** An account was deleted. */
  'user.deleted': UserDeletedGuideData;
  /** Someone signed in. */
  'user.login': UserLoginGuideData;
  /** Someone signed out. */
  'user.logout': UserLogoutGuideData;
  /** Sign-ins failed repeatedly, a credential leaked, or somebody tried to guess a credential. */
  'security.alert': SecurityAlertGuideData;
  /** A user received a notification. */
  'notification.created': NotificationCreatedGuideData;
}
/** An event in the format guide. */
export type GuideEvent = {
  [Name in keyof GuideEventData]: {
    /** Event id. */
    id: string;
    type: Name;
    /** Unix time in seconds. */
    created: number;
    data: GuideEventData[Name];
    request: {
      /** Id of the request that caused the event. For a live edit, this is the request that opened the socket. For a command, it is the id of the run. */
      id: string;
      idempotency_key: string | null;
    };
  };
}[keyof GuideEventData];
