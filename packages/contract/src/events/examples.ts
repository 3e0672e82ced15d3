import type { EventData } from './data.ts';

const person = { name: 'Ada Lovelace', email: 'ada@example.com', username: 'ada' };
const other = { name: 'Grace Hopper', email: 'grace@example.com', username: 'grace' };
const inProject = { project_id: 'prj_01jd2m6vz8e3r9x5k7q4w1t0ab', project_name: 'Analytical engine' };
const api = `https://bottega.example.com/v1/projects/${inProject.project_id}`;
const sha = '9a0364b9e99bb480dd25e1f0284c8555f9e5c2d1';

const project = {
  ...inProject,
  description: 'Weaves algebraic patterns',
  status: 'active',
  template_id: null,
  settings: { public: false, collaboration_enabled: true, auto_save: true, version_control: true, auto_deploy: false },
  owner: { id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab', ...person },
  created_at: '2026-01-02T03:04:05.678Z',
  updated_at: '2026-01-03T03:04:05.678Z',
} as const;

const fileVersion = {
  file_id: 'fil_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...inProject,
  file_path: '/src/main.ts',
  file_name: 'main.ts',
  file_type: 'text/typescript',
  size: 1204,
};
const fileChange = {
  ...fileVersion,
  updated_by: person,
  changes: { lines_added: 12, lines_removed: 0, lines_modified: 3 },
  commit_sha: sha,
  branch: 'main',
  diff_url: `${api}/commits/${sha}`,
};

const commit = { commit_sha: sha, commit_message: 'Turn the second wheel', branch: 'main', author: person };
const build = { build_id: 'bld_01jd2m6vz8e3r9x5k7q4w1t0ab', ...inProject, ...commit };
const deployment = {
  deployment_id: 'dep_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...build,
  deployed_by: person,
  environment: 'production',
} as const;
const url = 'https://dep-01jd2m6vz8e3r9x5k7q4w1t0ab.apps.example.com';
const problem = {
  type: 'build_failed',
  message: "Cannot find name 'wheel'.",
  details: { file: 'src/main.ts', line: 7, column: 3, code: 'TS2304' },
};
const logs_url = `${api}/deployments/${deployment.deployment_id}/logs`;
const started_at = '2026-01-03T03:05:00.000Z';
const ended = '2026-01-03T03:05:42.000Z';

const membership = {
  invitation_id: 'col_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...inProject,
  collaborator: { id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ac', ...other },
  role: 'editor',
  permissions: ['read', 'write', 'comment'],
};
const account = {
  user_id: 'usr_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...person,
  role: 'user',
  created_at: '2026-01-02T03:04:05.678Z',
} as const;

/** One of each, complete: documentation, and what a test of that name sends. */
export const eventExamples: EventData = {
  'project.created': project,
  'project.updated': { ...project, changes: { name: { from: 'Difference engine', to: 'Analytical engine' } } },
  'project.deleted': { ...project, deleted_at: '2026-01-04T03:04:05.678Z' },
  'collaboration.invited': {
    invitation_id: membership.invitation_id,
    ...inProject,
    inviter: person,
    invitee: { email: other.email, name: other.name },
    role: 'editor',
    permissions: ['read', 'write', 'comment'],
    message: 'Come and see',
    expires_at: '2026-01-10T03:04:05.678Z',
    invitation_url: 'https://bottega.example.com/invitations/col_01jd2m6vz8e3r9x5k7q4w1t0ab',
  },
  'collaboration.joined': { ...membership, joined_at: '2026-01-04T03:04:05.678Z' },
  'collaboration.left': {
    ...membership,
    reason: 'removed',
    removed_by: person,
    left_at: '2026-01-05T03:04:05.678Z',
  },
  'file.created': { ...fileChange, changes: { lines_added: 40, lines_removed: 0, lines_modified: 0 } },
  'file.updated': fileChange,
  'file.deleted': { ...fileChange, changes: { lines_added: 0, lines_removed: 52, lines_modified: 0 } },
  'file.downloaded': { ...fileVersion, downloaded_by: other },
  'file.shared': {
    file_id: fileVersion.file_id,
    ...inProject,
    file_path: fileVersion.file_path,
    file_name: fileVersion.file_name,
    shared_by: person,
    expires_at: '2026-01-03T04:04:05.000Z',
  },
  'build.started': {
    ...build,
    trigger: 'manual',
    started_at,
    environment: 'production',
    build_config: { node_version: '24', build_command: 'npm run build', output_directory: 'dist' },
  },
  'build.completed': {
    ...build,
    status: 'success',
    started_at,
    completed_at: ended,
    duration: 42,
    environment: 'production',
    artifacts: [{ name: 'dist.tar.gz', size: 48_120, url: `${api}/builds/${build.build_id}/artifacts/dist.tar.gz` }],
    logs_url,
    deploy_preview_url: url,
  },
  'build.failed': {
    ...build,
    status: 'failed',
    started_at,
    failed_at: ended,
    duration: 42,
    environment: 'production',
    error: problem,
    logs_url,
  },
  'deployment.started': { ...deployment, trigger: 'manual', started_at },
  'deployment.completed': {
    ...deployment,
    status: 'success',
    started_at,
    completed_at: ended,
    duration: 42,
    url,
    deployment_config: { strategy: 'rolling', instances: 1, health_check_url: `${url}/` },
  },
  'deployment.failed': {
    ...deployment,
    status: 'failed',
    started_at,
    failed_at: ended,
    duration: 42,
    error: problem,
    logs_url,
  },
  'user.registered': { ...account, metadata: { source: 'sign-up' } },
  'user.updated': { ...account, changes: { name: { from: 'Ada Byron', to: 'Ada Lovelace' } } },
  'user.deleted': { ...account, deleted_at: '2026-02-02T03:04:05.678Z' },
  'user.login': {
    ...account,
    session_id: 'sgn_01jd2m6vz8e3r9x5k7q4w1t0ab',
    ip_address: '198.51.100.7',
    user_agent: 'Mozilla/5.0',
    second_factor: true,
    signed_in_at: '2026-01-03T03:04:05.678Z',
  },
  'user.logout': {
    ...account,
    session_id: 'sgn_01jd2m6vz8e3r9x5k7q4w1t0ab',
    signed_out_at: '2026-01-03T09:04:05.678Z',
  },
  'security.alert': {
    alert_id: 'alt_01jd2m6vz8e3r9x5k7q4w1t0ab',
    alert_type: 'failed_sign_ins',
    severity: 'high',
    title: 'Repeated failed sign-ins',
    description: 'Someone tried to sign in to this account with wrong passwords.',
    user: { user_id: account.user_id, username: person.username, email: person.email },
    details: {
      ip_address: '198.51.100.7',
      location: null,
      user_agent: 'curl/8.5.0',
      failed_attempts: 10,
      time_window: '15 minutes',
    },
    actions_taken: ['Further attempts are delayed'],
    recommended_actions: ['Change the password', 'Turn on the second factor'],
  },
};
