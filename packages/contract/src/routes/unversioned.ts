import { Type } from 'typebox';
import { defineRoutes } from './route.ts';

const gitService = Type.Object({ service: Type.Optional(Type.String()) });

/** Routes at addresses of their own, outside /v1 and /api/v1: for people without a credential, and for git's client. */
export const unversionedRoutes = defineRoutes('Unversioned', {
  readAvatar: { method: 'GET', path: '/avatars/{file}', access: 'public', hidden: true, responses: {} },
  readSharedFile: {
    method: 'GET',
    path: '/shared/{token}',
    access: 'public',
    hidden: true,
    query: Type.Object({ download: Type.Boolean({ default: false }) }),
    responses: {},
  },
  openTemplatePreview: {
    method: 'GET',
    path: '/templates/{template_id}/preview',
    access: 'anyone',
    hidden: true,
    responses: {},
  },
  readTemplatePreview: {
    method: 'GET',
    path: '/templates/{template_id}/preview/*',
    access: 'anyone',
    hidden: true,
    responses: {},
  },
  readGitRefs: {
    method: 'GET',
    path: '/git/{repository}/info/refs',
    access: 'read:files',
    hidden: true,
    query: gitService,
    responses: {},
  },
  fetchFromGit: {
    method: 'POST',
    path: '/git/{repository}/git-upload-pack',
    access: 'read:files',
    hidden: true,
    responses: {},
  },
  pushToGit: {
    method: 'POST',
    path: '/git/{repository}/git-receive-pack',
    access: 'write:files',
    hidden: true,
    responses: {},
  },
  readTemplateGitRefs: {
    method: 'GET',
    path: '/git/templates/{repository}/info/refs',
    access: 'anyone',
    hidden: true,
    query: gitService,
    responses: {},
  },
  fetchTemplateFromGit: {
    method: 'POST',
    path: '/git/templates/{repository}/git-upload-pack',
    access: 'anyone',
    hidden: true,
    responses: {},
  },
});
