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
    summary: 'Create an account and a link to set its password',
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
    summary: 'Create a password reset link for a user; requires your own password',
    body: ConfirmWithPassword,
    responses: { 201: ResetLink },
  },
  removeSecondFactorOfAccount: {
    address: 'POST /admin/users/{user_id}/second-factor/remove',
    access: 'admin',
    summary: "Remove an account's second factor; requires your own password",
    body: ConfirmWithPassword,
    responses: { 204: noContent },
  },
  listAllProjects: {
    address: 'GET /admin/projects',
    access: 'admin',
    summary: 'List all projects of all accounts, including deleted projects',
    query: AdminProjectQuery,
    responses: { 200: AdminProjectList },
  },
  restoreProjectOfAccount: {
    address: 'POST /admin/projects/{project_id}/restore',
    access: 'admin',
    summary: "Restore a deleted project for its owner, within the limits of the owner's plan",
    responses: { 200: Project },
  },
  listPlans: {
    address: 'GET /admin/plans',
    access: 'admin',
    summary: 'List the plans with their limits and the number of accounts on each plan',
    responses: { 200: AdminPlanList },
  },
  readHealth: {
    address: 'GET /admin/health',
    access: 'admin',
    summary: "Read the service's health",
    responses: { 200: AdminHealth },
  },
  readInstallationUsage: {
    address: 'GET /admin/usage/history',
    access: 'admin',
    summary: 'List the total daily usage of all accounts, updated hourly',
    query: UsageHistoryQuery,
    responses: { 200: InstallationUsageHistory },
  },
  listAuditLog: {
    address: 'GET /admin/audit-log',
    access: 'admin',
    summary: 'List the audit log entries of all accounts, newest first',
    query: AdminAuditQuery,
    responses: { 200: AuditLog },
  },
});
