import type { Notification } from '@bottega/contract';
import { linkOptions } from '@tanstack/react-router';
import { type Coded, reasonIn } from '../kit/reason.tsx';
import type { reasonWords } from '../kit/reasons.words.ts';
import type { Dictionary } from '../words/dictionary.ts';
import type { notificationWords } from './notifications.words.ts';

type WordsOf<Known> = Known extends Dictionary<infer Words> ? Words : never;
type Words = WordsOf<typeof notificationWords>;
type Reasons = WordsOf<typeof reasonWords>;

/** The notification in one line, and the text quoted below it. */
export function textOf(one: Notification, words: Words, reasons: Reasons): { title: string; detail: string | null } {
  const who = one.actor?.name ?? words.somebody;
  switch (one.type) {
    case 'invitation':
      return { title: words.invitation(who, one.project?.name ?? ''), detail: null };
    case 'mention':
    case 'comment':
      return { title: words[one.type](who, `${one.data.file_path}:${one.data.line}`), detail: one.data.excerpt };
    case 'deployment_failed':
      return { title: words.deployment_failed(one.data.environment), detail: whyIn(one.data, reasons) };
    case 'session_started':
      return { title: words.session_started(who, one.data.session_name), detail: null };
    case 'webhook_disabled':
      return { title: words.webhook_disabled(one.data.webhook_name), detail: whyIn(one.data, reasons) };
    case 'domain_failed':
      return { title: words.domain_failed(one.data.domain), detail: whyIn(one.data, reasons) };
    case 'review_requested':
      return { title: words.review_requested(who, requestOf(one.data)), detail: null };
    case 'review_submitted':
      return { title: words[verdictIn(one.data.event)](who, requestOf(one.data)), detail: one.data.excerpt || null };
    case 'merge_request_comment':
    case 'merge_request_mention':
      return { title: words[one.type](who, requestOf(one.data)), detail: one.data.excerpt };
    case 'left_queue':
      return { title: words.left_queue(requestOf(one.data)), detail: whyIn(one.data, reasons) };
  }
}

const whyIn = (data: Coded<'reason'> & { reason: string }, reasons: Reasons): string =>
  reasonIn(reasons, 'reason', data) ?? data.reason;

const requestOf = ({ number, title }: { number: number; title: string }): string => `!${number} ${title}`;

const verdictIn = (event: string) =>
  event === 'APPROVE' ? 'review_approved' : event === 'REQUEST_CHANGES' ? 'review_refused' : 'review_submitted';

/** The screen where the user can act on it. */
export function placeOf(one: Notification) {
  const params = { projectId: one.project?.id ?? '' };
  switch (one.type) {
    case 'invitation':
      return linkOptions({ to: '/invitations' });
    case 'mention':
    case 'comment': {
      const search = { path: one.data.file_path, line: one.data.line, ref: one.data.branch };
      return linkOptions({ to: '/projects/$projectId/files', params, search });
    }
    case 'deployment_failed': {
      const at = { ...params, deploymentId: one.data.deployment_id };
      return linkOptions({ to: '/projects/$projectId/deployments/$deploymentId', params: at });
    }
    case 'session_started':
      return linkOptions({ to: '/projects/$projectId/files', params, search: { session: one.data.session_id } });
    case 'webhook_disabled':
      return linkOptions({ to: '/webhooks/$webhookId/settings', params: { webhookId: one.data.webhook_id } });
    case 'domain_failed':
      return linkOptions({ to: '/projects/$projectId/domains', params });
    case 'review_requested':
      return linkOptions({
        to: '/projects/$projectId/merge-requests/$number',
        params: { ...params, number: String(one.data.number) },
        search: { tab: 'changes' },
      });
    case 'left_queue':
    case 'review_submitted':
      return linkOptions({
        to: '/projects/$projectId/merge-requests/$number',
        params: { ...params, number: String(one.data.number) },
      });
    case 'merge_request_comment':
    case 'merge_request_mention': {
      const search = { thread: one.data.thread_id };
      return linkOptions({
        to: '/projects/$projectId/merge-requests/$number',
        params: { ...params, number: String(one.data.number) },
        search,
      });
    }
  }
}
