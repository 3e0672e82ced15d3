import { type Static, type TProperties, Type } from 'typebox';
import { defaulted, NullableTimestamp, PageInfo, strict, Timestamp } from './primitives.ts';
import { codeOfField } from './reasons/coded-reason.ts';
import { deploymentReasons, domainReasons, queueReasons, webhookReasons } from './reasons/reasons.ts';
import type { Scope } from './scopes.ts';

const text = Type.String();

const Person = Type.Union([
  Type.Object({ id: text, name: text, username: text, avatar_url: Type.String({ format: 'uri' }) }),
  Type.Null(),
]);

/** A notification of one kind. `data` contains what its link and its text need. */
const notification = <const Kind extends string, Fields extends TProperties>(
  kind: Kind,
  title: string,
  fields: Fields,
) =>
  Type.Object(
    {
      id: Type.String({ examples: ['ntf_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
      type: Type.Literal(kind),
      project: Type.Union([Type.Object({ id: text, name: text }), Type.Null()]),
      actor: Person,
      data: Type.Object(fields),
      created_at: Timestamp,
      read_at: NullableTimestamp,
    },
    { title },
  );

const ofComment = {
  comment_id: text,
  file_path: text,
  branch: Type.Optional(Type.String({ description: 'Absent if it is `main`' })),
  line: Type.Integer(),
  excerpt: Type.String({ description: 'The beginning of the comment' }),
};

const ofRequest = { number: Type.Integer(), title: text };

const mentionedIn = Type.String({
  description:
    'The text that mentions you: the id of a comment or a review, or `!7` for the description of merge request 7',
});

export const Notification = Type.Union([
  notification('invitation', 'InvitationNotification', { invitation_id: text, role: text }),
  notification('mention', 'MentionNotification', { ...ofComment, mentioned_in: Type.Optional(mentionedIn) }),
  notification('comment', 'CommentNotification', ofComment),
  notification('deployment_failed', 'FailedDeploymentNotification', {
    deployment_id: text,
    environment: text,
    reason: text,
    ...codeOfField('reason', deploymentReasons),
  }),
  notification('session_started', 'SessionNotification', { session_id: text, session_name: text }),
  notification('webhook_disabled', 'WebhookNotification', {
    webhook_id: text,
    webhook_name: text,
    reason: text,
    ...codeOfField('reason', webhookReasons),
  }),
  notification('domain_failed', 'DomainNotification', {
    domain_id: text,
    domain: text,
    reason: text,
    ...codeOfField('reason', domainReasons),
  }),
  notification('review_requested', 'ReviewRequestedNotification', ofRequest),
  notification('review_submitted', 'ReviewNotification', { ...ofRequest, event: text, excerpt: text }),
  notification('merge_request_comment', 'MergeRequestCommentNotification', {
    ...ofRequest,
    thread_id: text,
    excerpt: text,
  }),
  notification('merge_request_mention', 'MergeRequestMentionNotification', {
    ...ofRequest,
    thread_id: Type.Optional(Type.String({ description: 'Absent if a description or a review mentions you' })),
    mentioned_in: mentionedIn,
    excerpt: Type.String({ description: 'The beginning of the text' }),
  }),
  notification('left_queue', 'LeftQueueNotification', {
    ...ofRequest,
    reason: text,
    ...codeOfField('reason', queueReasons),
  }),
]);
export type Notification = Static<typeof Notification>;
export type NotificationType = Notification['type'];
/** What is stored of a notification. The codes of its reason are found in the sentence. */
export type NotificationData = {
  [Type in NotificationType]: Omit<Extract<Notification, { type: Type }>['data'], 'reason_code' | 'reason_values'>;
};

/** The reasons that the notifications of a type can have. */
export const reasonsOfNotifications = {
  deployment_failed: deploymentReasons,
  webhook_disabled: webhookReasons,
  domain_failed: domainReasons,
  left_queue: queueReasons,
} as const satisfies Partial<Record<NotificationType, Readonly<Record<string, string>>>>;

/** The scope that a credential needs to see a notification. */
export const scopeToBeNotified: Record<NotificationType, Scope> = {
  invitation: 'read:projects',
  mention: 'read:collaboration',
  comment: 'read:collaboration',
  deployment_failed: 'read:deployments',
  session_started: 'read:collaboration',
  webhook_disabled: 'read:webhooks',
  domain_failed: 'read:projects',
  review_requested: 'read:files',
  review_submitted: 'read:files',
  merge_request_comment: 'read:files',
  merge_request_mention: 'read:files',
  left_queue: 'read:files',
};

const Unread = Type.Integer({ description: 'Number of unread notifications' });

export const NotificationList = Type.Object({
  data: Type.Array(Notification),
  pagination: PageInfo,
  unread: Unread,
});

export const NotificationQuery = Type.Object({
  unread: Type.Optional(Type.Boolean({ description: 'If true, return only unread notifications' })),
  page: defaulted(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
  limit: defaulted(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
export type NotificationQuery = Static<typeof NotificationQuery>;

export const ReadNotifications = strict({
  ids: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 })),
  all: Type.Optional(Type.Literal(true, { description: 'Mark all notifications as read; use it instead of `ids`' })),
});
export type ReadNotifications = Static<typeof ReadNotifications>;

export const NotificationsRead = Type.Object({ unread: Unread });
