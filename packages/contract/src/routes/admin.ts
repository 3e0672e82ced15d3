import { ConfirmWithPassword, ResetLink } from '../accounts.ts';
import {
  AdminHealth,
  AdminPlanList,
  AdminUser,
  AdminUserList,
  AdminUserQuery,
  CreateAccount,
  CreatedAccount,
  PatchAdminUser,
} from '../admin.ts';
import { AdminAuditQuery, AuditLog } from '../audit.ts';
import { AdminProjectList, AdminProjectQuery, Project } from '../projects.ts';
import { InstallationUsageHistory, UsageHistoryQuery } from '../users.ts';
import { defineRoutes, noContent } from './route.ts';

export const adminRoutes = defineRoutes('Administration', {
  listAccounts: {
    address: 'GET /admin/users',
    access: 'admin',
    summary: 'List and search accounts, newest first',
    query: AdminUserQuery,
    responses: { 200: AdminUserList },
  },
  createAccount: {
    address: 'POST /admin/users',
    access: 'admin',
    summary: 'Create an account, with a link to set its password',
    body: CreateAccount,
    responses: { 201: CreatedAccount },
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
  createResetLink: {
    address: 'POST /admin/users/{user_id}/reset-link',
    access: 'admin',
    summary: 'Create a link to set a new password, to pass on to the user; requires your own password',
    body: ConfirmWithPassword,
    responses: { 201: ResetLink },
  },
  removeSecondFactorOfAccount: {
    address: 'POST /admin/users/{user_id}/second-factor/remove',
    access: 'admin',
    summary: 'Remove the second factor of an account; requires your own password',
    body: ConfirmWithPassword,
    responses: { 204: noContent },
  },
  listAllProjects: {
    address: 'GET /admin/projects',
    access: 'admin',
    summary: 'List the projects of all accounts, including deleted ones',
    query: AdminProjectQuery,
    responses: { 200: AdminProjectList },
  },
  restoreProjectOfAccount: {
    address: 'POST /admin/projects/{project_id}/restore',
    access: 'admin',
    summary: "Restore a deleted project for its owner, within the owner's plan",
    responses: { 200: Project },
  },
  listPlans: {
    address: 'GET /admin/plans',
    access: 'admin',
    summary: 'List the plans with their limits and numbers of accounts',
    responses: { 200: AdminPlanList },
  },
  readHealth: {
    address: 'GET /admin/health',
    access: 'admin',
    summary: 'Read the health of the service',
    responses: { 200: AdminHealth },
  },
  readInstallationUsage: {
    address: 'GET /admin/usage/history',
    access: 'admin',
    summary: 'List the daily usage of all accounts together; counted hourly',
    query: UsageHistoryQuery,
    responses: { 200: InstallationUsageHistory },
  },
  listAuditLog: {
    address: 'GET /admin/audit-log',
    access: 'admin',
    summary: 'List the audit log of all accounts, newest first',
    query: AdminAuditQuery,
    responses: { 200: AuditLog },
  },
});
