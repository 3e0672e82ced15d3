import { type Static, Type } from 'typebox';
import { lineOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { acceptingReadOnly } from './read-only.ts';
import { allScopes } from './scopes.ts';

const appName = Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText });

const redirectUris = Type.Array(
  Type.String({ minLength: 1, maxLength: 2048, examples: ['https://app.example.com/callback'] }),
  {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description:
      'URIs must match exactly and use https, or http on a loopback address. Public apps can use any loopback port, or a custom ' +
      'scheme such as com.example.app:/callback.',
  },
);

const appFields = {
  id: Type.String({ examples: ['app_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  client_id: Type.String({ description: 'Same as `id`' }),
  name: Type.String(),
  type: Type.Enum(['confidential', 'public'], {
    description: 'A public app, such as a mobile app, has no secret and must use PKCE',
  }),
  redirect_uris: Type.Array(Type.String()),
  secrets: Type.Array(Type.Object({ hint: Type.String(), created_at: Timestamp, expires_at: NullableTimestamp }), {
    description: 'One secret, or two secrets during a rotation. Public apps have no secret.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const OauthApp = named('OauthApp', appFields);
export type OauthApp = Static<typeof OauthApp>;

export const NewOauthApp = named('NewOauthApp', {
  ...appFields,
  client_secret: Type.Union([Type.String(), Type.Null()], {
    description: 'Returned only in this response; null for a public app',
  }),
});
export type NewOauthApp = Static<typeof NewOauthApp>;

export const OauthAppList = Type.Object({ data: Type.Array(OauthApp) });

export const CreateOauthApp = strict({
  name: appName,
  redirect_uris: redirectUris,
  type: Type.Optional(Type.Enum(['confidential', 'public'], { default: 'confidential' })),
});
export type CreateOauthApp = Static<typeof CreateOauthApp>;

export const PatchOauthApp = acceptingReadOnly(
  { name: Type.Optional(appName), redirect_uris: Type.Optional(redirectUris) },
  OauthApp,
);
export type PatchOauthApp = Static<typeof PatchOauthApp>;

export const AuthorizedApp = named('AuthorizedApp', {
  app: Type.Object({ id: Type.String(), name: Type.String() }),
  scopes: Type.Array(Type.Enum(allScopes), { description: 'All scopes that you granted to the app' }),
  authorized_at: Timestamp,
  last_used_at: Type.Union([Timestamp, Type.Null()], { description: 'When the app last received a token' }),
});
export type AuthorizedApp = Static<typeof AuthorizedApp>;

export const AuthorizedAppList = Type.Object({ data: Type.Array(AuthorizedApp) });
