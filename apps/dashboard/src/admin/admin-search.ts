import type { AuditAction, Plan } from '@bottega/contract';
import { oneOf, pageIn, textIn } from '../kit/address.ts';

export const plans = ['free', 'pro', 'enterprise'] as const satisfies Plan[];

export type UserSearch = {
  q?: string | undefined;
  plan?: Plan | undefined;
  only?: 'admins' | 'suspended' | undefined;
  page?: number | undefined;
};

export const userSearch = ({ q, plan, only, page }: Record<string, unknown>): UserSearch => ({
  q: textIn(q),
  plan: oneOf(plans, plan),
  only: oneOf(['admins', 'suspended'], only),
  page: pageIn(page),
});

export type AuditSearch = {
  action?: AuditAction | undefined;
  account?: string | undefined;
  page?: number | undefined;
};

export const auditSearch = ({ action, account, page }: Record<string, unknown>): AuditSearch => ({
  action: typeof action === 'string' && /^[a-z_.]+$/.test(action) ? (action as AuditAction) : undefined,
  account: textIn(account),
  page: pageIn(page),
});
