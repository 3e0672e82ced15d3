import { Type } from 'typebox';
import {
  CreateProject,
  DeletedProject,
  PatchProject,
  Project,
  ProjectDetail,
  ProjectList,
  ProjectListQuery,
  ReplaceProject,
} from '../projects.ts';
import { defineRoutes } from './route.ts';

export const projectRoutes = defineRoutes('Projects', {
  listProjects: {
    method: 'GET',
    path: '/projects',
    access: 'read:projects',
    summary: 'List the projects that you own or collaborate on',
    query: ProjectListQuery,
    responses: { 200: ProjectList },
  },
  readProject: {
    method: 'GET',
    path: '/projects/{project_id}',
    access: 'read:projects',
    summary: 'Read a project',
    responses: { 200: ProjectDetail },
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    access: 'write:projects',
    summary: 'Create a project',
    body: CreateProject,
    responses: { 201: Project },
  },
  replaceProject: {
    method: 'PUT',
    path: '/projects/{project_id}',
    access: 'write:projects',
    summary: 'Replace a project; fields that are left out return to their defaults',
    body: ReplaceProject,
    responses: { 200: Project },
  },
  changeProject: {
    method: 'PATCH',
    path: '/projects/{project_id}',
    access: 'write:projects',
    summary: 'Change parts of a project (RFC 7396)',
    body: PatchProject,
    responses: { 200: Project },
  },
  deleteProject: {
    method: 'DELETE',
    path: '/projects/{project_id}',
    access: 'write:projects',
    summary: 'Delete a project',
    responses: { 200: DeletedProject },
  },
  restoreProject: {
    method: 'POST',
    path: '/projects/{project_id}/restore',
    access: 'write:projects',
    summary: 'Restore a deleted project',
    responses: { 200: Project },
  },
  syncRepository: {
    method: 'POST',
    path: '/projects/{project_id}/repository/sync',
    access: 'write:projects',
    summary: 'Fetch from the repository again, in the background',
    responses: { 202: Type.Object({ status: Type.Literal('syncing') }) },
  },
});
