import { type Static, type TSchema, Type } from 'typebox';
import {
  defaulted,
  lineOfText,
  linesOfText,
  NullableTimestamp,
  named,
  PageInfo,
  strict,
  Timestamp,
} from './primitives.ts';
import { acceptingReadOnly } from './read-only.ts';
import { codeOfField } from './reasons/coded-reason.ts';
import { importReasons } from './reasons/reasons.ts';
import { TemplateValues } from './templates.ts';

export const projectStatuses = ['active', 'archived'] as const;
export const ProjectStatus = Type.Enum(projectStatuses);
export type ProjectStatus = Static<typeof ProjectStatus>;

export const ProjectSettings = Type.Object({
  public: Type.Boolean({
    default: false,
    description:
      'Any signed-in user can see the project’s content: files, history, branches, comments, the names of its members, and the live deployment. ' +
      'Only members can see how the project is built and run: logs, variables, environments, previews, other deployments, pending domains, webhooks and events.',
  }),
  collaboration_enabled: Type.Boolean({ default: true }),
  auto_save: Type.Boolean({ default: true }),
  version_control: Type.Boolean({ default: true }),
  auto_deploy: Type.Boolean({ default: false, description: 'Deploy `main` to production when it is pushed' }),
  auto_preview: Type.Boolean({
    default: true,
    description: 'Deploy every other branch as a preview when it is pushed',
  }),
});
export type ProjectSettings = Static<typeof ProjectSettings>;

export const defaultProjectSettings: Readonly<ProjectSettings> = {
  public: false,
  collaboration_enabled: true,
  auto_save: true,
  version_control: true,
  auto_deploy: false,
  auto_preview: true,
};

/** Every signed-in user can read a public project, but may not see its members' email addresses. */
export const emailOfPerson = Type.String({ description: 'Empty unless you are a member of the project' });
export const ProjectOwner = Type.Object({
  id: Type.String(),
  name: Type.String(),
  username: Type.String({
    description: 'Name for mentions, as in `@username`; empty unless you are a member of the project',
  }),
  email: emailOfPerson,
});

export const ProjectRepository = Type.Object({
  url: Type.String(),
  branch: Type.String(),
  last_sync: NullableTimestamp,
  status: Type.Enum(['idle', 'syncing', 'failed'], { description: 'Status of the import' }),
  error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last import failed; null unless you are a member of the project',
  }),
  ...codeOfField('error', importReasons),
});
export type ProjectRepository = Static<typeof ProjectRepository>;

const projectFields = {
  id: Type.String({ examples: ['prj_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  description: Type.String(),
  status: ProjectStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
  owner: ProjectOwner,
  settings: ProjectSettings,
  repository: Type.Union([ProjectRepository, Type.Null()]),
  template_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The template that the project was created from',
  }),
  forked_from: Type.Union([Type.String(), Type.Null()], {
    description:
      'Id of the project that this project was forked from; null if this project is not a fork, or if the original was purged',
  }),
};

export const Project = named('Project', projectFields);
export type Project = Static<typeof Project>;

export const ProjectCollaborator = Type.Object({
  id: Type.String({ description: 'User id' }),
  name: Type.String(),
  email: emailOfPerson,
  role: Type.String(),
  joined_at: NullableTimestamp,
});

const live_url = Type.Union([Type.String(), Type.Null()], { description: 'Address of the live deployment' });

export const ProjectDetail = named('ProjectDetail', {
  ...projectFields,
  collaborators: Type.Array(ProjectCollaborator),
  live_url,
});
export type ProjectDetail = Static<typeof ProjectDetail>;

export const ProjectListItem = named('ProjectListItem', {
  ...projectFields,
  live_url,
  stats: Type.Object({
    files_count: Type.Integer(),
    collaborators_count: Type.Integer(),
    last_activity: Timestamp,
  }),
});
export type ProjectListItem = Static<typeof ProjectListItem>;

export const ProjectList = Type.Object({ data: Type.Array(ProjectListItem), pagination: PageInfo });

export const ProjectListQuery = Type.Object({
  page: defaulted(Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  sort: defaulted(Type.Enum(['name', 'created_at', 'updated_at'], { default: 'created_at' })),
  order: defaulted(Type.Enum(['asc', 'desc'], { default: 'desc' })),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: lineOfText,
      description: 'Part of the name or description, case-insensitive',
    }),
  ),
  status: Type.Optional(ProjectStatus),
  visibility: Type.Optional(
    Type.Enum(['public'], { description: 'List the public projects of all users instead of your own' }),
  ),
  starred: Type.Optional(
    Type.Boolean({
      description: "If true, list projects that you starred and can read, including other users' projects",
    }),
  ),
});
export type ProjectListQuery = Static<typeof ProjectListQuery>;

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: lineOfText,
  description: 'Leading and trailing white space is removed',
});
const description = Type.String({ maxLength: 10_000, pattern: linesOfText });

/**
 * Only http and https are allowed. The import runs git, whose other transports (file, ext, ssh) could reach what a user
 * must not.
 */
const repositoryInput = {
  url: Type.String({
    maxLength: 2048,
    pattern: '^https?://[^\\s/?#@\\p{Cc}\\p{Cs}]+(/[^\\s\\p{Cc}\\p{Cs}]*)?$',
    description: 'http or https URL of a git repository, without credentials',
  }),
  branch: Type.String({
    minLength: 1,
    maxLength: 255,
    format: 'branch-name',
    default: 'main',
  }),
};
const Repository = acceptingReadOnly(
  { url: repositoryInput.url, branch: Type.Optional(repositoryInput.branch) },
  ProjectRepository,
);

