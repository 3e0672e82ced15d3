import { type Static, Type } from 'typebox';
import { lineOfText, NullableTimestamp, named, strict, Timestamp } from './primitives.ts';
import { Scopes } from './scopes.ts';

const label = Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText });

const apiKeyFields = {
  id: Type.String({ examples: ['key_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  hint: Type.String({ description: 'The first characters of the key, to identify it' }),
  scopes: Scopes,
  created_at: Timestamp,
  expires_at: NullableTimestamp,
  last_used_at: NullableTimestamp,
};

export const ApiKey = named('ApiKey', apiKeyFields);
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = named('NewApiKey', { ...apiKeyFields, key: Type.String({ description: 'Returned once' }) });
export type NewApiKey = Static<typeof NewApiKey>;

export const ApiKeyList = Type.Object({ data: Type.Array(ApiKey) });

export const CreateApiKey = strict({
  name: label,
  scopes: Type.Optional(Scopes),
  expires_at: Type.Optional(NullableTimestamp),
});
export type CreateApiKey = Static<typeof CreateApiKey>;

export const Overlap = strict({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * 86_400,
      default: 86_400,
      description: 'How long the previous secret keeps working, in seconds',
    }),
  ),
});
export type Overlap = Static<typeof Overlap>;

const ServiceKey = Type.Object({ kid: Type.String(), created_at: Timestamp, expires_at: NullableTimestamp });

const serviceFields = {
  id: Type.String({ examples: ['svc_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  issuer: Type.String({ description: 'The `iss` claim of the service’s JWTs' }),
  user_id: Type.String({ description: 'The `sub` claim of the service’s JWTs' }),
  keys: Type.Array(ServiceKey, { description: 'One key, or two keys during a rotation' }),
  created_at: Timestamp,
};

export const Service = named('Service', serviceFields);
export type Service = Static<typeof Service>;

export const NewService = named('NewService', {
  ...serviceFields,
  kid: Type.String(),
  secret: Type.String({
    description: 'Returned only in this response. Use the bytes of this text as the HS256 key, without decoding them.',
  }),
});
export type NewService = Static<typeof NewService>;

export const ServiceList = Type.Object({ data: Type.Array(Service) });

export const CreateService = strict({
  issuer: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\p{C}\\s]+$',
    description: 'Unique on this server',
  }),
});
export type CreateService = Static<typeof CreateService>;

const serviceAccountFields = {
  id: Type.String({
    examples: ['sva_01jd2m6vz8e3r9x5k7q4w1t0ab'],
    description: "The `sub` claim of JWTs that act as this account. Any of the owner's services can sign them.",
  }),
  name: Type.String(),
  user_id: Type.String({ description: "The owner, whose rights limit the service account's rights" }),
  scopes: Scopes,
  projects: Type.Array(Type.String(), {
    description: "Projects that the service account can access, within its owner's rights",
  }),
  created_at: Timestamp,
};

export const ServiceAccount = named('ServiceAccount', serviceAccountFields);
export type ServiceAccount = Static<typeof ServiceAccount>;

export const ServiceAccountList = Type.Object({ data: Type.Array(ServiceAccount) });

export const CreateServiceAccount = strict({
  name: label,
  scopes: Type.Optional(Scopes),
  projects: Type.Array(Type.String({ pattern: '^prj_[0-9a-z]{26}$' }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Project ids',
    examples: [['prj_01jd2m6vz8e3r9x5k7q4w1t0ab']],
  }),
});
export type CreateServiceAccount = Static<typeof CreateServiceAccount>;
