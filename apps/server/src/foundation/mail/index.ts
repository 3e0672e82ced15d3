export type { MailContent } from './mail-content.ts';
export { createMailer, type Mailer, type Recipient, resealWaitingMails } from './mailer.ts';
