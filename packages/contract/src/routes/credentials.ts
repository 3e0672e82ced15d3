import { Type } from 'typebox';
import {
  ApiKeyList,
  CreateApiKey,
  CreateService,
  NewApiKey,
  NewService,
  Overlap,
  ServiceList,
} from '../credentials.ts';
import { defineRoutes, noContent } from './route.ts';

export const apiKeyRoutes = defineRoutes('API keys', {
  listApiKeys: {
    method: 'GET',
    path: '/user/api-keys',
    access: 'read:user',
    summary: 'List your API keys',
    responses: { 200: ApiKeyList },
  },
  createApiKey: {
    method: 'POST',
    path: '/user/api-keys',
    access: 'write:user',
    notForApps: true,
    summary: 'Create an API key',
    body: CreateApiKey,
    responses: { 201: NewApiKey },
  },
  rotateApiKey: {
    method: 'POST',
    path: '/user/api-keys/{key_id}/rotate',
    access: 'write:user',
    notForApps: true,
    summary: 'Replace an API key; the former one keeps working for a while',
    body: Type.Union([Overlap, Type.Null()]),
    responses: { 201: NewApiKey },
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/user/api-keys/{key_id}',
    access: 'write:user',
    notForApps: true,
    summary: 'Revoke an API key',
    responses: { 204: noContent },
  },
});

export const serviceRoutes = defineRoutes('Services', {
  listServices: {
    method: 'GET',
    path: '/user/services',
    access: 'read:user',
    summary: 'List the services that sign JWTs for you',
    responses: { 200: ServiceList },
  },
  createService: {
    method: 'POST',
    path: '/user/services',
    access: 'write:user',
    notForApps: true,
    summary: 'Register a service',
    body: CreateService,
    responses: { 201: NewService },
  },
  rotateService: {
    method: 'POST',
    path: '/user/services/{service_id}/rotate',
    access: 'write:user',
    notForApps: true,
    summary: "Replace a service's key; the former one keeps working for a while",
    body: Type.Union([Overlap, Type.Null()]),
    responses: { 201: NewService },
  },
  deleteService: {
    method: 'DELETE',
    path: '/user/services/{service_id}',
    access: 'write:user',
    notForApps: true,
    summary: 'Remove a service',
    responses: { 204: noContent },
  },
});
