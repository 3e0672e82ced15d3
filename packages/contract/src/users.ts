import { type Static, Type } from 'typebox';
import { defaulted, lineOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { acceptingReadOnly } from './read-only.ts';

export const plans = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export const User = named('User', {
  id: Type.String({ examples: ['usr_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  username: Type.String(),
  email: Type.String(),
  avatar_url: Type.String({ format: 'uri' }),
  created_at: Timestamp,
  subscription: Type.Object({
    plan: Type.Enum(plans),
    status: Type.Enum(['active', 'past_due', 'canceled']),
    expires_at: NullableTimestamp,
  }),
  preferences: Type.Object({
    theme: Type.Enum(['light', 'dark', 'system']),
    language: Type.String({ description: 'BCP 47 language tag' }),
    notifications: Type.Object({ email: Type.Boolean(), push: Type.Boolean() }),
  }),
});
export type User = Static<typeof User>;

export const PatchUser = acceptingReadOnly(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText })),
    email: Type.Optional(
      Type.String({ maxLength: 254, description: 'Must be the current e-mail address, which cannot be changed' }),
    ),
    username: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9](?:[a-z0-9._\\-]{0,37}[a-z0-9])?$',
        description: 'Unique; 1 to 39 lowercase letters, digits, dots, dashes and underscores',
      }),
    ),
    avatar_url: Type.Optional(
      Type.Union([Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://[^/]' }), Type.Null()], {
        description: 'null means the generated picture',
      }),
    ),
    preferences: Type.Optional(
      strict({
        theme: Type.Optional(Type.Enum(['light', 'dark', 'system'])),
        language: Type.Optional(Type.String({ maxLength: 35, format: 'language-tag' })),
        notifications: Type.Optional(
          strict({ email: Type.Optional(Type.Boolean()), push: Type.Optional(Type.Boolean()) }),
        ),
      }),
    ),
  },
  User,
);
export type PatchUser = Static<typeof PatchUser>;

const Amount = Type.Object({
  used: Type.Integer(),
  limit: Type.Union([Type.Integer(), Type.Null()], { description: 'null means no limit' }),
});

export const Usage = named('Usage', {
  plan: Type.Enum(plans),
  requests: Type.Object({
    used: Type.Integer(),
    limit: Type.Integer(),
    remaining: Type.Integer(),
    window: Type.Integer({ description: 'In seconds' }),
    reset_at: Timestamp,
    burst: Type.Object({ limit: Type.Integer(), remaining: Type.Integer(), window: Type.Integer() }),
  }),
  projects: Amount,
  stored_bytes: Amount,
  workspace_seconds: Type.Object(Amount.properties, {
    description: 'Total time for which workspaces ran in this month (UTC)',
  }),
});
export type Usage = Static<typeof Usage>;

export const UsageHistoryQuery = Type.Object({
  days: defaulted(
    Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Number of days, including today' }),
  ),
});

const counted = { description: 'null means not counted yet' };
const usageOfDay = {
  date: Type.String({ format: 'date', description: 'Day in UTC', examples: ['2026-01-04'] }),
  deployments: Type.Integer({ description: 'Number of deployments that ended on this day, regardless of the result' }),
  build_seconds: Type.Integer({ description: 'Total duration of these deployments' }),
  workspace_seconds: Type.Integer({ description: 'Total time for which workspaces ran' }),
  projects: Type.Union([Type.Integer(), Type.Null()], counted),
  stored_bytes: Type.Union([Type.Integer(), Type.Null()], counted),
};

export const UsageDay = named('UsageDay', usageOfDay);
export type UsageDay = Static<typeof UsageDay>;

export const UsageHistory = Type.Object({ data: Type.Array(UsageDay) });
export type UsageHistory = Static<typeof UsageHistory>;

export const InstallationUsageDay = named('InstallationUsageDay', {
  ...usageOfDay,
  accounts: Type.Union([Type.Integer(), Type.Null()], counted),
});

export const InstallationUsageHistory = Type.Object({ data: Type.Array(InstallationUsageDay) });
export type InstallationUsageHistory = Static<typeof InstallationUsageHistory>;
