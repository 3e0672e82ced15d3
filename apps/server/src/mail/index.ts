export type { MailContent } from './mail-content.ts';
export { createMailer, type Mailer, resealWaitingMails } from './mailer.ts';
