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
export { ErrorBody, type ErrorCode, errorCodes, type FieldError } from './errors.ts';
export { type EventType, eventCatalogue } from './events.ts';
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
export { allScopes, type Scope, scopeAllows, scopeAreas, scopesWithin } from './scopes.ts';
export { PatchUser, type Plan, plans, Usage, User } from './users.ts';
