import { Type } from 'typebox';
import { Overlap } from '../credentials.ts';
import { AuthorizedAppList, CreateOauthApp, NewOauthApp, OauthApp, OauthAppList, PatchOauthApp } from '../oauth.ts';
import { defineRoutes, noContent } from './route.ts';

export const oauthAppRoutes = defineRoutes('OAuth apps', {
  listOauthApps: {
    address: 'GET /user/oauth-apps',
    access: 'read:user',
    summary: 'List the OAuth apps that you registered',
    responses: { 200: OauthAppList },
  },
  createOauthApp: {
    address: 'POST /user/oauth-apps',
    access: 'write:user',
    notForApps: true,
    summary: 'Register an OAuth app',
    body: CreateOauthApp,
    responses: { 201: NewOauthApp },
  },
  rotateOauthAppSecret: {
    address: 'POST /user/oauth-apps/{app_id}/rotate',
    access: 'write:user',
    notForApps: true,
    summary: "Replace an app's secret; the previous secret keeps working for a while",
    body: Type.Union([Overlap, Type.Null()]),
    responses: { 201: NewOauthApp },
  },
  readOauthApp: {
    address: 'GET /user/oauth-apps/{app_id}',
    access: 'read:user',
    summary: 'Read an OAuth app',
    responses: { 200: OauthApp },
  },
  changeOauthApp: {
    address: 'PATCH /user/oauth-apps/{app_id}',
    access: 'write:user',
    notForApps: true,
    summary: "Change an OAuth app's name or redirect URIs",
    body: PatchOauthApp,
    responses: { 200: OauthApp },
  },
  deleteOauthApp: {
    address: 'DELETE /user/oauth-apps/{app_id}',
    access: 'write:user',
    notForApps: true,
    summary: 'Delete an OAuth app and revoke all its tokens',
    responses: { 204: noContent },
  },
  listAuthorizedApps: {
    address: 'GET /user/authorized-apps',
    access: 'read:user',
    summary: 'List the apps that you authorized to act for you',
    responses: { 200: AuthorizedAppList },
  },
  revokeAuthorizedApp: {
    address: 'DELETE /user/authorized-apps/{app_id}',
    access: 'write:user',
    notForApps: true,
    summary: "Revoke an app's access; its tokens stop working immediately",
    responses: { 204: noContent },
  },
});
