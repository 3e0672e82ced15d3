import { type Static, Type } from 'typebox';
import { EmailAddress, ResetLink } from './accounts.ts';
import { defaulted, lineOfText, NullableTimestamp, named, PageInfo, strict, Timestamp } from './primitives.ts';
import { acceptingReadOnly } from './read-only.ts';
import { plans, User } from './users.ts';

export const AdminUser = named('AdminUser', {
  ...User.properties,
  updated_at: Timestamp,
  is_admin: Type.Boolean(),
  email_verified: Type.Boolean(),
  suspended: Type.Boolean(),
  suspended_at: NullableTimestamp,
  second_factor: Type.Boolean({ description: 'Whether signing in requires a code' }),
  projects_count: Type.Integer({ description: 'Number of projects that the account owns' }),
  stored_bytes: Type.Integer({
    description: 'Number of bytes in all projects of the account, including projects in the trash',
  }),
});
export type AdminUser = Static<typeof AdminUser>;

export const AdminUserList = Type.Object({ data: Type.Array(AdminUser), pagination: PageInfo });

export const AdminUserQuery = Type.Object({
  page: defaulted(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  search: Type.Optional(
    Type.String({ maxLength: 200, pattern: lineOfText, description: 'Part of the name, username or e-mail address' }),
  ),
  plan: Type.Optional(Type.Enum(plans)),
  suspended: Type.Optional(Type.Boolean()),
  is_admin: Type.Optional(Type.Boolean()),
});
export type AdminUserQuery = Static<typeof AdminUserQuery>;

export const PatchAdminUser = acceptingReadOnly(
  {
    plan: Type.Optional(Type.Enum(plans, { description: 'Same as `subscription.plan`' })),
    subscription: Type.Optional(
      strict({
        plan: Type.Optional(Type.Enum(plans)),
        status: Type.Optional(Type.Enum(['active', 'past_due', 'canceled'])),
        expires_at: Type.Optional(NullableTimestamp),
      }),
    ),
    is_admin: Type.Optional(Type.Boolean()),
    email_verified: Type.Optional(
      Type.Boolean({ description: 'An administrator can confirm the e-mail address for the user' }),
    ),
    suspended: Type.Optional(
      Type.Boolean({ description: 'A suspended account cannot sign in, and its credentials stop working' }),
    ),
  },
  AdminUser,
);
export type PatchAdminUser = Static<typeof PatchAdminUser>;

export const CreateAccount = Type.Object(
  {
    email: EmailAddress,
    name: Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }),
    plan: Type.Optional(Type.Enum(plans, { default: 'free' })),
    is_admin: Type.Optional(Type.Boolean({ default: false })),
  },
  { additionalProperties: false, examples: [{ email: 'new.colleague@example.com', name: 'Grace Hopper' }] },
);
export type CreateAccount = Static<typeof CreateAccount>;

export const CreatedAccount = named('CreatedAccount', {
  ...AdminUser.properties,
  reset_link: ResetLink,
});
export type CreatedAccount = Static<typeof CreatedAccount>;

const limit = Type.Union([Type.Integer(), Type.Null()], { description: 'null means no limit' });

export const AdminPlan = named('AdminPlan', {
  plan: Type.Enum(plans),
  accounts: Type.Integer({ description: 'Number of accounts on this plan' }),
  requests: Type.Object({
    limit: Type.Integer(),
    window: Type.Integer({ description: 'In seconds' }),
    burst: Type.Object({ limit: Type.Integer(), window: Type.Integer() }),
  }),
  projects: limit,
  stored_bytes: limit,
  files: Type.Union([Type.Integer(), Type.Null()], { description: 'Files per project; null means no limit' }),
  builds: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Concurrent builds per account; null means no limit',
  }),
  apps: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Concurrent server apps per account; null means no limit',
  }),
  domains: limit,
});
export type AdminPlan = Static<typeof AdminPlan>;

export const AdminPlanList = Type.Object({ data: Type.Array(AdminPlan) });

const JobQueue = Type.Object({
  task: Type.String(),
  ready: Type.Integer({ description: 'Number of jobs that can run now' }),
  waiting: Type.Integer({
    description:
      'Number of jobs that are waiting for their scheduled time, their next attempt, or another job of the same account',
  }),
  running: Type.Integer(),
  failed: Type.Integer({ description: 'Number of jobs whose attempts all failed' }),
  oldest_ready_seconds: Type.Union([Type.Number(), Type.Null()]),
});

export const AdminHealth = named('AdminHealth', {
  status: Type.Enum(['ok', 'degraded']),
  checked_at: Timestamp,
  node: Type.Object({
    uptime_seconds: Type.Number(),
    memory_bytes: Type.Integer(),
    node_version: Type.String(),
    draining: Type.Boolean(),
  }),
  database: Type.Object({
    latency_ms: Type.Number(),
    size_bytes: Type.Integer(),
    connections: Type.Object({ total: Type.Integer(), idle: Type.Integer(), waiting: Type.Integer() }),
  }),
  jobs: Type.Array(JobQueue),
  workers: Type.Array(Type.Object({ id: Type.String(), last_seen: Timestamp, alive: Type.Boolean() })),
  parts: Type.Object({}, { additionalProperties: true, description: 'Reports from other parts of the service' }),
});
export type AdminHealth = Static<typeof AdminHealth>;
