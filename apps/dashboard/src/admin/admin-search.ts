import type { AuditAction, Plan } from '@bottega/contract';

const page = (given: unknown): number | undefined =>
  Number.isInteger(given) && Number(given) > 1 ? Number(given) : undefined;
const text = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given.slice(0, 200) : undefined;

export type UserSearch = {
  q?: string | undefined;
  plan?: Plan | undefined;
  only?: 'admins' | 'suspended' | undefined;
  page?: number | undefined;
};

export const userSearch = ({ q, plan, only, ...rest }: Record<string, unknown>): UserSearch => ({
  q: text(q),
  plan: plan === 'free' || plan === 'pro' || plan === 'enterprise' ? plan : undefined,
  only: only === 'admins' || only === 'suspended' ? only : undefined,
  page: page(rest.page),
});

export type AuditSearch = {
  action?: AuditAction | undefined;
  account?: string | undefined;
  page?: number | undefined;
};

export const auditSearch = ({ action, account, ...rest }: Record<string, unknown>): AuditSearch => ({
  action: typeof action === 'string' && /^[a-z_.]+$/.test(action) ? (action as AuditAction) : undefined,
  account: text(account),
  page: page(rest.page),
});
