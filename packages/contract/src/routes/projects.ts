import { Type } from 'typebox';
import {
  CreateProject,
  DeletedProject,
  ForkProject,
  PatchProject,
  Project,
  ProjectDetail,
  ProjectList,
  ProjectListQuery,
  PurgeProject,
  ReplaceProject,
  Stars,
  Trash,
  TrashQuery,
} from '../projects.ts';
import { defineRoutes, noContent } from './route.ts';

export const projectRoutes = defineRoutes('Projects', {
  listProjects: {
    address: 'GET /projects',
    access: 'read:projects',
    summary: 'List the projects that you own or collaborate on',
    query: ProjectListQuery,
    responses: { 200: ProjectList },
  },
  readProject: {
    address: 'GET /projects/{project_id}',
    access: 'read:projects',
    summary: 'Read a project',
    responses: { 200: ProjectDetail },
  },
  createProject: {
    address: 'POST /projects',
    access: 'write:projects',
    summary: 'Create a project',
    body: CreateProject,
    responses: { 201: Project },
  },
  forkProject: {
    address: 'POST /projects/{project_id}/fork',
    access: 'write:projects',
    summary: 'Fork a project: copy its branches and tags, with their history, into a private project of your own',
    description:
      'Everyone who can read the project can call this route. To offer the changes of the fork to the project, create a merge request with `source_project`.',
    body: ForkProject,
    responses: { 201: Project },
  },
  replaceProject: {
    address: 'PUT /projects/{project_id}',
    access: 'write:projects',
    summary: 'Replace a project; omitted fields are reset to their defaults',
    body: ReplaceProject,
    responses: { 200: Project },
  },
  changeProject: {
    address: 'PATCH /projects/{project_id}',
    access: 'write:projects',
    summary: 'Change parts of a project (RFC 7396)',
    body: PatchProject,
    responses: { 200: Project },
  },
  deleteProject: {
    address: 'DELETE /projects/{project_id}',
    access: 'write:projects',
    summary: 'Delete a project',
    responses: { 200: DeletedProject },
  },
  restoreProject: {
    address: 'POST /projects/{project_id}/restore',
    access: 'write:projects',
    summary: 'Restore a deleted project',
    responses: { 200: Project },
  },
  listTrash: {
    address: 'GET /user/trash',
    access: 'read:projects',
    summary: 'List your deleted projects and their purge times, most recently deleted first',
    query: TrashQuery,
    responses: { 200: Trash },
  },
  purgeProject: {
    address: 'POST /projects/{project_id}/purge',
    access: 'write:projects',
    notForApps: true,
    summary: 'Purge a deleted project before its scheduled time',
    body: PurgeProject,
    responses: { 202: Type.Object({ message: Type.String() }) },
  },
  starProject: {
    address: 'PUT /projects/{project_id}/star',
    access: 'write:user',
    summary: 'Star a project; only you can see the star',
    responses: { 204: noContent },
  },
  unstarProject: {
    address: 'DELETE /projects/{project_id}/star',
    access: 'write:user',
    summary: 'Remove your star from a project',
    responses: { 204: noContent },
  },
  listStars: {
    address: 'GET /user/stars',
    access: 'read:projects',
    summary: 'List the ids of the projects that you starred',
    responses: { 200: Stars },
  },
  syncRepository: {
    address: 'POST /projects/{project_id}/repository/sync',
    access: 'write:projects',
    summary: "Import from the project's repository again, in the background",
    responses: { 202: Type.Object({ status: Type.Literal('syncing') }) },
  },
});
