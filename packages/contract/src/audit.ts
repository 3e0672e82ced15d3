import { type Static, Type } from 'typebox';
import { defaulted, lineOfText, named, PageInfo, Timestamp } from './primitives.ts';

/** Every action in the audit log, with its meaning. */
export const auditActions = {
  'user.registered': 'An account was created',
  'user.login': 'Somebody signed in',
  'user.login_failed': 'An attempt to sign in failed',
  'user.logout': 'Somebody signed out',
  'user.email_verified': 'An e-mail address was confirmed',
  'user.password_changed': 'The password was changed',
  'user.password_reset_requested': 'A link to set a new password was requested',
  'user.password_reset': 'A new password was set with a link',
  'user.reset_link_created': 'An administrator created a link to set a new password',
  'user.session_revoked': 'A session was ended from another session',
  'user.second_factor_enabled': 'A second factor was set up',
  'user.second_factor_disabled': 'The second factor was removed',
  'user.second_factor_removed': 'An administrator removed the second factor',
  'user.recovery_codes_created': 'New recovery codes were created',
  'user.recovery_code_used': 'A recovery code was used',
  'user.deleted': 'An account was deleted',
  'user.changed_by_admin': 'An administrator changed an account',
  'user.suspended': 'An administrator suspended an account',
  'user.reinstated': 'An administrator reinstated an account',
  'security.alert': 'A security alert was raised for an account',
  'api_key.created': 'An API key was created',
  'api_key.rotated': 'An API key was replaced',
  'api_key.revoked': 'An API key was revoked',
  'service.created': 'A service that signs JWTs was registered',
  'service.rotated': "A service's key was replaced",
  'service.deleted': 'A service was deleted',
  'service_account.created': 'A service account was created',
  'service_account.deleted': 'A service account was deleted',
  'oauth_app.created': 'An OAuth application was registered',
  'oauth_app.updated': 'An OAuth application was changed',
  'oauth_app.rotated': "An OAuth application's secret was replaced",
  'oauth_app.deleted': 'An OAuth application was deleted',
  'oauth_grant.created': 'An application was authorized',
  'oauth_grant.revoked': "An application's authorization was revoked",
  'project.deleted': 'A project was deleted',
  'project.restored': 'A deleted project was restored',
  'project.purged': 'A deleted project was purged before its scheduled time',
  'project.transferred': 'A project was transferred to another owner',
  'project.made_public': 'A project was made public',
  'branch_rule.created': 'A branch rule was added to a project',
  'branch_rule.changed': 'A branch rule was changed',
  'branch_rule.deleted': 'A branch rule was deleted',
  'collaborator.invited': 'Somebody was invited to a project',
  'collaborator.joined': 'Somebody accepted an invitation',
  'collaborator.changed': "A collaborator's role or permissions changed",
  'collaborator.removed': 'Somebody left a project or was removed from it',
  'domain.added': 'A domain was added to a project',
  'domain.changed': "A domain's redirect was changed",
  'domain.removed': 'A domain was removed from a project',
  'session.created': 'A live session was started in a project',
  'session.ended': 'A live session was ended before it expired',
  'session.invite_rotated': "A live session's invite link was replaced",
  'session.guest_joined': 'Somebody joined a live session through its invite link',
  'session.participant_changed': "A participant's role or permissions in a live session changed",
  'session.participant_removed': 'Somebody was removed from a live session',
  'variable.set': 'A project variable was set',
  'variable.deleted': 'A project variable was deleted',
  'webhook.created': 'A webhook was created',
  'webhook.updated': 'A webhook was changed',
  'webhook.rotated': "A webhook's secret was replaced",
  'webhook.deleted': 'A webhook was deleted',
} as const;

export type AuditAction = keyof typeof auditActions;
const AuditActions = Type.Enum(Object.keys(auditActions) as AuditAction[]);

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const AuditEntry = named('AuditEntry', {
  id: Type.String({ examples: ['aud_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  action: Type.String({ description: 'Name of the action, such as `user.login`' }),
  account_id: Type.String({ description: 'The affected account' }),
  actor_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The user who performed the action; null if unknown',
  }),
  credential: Type.Union([Type.Object({ kind: Type.String(), id: Type.String() }), Type.Null()]),
  address: nullableText,
  user_agent: nullableText,
  request_id: nullableText,
  subject_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The affected object, if it is not the account itself',
  }),
  account_name: Type.Union([Type.String(), Type.Null()], { description: 'null after the account is deleted' }),
  actor_name: nullableText,
  subject_name: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the project or account; shown to administrators only',
  }),
  details: Type.Object({}, { additionalProperties: true }),
  created_at: Timestamp,
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditLog = Type.Object({ data: Type.Array(AuditEntry), pagination: PageInfo });

const filters = {
  page: defaulted(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  action: Type.Optional(AuditActions),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
};

export const AuditQuery = Type.Object(filters);
export type AuditQuery = Static<typeof AuditQuery>;

const id = Type.Optional(Type.String({ maxLength: 100, pattern: lineOfText }));
export const AdminAuditQuery = Type.Object({ ...filters, account_id: id, actor_id: id });
export type AdminAuditQuery = Static<typeof AdminAuditQuery>;
