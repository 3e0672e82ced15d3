import { AuditLog, AuditQuery } from '../audit.ts';
import { PatchUser, Usage, UsageHistory, UsageHistoryQuery, User } from '../users.ts';
import { defineRoutes } from './route.ts';

export const userRoutes = defineRoutes('User', {
  readUser: {
    address: 'GET /user',
    access: 'read:user',
    summary: 'Read your profile',
    responses: { 200: User },
  },
  changeUser: {
    address: 'PATCH /user',
    access: 'write:user',
    summary: 'Change your profile and preferences',
    body: PatchUser,
    responses: { 200: User },
  },
  readUsage: {
    address: 'GET /user/usage',
    access: 'read:user',
    summary: "Read your usage of requests, projects and storage, and your plan's limits",
    responses: { 200: Usage },
  },
  readUsageHistory: {
    address: 'GET /user/usage/history',
    access: 'read:user',
    summary: "List your account's daily usage: deployments, build time, projects and stored bytes",
    query: UsageHistoryQuery,
    responses: { 200: UsageHistory },
  },
  listOwnAuditLog: {
    address: 'GET /user/audit-log',
    access: 'read:user',
    summary: "List your account's audit log entries, newest first",
    query: AuditQuery,
    responses: { 200: AuditLog },
  },
});
