import type { MailContent } from '../../foundation/mail/index.ts';

const ignoreIt = 'If it was not you, you need not do anything.';

export const verifyEmail = (name: string, url: string): MailContent => ({
  subject: 'Confirm your e-mail address',
  greeting: `Hello ${name},`,
  paragraphs: ['an account was made with this address. Confirm that it is yours, and you can sign in.'],
  action: { label: 'Confirm the address', url },
  closing: ['The link works once, for two days.', ignoreIt],
});

export const alreadyRegistered = (name: string, publicUrl: string): MailContent => ({
  subject: 'You have an account already',
  greeting: `Hello ${name},`,
  paragraphs: [
    'somebody wanted to make an account with this address, but there is one. Nothing was changed. If you have forgotten the password, you can set a new one.',
  ],
  action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
  closing: [ignoreIt],
});

export const resetPassword = (name: string, url: string): MailContent => ({
  subject: 'Set a new password',
  greeting: `Hello ${name},`,
  paragraphs: ['somebody asked to set a new password for your account.'],
  action: { label: 'Set a new password', url },
  closing: ['The link works once, for one hour.', `${ignoreIt} Your password stays as it is.`],
});

export const accountMade = (name: string, url: string): MailContent => ({
  subject: 'An account was created for you',
  greeting: `Hello ${name},`,
  paragraphs: ['an administrator created an account for you. Set a password, and you can sign in.'],
  action: { label: 'Set a password', url },
  closing: ['The link works once, for four hours. Afterwards ask for another one at the sign-in.'],
});

/** After the fact, so that nobody's account changes hands without a word. */
export const accountChanged = (name: string, what: string, publicUrl: string): MailContent => ({
  subject: what,
  greeting: `Hello ${name},`,
  paragraphs: [`${what}. If it was not you, set a new password at once and look through the sessions of your account.`],
  action: { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
});

type AfterChange = { publicUrl: string; credentials: boolean };

/** A new password alone does not put out whoever got in by the former one and made a key. */
export function passwordChanged(name: string, what: string, { publicUrl, credentials }: AfterChange): MailContent {
  const mail = accountChanged(name, what, publicUrl);
  const rest = credentials
    ? 'All sessions have ended, and all API keys, services and apps have lost their access.'
    : `All sessions have ended. API keys, services and apps that you let in go on working: look through them at ${publicUrl}/settings if somebody else may have had the former password.`;
  return { ...mail, paragraphs: [...mail.paragraphs, rest] };
}
