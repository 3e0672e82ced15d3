import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { NullableTimestamp, Timestamp } from '../primitives.ts';
import type { EventType } from './catalogue.ts';

/**
 * The data of every event as it is stored and as the reference format sends it. Fields are those of the spec where it
 * shows them; the others follow the same naming. What appends an event is held to these schemas by its tests.
 */
const exactly = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const text = Type.String();
const Author = exactly({ name: text, email: text, username: text });
const environment = Type.Enum(['production', 'preview', 'development']);
const seconds = Type.Number({ minimum: 0, description: 'Seconds' });
const Changes = Type.Record(Type.String(), exactly({ from: Type.Unknown(), to: Type.Unknown() }), {
  description: 'Every changed field; those of settings and preferences by their dotted name',
});
const inProject = { project_id: text, project_name: text };

const project = {
  ...inProject,
  description: text,
  status: Type.Enum(['active', 'archived']),
  template_id: Type.Optional(Type.Union([text, Type.Null()], { description: 'The template that it began from' })),
  settings: exactly({
    public: Type.Boolean(),
    collaboration_enabled: Type.Boolean(),
    auto_save: Type.Boolean(),
    version_control: Type.Boolean(),
    auto_deploy: Type.Boolean(),
  }),
  owner: exactly({ id: text, name: text, email: text, username: text }),
  created_at: Timestamp,
  updated_at: Timestamp,
};

const fileIdentity = { file_id: text, ...inProject, file_path: text, file_name: text };
const fileVersion = {
  ...fileIdentity,
  file_type: Type.String({ description: 'Its mime type' }),
  size: Type.Integer({ description: 'Bytes' }),
};
const fileChange = {
  ...fileVersion,
  updated_by: Author,
  changes: Type.Union(
    [
      exactly({ lines_added: Type.Integer(), lines_removed: Type.Integer(), lines_modified: Type.Integer() }),
      Type.Null(),
    ],
    { description: 'null where the file is too large to compare' },
  ),
  commit_sha: orNull(text),
  branch: orNull(text),
  diff_url: orNull(text),
  previous_path: Type.Optional(Type.String({ description: 'Of a file that was moved' })),
};

/** Of a commit; its author may be nobody here. All four are null where the project has no version control. */
const commit = {
  commit_sha: orNull(text),
  commit_message: orNull(text),
  branch: orNull(text),
  author: orNull(exactly({ name: text, email: orNull(text), username: orNull(text) })),
};
const build = { build_id: text, ...inProject, ...commit };
const deployment = { deployment_id: text, ...build, deployed_by: orNull(Author), environment };
const problem = exactly({
  type: text,
  message: text,
  details: exactly({
    file: orNull(text),
    line: orNull(Type.Integer()),
    column: orNull(Type.Integer()),
    code: orNull(text),
  }),
});

const membership = {
  invitation_id: text,
  ...inProject,
  collaborator: exactly({ id: orNull(text), name: orNull(text), email: text, username: orNull(text) }),
  role: text,
  permissions: Type.Array(text),
};

const account = {
  user_id: text,
  name: text,
  email: text,
  username: text,
  role: Type.Enum(['admin', 'user']),
  created_at: Timestamp,
};
export const eventData = {
  'project.created': exactly(project),
  'project.updated': exactly({ ...project, changes: Changes }),
  'project.deleted': exactly({ ...project, deleted_at: Timestamp }),
  'collaboration.invited': exactly({
    invitation_id: text,
    ...inProject,
    inviter: Author,
    invitee: exactly({ email: orNull(text), name: orNull(text) }),
    role: text,
    permissions: Type.Array(text),
    message: orNull(text),
    expires_at: NullableTimestamp,
    invitation_url: orNull(text),
  }),
  'collaboration.joined': exactly({ ...membership, joined_at: NullableTimestamp }),
  'collaboration.left': exactly({
    ...membership,
    reason: Type.Enum(['left', 'removed', 'became_owner']),
    removed_by: orNull(Author),
    left_at: Timestamp,
  }),
  'file.created': exactly(fileChange),
  'file.updated': exactly(fileChange),
  'file.deleted': exactly(fileChange),
  'file.downloaded': exactly({
    ...fileVersion,
    downloaded_by: Type.Union([Author, Type.Null()], { description: 'null by a share link' }),
  }),
  'file.shared': exactly({ ...fileIdentity, shared_by: Author, expires_at: Timestamp }),
  'build.started': exactly({
    ...build,
    trigger: text,
    started_at: Timestamp,
    environment,
    build_config: exactly({ node_version: orNull(text), build_command: orNull(text), output_directory: orNull(text) }),
  }),
  'build.completed': exactly({
    ...build,
    status: text,
    started_at: Timestamp,
    completed_at: Timestamp,
    duration: seconds,
    environment,
    artifacts: Type.Array(exactly({ name: text, size: Type.Integer(), url: text })),
    logs_url: text,
    deploy_preview_url: orNull(text),
  }),
  'build.failed': exactly({
    ...build,
    status: text,
    started_at: Timestamp,
    failed_at: Timestamp,
    duration: seconds,
    environment,
    error: problem,
    logs_url: text,
  }),
  'deployment.started': exactly({ ...deployment, trigger: text, started_at: Timestamp }),
  'deployment.completed': exactly({
    ...deployment,
    status: text,
    started_at: Timestamp,
    completed_at: Timestamp,
    duration: seconds,
    url: text,
    deployment_config: exactly({ strategy: text, instances: Type.Integer(), health_check_url: orNull(text) }),
  }),
  // Null where it was canceled before it began.
  'deployment.failed': exactly({
    ...deployment,
    status: text,
    started_at: NullableTimestamp,
    failed_at: Timestamp,
    duration: orNull(seconds),
    error: problem,
    logs_url: text,
  }),
  'user.registered': exactly({ ...account, metadata: exactly({ source: text }) }),
  'user.updated': exactly({ ...account, changes: Changes }),
  'user.deleted': exactly({ ...account, deleted_at: Timestamp }),
  'user.login': exactly({
    ...account,
    session_id: text,
    ip_address: orNull(text),
    user_agent: orNull(text),
    second_factor: Type.Boolean(),
    signed_in_at: Timestamp,
  }),
  'user.logout': exactly({ ...account, session_id: text, signed_out_at: Timestamp }),
  'security.alert': exactly({
    alert_id: text,
    alert_type: text,
    severity: Type.Enum(['low', 'medium', 'high', 'critical']),
    title: text,
    description: text,
    user: exactly({ user_id: orNull(text), username: orNull(text), email: orNull(text) }),
    details: exactly({
      ip_address: orNull(text),
      location: orNull(text),
      user_agent: orNull(text),
      failed_attempts: orNull(Type.Integer()),
      time_window: orNull(text),
    }),
    actions_taken: Type.Array(text),
    recommended_actions: Type.Array(text),
  }),
} satisfies Record<EventType, TObject>;

export type EventData = { [Type in EventType]: Static<(typeof eventData)[Type]> };

/** What a test sends where the caller gives no payload. */
export const PingData = exactly({ webhook_id: text, webhook_name: text, message: text });
