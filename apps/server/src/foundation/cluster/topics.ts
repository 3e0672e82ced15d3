/**
 * What processes remember of rows.
 *
 * `credentials`: who a credential makes the caller, with plan and suspension. About a user.
 * `apps`: what an address of an app shows: live, preview, domain. About a project.
 * `webhooks`: webhooks as deliveries need them. A trigger of their table tells other machines.
 */
export const topics = ['credentials', 'apps', 'webhooks'] as const;
export type Topic = (typeof topics)[number];
