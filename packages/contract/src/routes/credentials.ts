import { Type } from 'typebox';
import {
  ApiKeyList,
  CreateApiKey,
  CreateService,
  CreateServiceAccount,
  NewApiKey,
  NewService,
  Overlap,
  ServiceAccount,
  ServiceAccountList,
  ServiceList,
} from '../credentials.ts';
import { defineRoutes, noContent } from './route.ts';

export const apiKeyRoutes = defineRoutes('API keys', {
  listApiKeys: {
    address: 'GET /user/api-keys',
    access: 'read:user',
    summary: 'List your API keys',
    responses: { 200: ApiKeyList },
  },
  createApiKey: {
    address: 'POST /user/api-keys',
    access: 'write:user',
    notForApps: true,
    summary: 'Create an API key',
    body: CreateApiKey,
    responses: { 201: NewApiKey },
  },
  rotateApiKey: {
    address: 'POST /user/api-keys/{key_id}/rotate',
    access: 'write:user',
    notForApps: true,
    summary: 'Replace an API key; the previous key keeps working for a while',
    body: Type.Union([Overlap, Type.Null()]),
    responses: { 201: NewApiKey },
  },
  revokeApiKey: {
    address: 'DELETE /user/api-keys/{key_id}',
    access: 'write:user',
    notForApps: true,
    summary: 'Revoke an API key',
    responses: { 204: noContent },
  },
});

export const serviceRoutes = defineRoutes('Services', {
  listServices: {
    address: 'GET /user/services',
    access: 'read:user',
    summary: 'List the services that sign JWTs for you',
    responses: { 200: ServiceList },
  },
  createService: {
    address: 'POST /user/services',
    access: 'write:user',
    notForApps: true,
    summary: 'Register a service',
    body: CreateService,
    responses: { 201: NewService },
  },
  rotateService: {
    address: 'POST /user/services/{service_id}/rotate',
    access: 'write:user',
    notForApps: true,
    summary: "Replace a service's key; the previous key keeps working for a while",
    body: Type.Union([Overlap, Type.Null()]),
    responses: { 201: NewService },
  },
  deleteService: {
    address: 'DELETE /user/services/{service_id}',
    access: 'write:user',
    notForApps: true,
    summary: 'Delete a service',
    responses: { 204: noContent },
  },
});

export const serviceAccountRoutes = defineRoutes('Services', {
  listServiceAccounts: {
    address: 'GET /user/service-accounts',
    access: 'read:user',
    summary: 'List your service accounts',
    responses: { 200: ServiceAccountList },
  },
  createServiceAccount: {
    address: 'POST /user/service-accounts',
    access: 'write:user',
    notForApps: true,
    summary: 'Create a service account for the JWTs of your services',
    body: CreateServiceAccount,
    responses: { 201: ServiceAccount },
  },
  deleteServiceAccount: {
    address: 'DELETE /user/service-accounts/{account_id}',
    access: 'write:user',
    notForApps: true,
    summary: 'Delete a service account; its JWTs stop working immediately',
    responses: { 204: noContent },
  },
});
