import { Type } from 'typebox';
import { defineRoutes } from './route.ts';

const gitService = Type.Object({ service: Type.Optional(Type.String()) });

/** Routes outside /v1 and /api/v1: for people without a credential, and for git's client. */
export const unversionedRoutes = defineRoutes('Unversioned', {
  readAvatar: { address: 'GET /avatars/{file}', access: 'public', hidden: true, responses: {} },
  readSharedFile: {
    address: 'GET /shared/{token}',
    access: 'public',
    hidden: true,
    query: Type.Object({ download: Type.Boolean({ default: false }) }),
    responses: {},
  },
  openTemplatePreview: {
    address: 'GET /templates/{template_id}/preview',
    access: 'anyone',
    hidden: true,
    responses: {},
  },
  readTemplatePreview: {
    address: 'GET /templates/{template_id}/preview/*',
    access: 'anyone',
    hidden: true,
    responses: {},
  },
  readGitRefs: {
    address: 'GET /git/{repository}/info/refs',
    access: 'read:files',
    hidden: true,
    query: gitService,
    responses: {},
  },
  fetchFromGit: {
    address: 'POST /git/{repository}/git-upload-pack',
    access: 'read:files',
    hidden: true,
    responses: {},
  },
  pushToGit: {
    address: 'POST /git/{repository}/git-receive-pack',
    access: 'write:files',
    hidden: true,
    responses: {},
  },
  readTemplateGitRefs: {
    address: 'GET /git/templates/{repository}/info/refs',
    access: 'anyone',
    hidden: true,
    query: gitService,
    responses: {},
  },
  fetchTemplateFromGit: {
    address: 'POST /git/templates/{repository}/git-upload-pack',
    access: 'anyone',
    hidden: true,
    responses: {},
  },
});
