export type { MailContent } from './mail-content.ts';
export { createMailer, describeMailServer, type Mailer, type Recipient, resealWaitingMails } from './mailer.ts';
