import type { AdminProject, AuditAction, Plan } from '@bottega/contract';
import { oneOf, pageIn, searchOf, textIn } from '../kit/address.ts';

export const plans = ['free', 'pro', 'enterprise'] as const satisfies Plan[];

export const userSearch = searchOf({
  q: textIn,
  plan: oneOf(...plans),
  only: oneOf('admins', 'suspended'),
  page: pageIn,
});
export type UserSearch = ReturnType<typeof userSearch>;

export const allProjectsSearch = searchOf({
  q: textIn,
  status: oneOf<AdminProject['status']>('active', 'archived', 'deleted'),
  sort: oneOf('stored_bytes'),
  owner: textIn,
  page: pageIn,
});
export type AllProjectsSearch = ReturnType<typeof allProjectsSearch>;

const actionIn = (value: unknown): AuditAction | undefined =>
  typeof value === 'string' && /^[a-z_.]+$/.test(value) ? (value as AuditAction) : undefined;

export const auditSearch = searchOf({ action: actionIn, account: textIn, page: pageIn });
export type AuditSearch = ReturnType<typeof auditSearch>;