/**
 * Has no defaults, because the validator would insert them. A missing value comes from the template, if there is one.
 */
const settingsInput = strict({
  public: Type.Optional(Type.Boolean()),
  collaboration_enabled: Type.Optional(Type.Boolean()),
  auto_save: Type.Optional(Type.Boolean()),
  version_control: Type.Optional(Type.Boolean()),
  auto_deploy: Type.Optional(Type.Boolean()),
  auto_preview: Type.Optional(Type.Boolean()),
});

export const CreateProject = strict({
  name,
  description: Type.Optional(description),
  template: Type.Optional(Type.String({ maxLength: 255, pattern: lineOfText })),
  template_variables: Type.Optional(TemplateValues),
  settings: Type.Optional(settingsInput),
  repository: Type.Optional(Type.Union([Repository, Type.Null()])),
});
export type CreateProject = Static<typeof CreateProject>;

export const ForkProject = strict({
  name: Type.Optional({ ...name, description: 'Default: the name of the project' }),
  description: Type.Optional({ ...description, description: 'Default: the description of the project' }),
});
export type ForkProject = Static<typeof ForkProject>;

/** PUT: absent fields return to their defaults. Status and repository have no defaults and do not change. */
export const ReplaceProject = acceptingReadOnly(
  {
    name,
    description: Type.Optional(description),
    status: Type.Optional(ProjectStatus),
    settings: Type.Optional(settingsInput),
    repository: Type.Optional(Type.Union([Repository, Type.Null()])),
  },
  ProjectAnswer(),
);
export type ReplaceProject = Static<typeof ReplaceProject>;

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/** PATCH: RFC 7396, so null returns a value to its default. */
export const PatchProject = acceptingReadOnly(
  {
    name: Type.Optional(name),
    description: orNull(description),
    status: Type.Optional(ProjectStatus),
    settings: orNull(
      strict({
        public: orNull(Type.Boolean()),
        collaboration_enabled: orNull(Type.Boolean()),
        auto_save: orNull(Type.Boolean()),
        version_control: orNull(Type.Boolean()),
        auto_deploy: orNull(Type.Boolean()),
        auto_preview: orNull(Type.Boolean()),
      }),
    ),
    repository: orNull(
      acceptingReadOnly(
        { url: Type.Optional(repositoryInput.url), branch: orNull(repositoryInput.branch) },
        ProjectRepository,
      ),
    ),
  },
  ProjectAnswer(),
);
export type PatchProject = Static<typeof PatchProject>;

export const DeletedProject = Type.Object({ message: Type.String(), deleted_at: Timestamp });

export const TrashedProject = named('TrashedProject', {
  ...projectFields,
  deleted_at: Timestamp,
  purge_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the project is permanently deleted. You can restore it until then.',
  }),
  stored_bytes: Type.Integer({ description: 'Number of bytes that still count towards your plan’s storage limit' }),
});
export type TrashedProject = Static<typeof TrashedProject>;

export const Trash = Type.Object({ data: Type.Array(TrashedProject), pagination: PageInfo });

export const TrashQuery = Type.Object({
  page: defaulted(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
export type TrashQuery = Static<typeof TrashQuery>;

export const maxStars = 500;

export const Stars = named('Stars', {
  project_ids: Type.Array(Type.String(), {
    description: `Ids of projects that you can read, most recently starred first; at most ${maxStars}`,
  }),
});
export type Stars = Static<typeof Stars>;

export const adminProjectStatuses = [...projectStatuses, 'deleted'] as const;

/** What an administrator sees of a project: its owner and its costs, but no content. */
export const AdminProject = named('AdminProject', {
  id: Type.String({ examples: ['prj_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  owner: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
  status: Type.Enum(adminProjectStatuses),
  public: Type.Boolean(),
  files_count: Type.Integer(),
  stored_bytes: Type.Integer(),
  created_at: Timestamp,
  last_activity: Timestamp,
  deleted_at: NullableTimestamp,
  purge_at: NullableTimestamp,
});
export type AdminProject = Static<typeof AdminProject>;

export const AdminProjectList = Type.Object({ data: Type.Array(AdminProject), pagination: PageInfo });

export const AdminProjectQuery = Type.Object({
  page: defaulted(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  sort: defaulted(Type.Enum(['created_at', 'stored_bytes'], { default: 'created_at' })),
  search: Type.Optional(
    Type.String({ maxLength: 200, pattern: lineOfText, description: 'Part of the name or the owner’s e-mail address' }),
  ),
  status: Type.Optional(Type.Enum(adminProjectStatuses)),
  owner_id: Type.Optional(Type.String({ maxLength: 100, pattern: lineOfText })),
});
export type AdminProjectQuery = Static<typeof AdminProjectQuery>;

export const PurgeProject = strict({
  name: Type.String({ maxLength: 100, pattern: lineOfText, description: 'The project’s name as confirmation' }),
});

/** Every field of any response, so that a client can send back any response. */
function ProjectAnswer() {
  return Type.Object({ ...ProjectDetail.properties, ...ProjectListItem.properties });
}
