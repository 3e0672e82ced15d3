export type { MailContent } from './mail-content.ts';
export { createMailer, type Mailer } from './mailer.ts';
