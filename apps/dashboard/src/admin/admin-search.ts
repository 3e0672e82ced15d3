import type { AuditAction, Plan } from '@bottega/contract';
import { oneOf, pageIn, searchOf, textIn } from '../kit/address.ts';

export const plans = ['free', 'pro', 'enterprise'] as const satisfies Plan[];

export const userSearch = searchOf({
  q: textIn,
  plan: oneOf(...plans),
  only: oneOf('admins', 'suspended'),
  page: pageIn,
});
export type UserSearch = ReturnType<typeof userSearch>;

const actionIn = (value: unknown): AuditAction | undefined =>
  typeof value === 'string' && /^[a-z_.]+$/.test(value) ? (value as AuditAction) : undefined;

export const auditSearch = searchOf({ action: actionIn, account: textIn, page: pageIn });
export type AuditSearch = ReturnType<typeof auditSearch>;
