import type { MailContent } from '../../foundation/mail/index.ts';

const ignoreIt = 'If this was not you, you can ignore this e-mail.';

export const verifyEmail = (name: string, url: string): MailContent => ({
  subject: 'Confirm your e-mail address',
  greeting: `Hello ${name},`,
  paragraphs: ['An account was created with this address. Confirm that the address is yours to be able to sign in.'],
  action: { label: 'Confirm the address', url },
  closing: ['You can use the link once, within two days.', ignoreIt],
});

export const alreadyRegistered = (name: string, publicUrl: string): MailContent => ({
  subject: 'You already have an account',
  greeting: `Hello ${name},`,
  paragraphs: [
    'Somebody tried to create an account with this address, which already has one. Nothing was changed. If you have forgotten your password, you can set a new one.',
  ],
  action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
  closing: [ignoreIt],
});

export const resetPassword = (name: string, url: string): MailContent => ({
  subject: 'Set a new password',
  greeting: `Hello ${name},`,
  paragraphs: ['Somebody asked to set a new password for your account.'],
  action: { label: 'Set a new password', url },
  closing: ['You can use the link once, within one hour.', `${ignoreIt} Your password does not change.`],
});

export const accountMade = (name: string, url: string): MailContent => ({
  subject: 'An account was created for you',
  greeting: `Hello ${name},`,
  paragraphs: ['An administrator created an account for you. Set a password to be able to sign in.'],
  action: { label: 'Set a password', url },
  closing: ['You can use the link once, within four hours. After that, ask for a new link on the sign-in page.'],
});

/** A mail that is sent after a change, so that no account is changed without its owner's knowledge. */
export const accountChanged = (name: string, what: string, publicUrl: string): MailContent => ({
  subject: what,
  greeting: `Hello ${name},`,
  paragraphs: [`${what}. If this was not you, set a new password immediately and check the sessions of your account.`],
  action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
});

type AfterChange = { publicUrl: string; credentials: boolean };

/**
 * The mail after a change of the password. It says which credentials still work, because a new password alone does not
 * stop an intruder who has used the old one to create a key.
 */
export function passwordChanged(name: string, what: string, { publicUrl, credentials }: AfterChange): MailContent {
  const mail = accountChanged(name, what, publicUrl);
  const rest = credentials
    ? 'All sessions were ended, and all API keys, services and apps were revoked.'
    : `All sessions were ended. API keys, services and authorized apps still work: check them at ${publicUrl}/settings if somebody else may know the previous password.`;
  return { ...mail, paragraphs: [...mail.paragraphs, rest] };
}
