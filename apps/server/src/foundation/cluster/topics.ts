/**
 * What processes cache of rows.
 *
 * `credentials`: the caller that a credential stands for, with plan and suspension. Keyed by user.
 * `apps`: what an app's address shows: live, preview, domain. Keyed by project.
 * `webhooks`: webhooks as deliveries need them. A trigger of their table notifies other machines.
 */
export const topics = ['credentials', 'apps', 'webhooks'] as const;
export type Topic = (typeof topics)[number];
