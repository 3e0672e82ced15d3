export type { MailContent } from './mail-content.ts';
export {
  createMailer,
  deleteUnsentMails,
  describeMailServer,
  type Mailer,
  type Recipient,
  resealWaitingMails,
} from './mailer.ts';
