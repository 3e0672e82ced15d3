/**
 * The kinds of rows that processes cache.
 *
 * `credentials`: the caller that a credential belongs to, with plan and suspension. Keyed by user.
 * `apps`: what the address of an app shows: live deployment, preview or domain. Keyed by project.
 * `webhooks`: webhooks in the form that deliveries need. A trigger of their table notifies other machines.
 */
export const topics = ['credentials', 'apps', 'webhooks'] as const;
export type Topic = (typeof topics)[number];
