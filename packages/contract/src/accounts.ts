import { type Static, Type } from 'typebox';
import { lineOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { User } from './users.ts';

export const EmailAddress = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\p{Cc}\\p{Cs}]+@[^\\s@\\p{Cc}\\p{Cs}]+$',
  examples: ['grace@example.com'],
});

/** Accepts every password that was once allowed, so that a stricter rule locks nobody out. */
const password = Type.String({ minLength: 1, maxLength: 1024 });
const newPassword = Type.String({
  minLength: 8,
  maxLength: 256,
  pattern: '^[^\\p{Cs}]*$',
  examples: ['a long phrase of your own'],
  description: 'Any characters; not a common password, and not the name or address of the account',
});
const code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits from the authenticator app, or a recovery code',
});
const token = Type.String({ minLength: 1, maxLength: 200, description: 'The token in the mailed link' });

export const SignIn = strict({ email: EmailAddress, password, code: Type.Optional(code) });
export type SignIn = Static<typeof SignIn>;

const sessionFields = {
  id: Type.String({ examples: ['sgn_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  address: Type.String({ description: 'IP address that signed in' }),
  user_agent: Type.String(),
  second_factor: Type.Boolean({ description: 'Whether a second factor was used' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
};

export const CurrentSession = named('CurrentSession', {
  ...sessionFields,
  csrf_token: Type.String({ description: 'Send it as `X-CSRF-Token` with every change that you make with the cookie' }),
  user: User,
  is_admin: Type.Boolean(),
  email_verified: Type.Boolean({
    description: 'Whether the address is confirmed; until then invitations sent to it do not reach the account',
  }),
});
export type CurrentSession = Static<typeof CurrentSession>;

export const BrowserSession = named('BrowserSession', {
  ...sessionFields,
  current: Type.Boolean({ description: 'Whether this session made the request' }),
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
  verification_required: Type.Boolean({ description: 'Whether the user must open a mailed link before signing in' }),
  session: Type.Union([CurrentSession, Type.Null()]),
});
export type SignedUp = Static<typeof SignedUp>;

export const AuthOptions = named('AuthOptions', {
  sign_up: Type.Boolean({ description: 'Whether anyone can create an account' }),
  email_verification: Type.Boolean({ description: 'Whether a new address must be confirmed with a mailed link' }),
});
export type AuthOptions = Static<typeof AuthOptions>;

export const EmailOnly = strict({ email: EmailAddress });
export const TokenOnly = strict({ token });
export const VerifiedEmail = named('VerifiedEmail', { email: Type.String(), verified_at: Timestamp });
export const Accepted = named('Accepted', { message: Type.String() });

const revokeCredentials = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Also revokes API keys, services and the access of apps. By default only sessions end.',
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

/** An administrator or an operator passes it on; anyone who has it can set the password. */
export const ResetLink = named('ResetLink', {
  url: Type.String({ format: 'uri', description: 'Works once; shown once' }),
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
  secret: Type.String({ description: 'Base32, for typing in; shown once' }),
  otpauth_url: Type.String({ description: 'The secret as a URL, for a QR code' }),
});
export type NewSecondFactor = Static<typeof NewSecondFactor>;

export const ConfirmSecondFactor = strict({ code: Type.String({ pattern: '^[0-9]{6}$', examples: ['123456'] }) });
export const RecoveryCodes = named('RecoveryCodes', {
  recovery_codes: Type.Array(Type.String(), { description: 'Each works once; shown once' }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;
