import { type Static, Type } from 'typebox';
import { lineOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { User } from './users.ts';

export const EmailAddress = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\p{Cc}\\p{Cs}]+@[^\\s@\\p{Cc}\\p{Cs}]+$',
  examples: ['grace@example.com'],
});

/** Accepts every password that was ever allowed, so that a stricter rule locks nobody out. */
const password = Type.String({ minLength: 1, maxLength: 1024 });
const newPassword = Type.String({
  minLength: 8,
  maxLength: 256,
  pattern: '^[^\\p{Cs}]*$',
  examples: ['a long phrase of your own'],
  description: 'Can contain any characters. Must not be a common password, the account name or the e-mail address.',
});
const code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits from the authenticator app, or a recovery code',
});
const token = Type.String({ minLength: 1, maxLength: 200, description: 'The token from the link in the e-mail' });

export const SignIn = strict({ email: EmailAddress, password, code: Type.Optional(code) });
export type SignIn = Static<typeof SignIn>;

const sessionFields = {
  id: Type.String({ examples: ['sgn_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  address: Type.String({ description: 'IP address that the user signed in from' }),
  user_agent: Type.String(),
  second_factor: Type.Boolean({ description: 'Whether a second factor was used' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
};

export const CurrentSession = named('CurrentSession', {
  ...sessionFields,
  csrf_token: Type.String({
    description: 'Send it in the `X-CSRF-Token` header of every request that changes data with the cookie',
  }),
  user: User,
  is_admin: Type.Boolean(),
  email_verified: Type.Boolean({
    description:
      'Whether the e-mail address is confirmed. Until then, the account does not receive invitations sent to the address.',
  }),
});
export type CurrentSession = Static<typeof CurrentSession>;

export const BrowserSession = named('BrowserSession', {
  ...sessionFields,
  current: Type.Boolean({ description: 'Whether the request was made with this session' }),
});
export type BrowserSession = Static<typeof BrowserSession>;

export const BrowserSessionList = Type.Object({ data: Type.Array(BrowserSession) });

export const SignUp = strict({
  email: EmailAddress,
  name: Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText }),
  password: newPassword,
});
export type SignUp = Static<typeof SignUp>;

export const SignedUp = named('SignedUp', {
  email: Type.String(),
  verification_required: Type.Boolean({
    description: 'Whether the user must open a confirmation link before signing in',
  }),
  session: Type.Union([CurrentSession, Type.Null()]),
});
export type SignedUp = Static<typeof SignedUp>;

export const AuthOptions = named('AuthOptions', {
  sign_up: Type.Boolean({ description: 'Whether anyone can create an account' }),
  email_verification: Type.Boolean({ description: 'Whether new e-mail addresses must be confirmed with a link' }),
});
export type AuthOptions = Static<typeof AuthOptions>;

export const EmailOnly = strict({ email: EmailAddress });
export const TokenOnly = strict({ token });
export const VerifiedEmail = named('VerifiedEmail', { email: Type.String(), verified_at: Timestamp });
export const Accepted = named('Accepted', { message: Type.String() });

const revokeCredentials = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Also revoke API keys, services and the access of apps. By default, only sessions end.',
  }),
);

export const ChangePassword = strict({
  current_password: password,
  new_password: newPassword,
  code: Type.Optional(code),
  revoke_credentials: revokeCredentials,
});
export type ChangePassword = Static<typeof ChangePassword>;
export const ResetPassword = strict({ token, password: newPassword, revoke_credentials: revokeCredentials });
export type ResetPassword = Static<typeof ResetPassword>;

export const ConfirmWithPassword = strict({ password, code: Type.Optional(code) });
export type ConfirmWithPassword = Static<typeof ConfirmWithPassword>;

/** An administrator or an operator passes the link on. Anyone who has it can set the password. */
export const ResetLink = named('ResetLink', {
  url: Type.String({ format: 'uri', description: 'Works once. Returned only in this response.' }),
  expires_at: Timestamp,
});
export type ResetLink = Static<typeof ResetLink>;

export const DeletedAccount = named('DeletedAccount', { message: Type.String(), deleted_at: Timestamp });

export const SecondFactor = named('SecondFactor', {
  enabled: Type.Boolean(),
  confirmed_at: NullableTimestamp,
  recovery_codes_left: Type.Integer(),
});
export type SecondFactor = Static<typeof SecondFactor>;

export const NewSecondFactor = named('NewSecondFactor', {
  secret: Type.String({ description: 'The Base32 secret to enter by hand. Returned only in this response.' }),
  otpauth_url: Type.String({ description: 'The secret as a URL to show as a QR code' }),
});
export type NewSecondFactor = Static<typeof NewSecondFactor>;

export const ConfirmSecondFactor = strict({ code: Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] }) });
export const RecoveryCodes = named('RecoveryCodes', {
  recovery_codes: Type.Array(Type.String(), { description: 'Each code works once. Returned only in this response.' }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;
