import type { Config } from '../../foundation/config/index.ts';
import { describeMailServer } from '../../foundation/mail/index.ts';
import { type Check, missing, ok } from './check.ts';

export async function checkMail({ smtpUrl }: Config): Promise<Check> {
  if (smtpUrl === null) {
    return missing('mail', 'no e-mail is sent; users must send invitation links themselves', 'Set BOTTEGA_SMTP_URL.');
  }
  const problem = await describeMailServer(smtpUrl);
  if (problem === null) return ok('mail', `${new URL(smtpUrl).host} accepts mail`);
  return missing('mail', `${new URL(smtpUrl).host} does not accept mail: ${problem}`, 'Check BOTTEGA_SMTP_URL.');
}
