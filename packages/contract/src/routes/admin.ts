import { AdminHealth, AdminPlanList, AdminUser, AdminUserList, AdminUserQuery, PatchAdminUser } from '../admin.ts';
import { AdminAuditQuery, AuditLog } from '../audit.ts';
import { defineRoutes } from './route.ts';

export const adminRoutes = defineRoutes('Administration', {
  listAccounts: {
    address: 'GET /admin/users',
    access: 'admin',
    summary: 'List and search accounts, newest first',
    query: AdminUserQuery,
    responses: { 200: AdminUserList },
  },
  readAccount: {
    address: 'GET /admin/users/{user_id}',
    access: 'admin',
    summary: 'Read an account',
    responses: { 200: AdminUser },
  },
  changeAccount: {
    address: 'PATCH /admin/users/{user_id}',
    access: 'admin',
    summary: "Change an account's plan or rights, or suspend it",
    body: PatchAdminUser,
    responses: { 200: AdminUser },
  },
  listPlans: {
    address: 'GET /admin/plans',
    access: 'admin',
    summary: 'List what each plan allows, and how many accounts have it',
    responses: { 200: AdminPlanList },
  },
  readHealth: {
    address: 'GET /admin/health',
    access: 'admin',
    summary: 'Read the health of the service',
    responses: { 200: AdminHealth },
  },
  listAuditLog: {
    address: 'GET /admin/audit-log',
    access: 'admin',
    summary: 'List the audit log of all accounts, newest first',
    query: AdminAuditQuery,
    responses: { 200: AuditLog },
  },
});
