import { type Static, Type } from 'typebox';
import { lineOfText, NullableTimestamp, Timestamp } from './primitives.ts';
import { Scopes } from './scopes.ts';

const label = Type.String({ minLength: 1, maxLength: 100, pattern: lineOfText });

const apiKeyFields = {
  id: Type.String({ examples: ['key_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  name: Type.String(),
  hint: Type.String({ description: 'The first characters of the key, to tell keys apart' }),
  scopes: Scopes,
  created_at: Timestamp,
  expires_at: NullableTimestamp,
  last_used_at: NullableTimestamp,
};

export const ApiKey = Type.Object(apiKeyFields, { title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object(
  { ...apiKeyFields, key: Type.String({ description: 'Shown once' }) },
  { title: 'NewApiKey' },
);
export type NewApiKey = Static<typeof NewApiKey>;

export const ApiKeyList = Type.Object({ data: Type.Array(ApiKey) });

export const CreateApiKey = Type.Object(
  {
    name: label,
    scopes: Type.Optional(Scopes),
    expires_at: Type.Optional(NullableTimestamp),
  },
  { additionalProperties: false },
);
export type CreateApiKey = Static<typeof CreateApiKey>;

export const Overlap = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86_400,
        default: 86_400,
        description: 'How long the former secret goes on working',
      }),
    ),
  },
  { additionalProperties: false },
);
export type Overlap = Static<typeof Overlap>;

const ServiceKey = Type.Object({ kid: Type.String(), created_at: Timestamp, expires_at: NullableTimestamp });

const serviceFields = {
  id: Type.String({ examples: ['svc_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  issuer: Type.String({ description: 'The `iss` of its JWTs' }),
  user_id: Type.String({ description: 'The `sub` of its JWTs' }),
  keys: Type.Array(ServiceKey, { description: 'One, or two during a rotation' }),
  created_at: Timestamp,
};

export const Service = Type.Object(serviceFields, { title: 'Service' });
export type Service = Static<typeof Service>;

export const NewService = Type.Object(
  {
    ...serviceFields,
    kid: Type.String(),
    secret: Type.String({ description: 'Shown once; the bytes of this very text are the HS256 key' }),
  },
  { title: 'NewService' },
);
export type NewService = Static<typeof NewService>;

export const ServiceList = Type.Object({ data: Type.Array(Service) });

export const CreateService = Type.Object(
  {
    issuer: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\p{C}\\s]+$',
      description: 'Unique on this server',
    }),
  },
  { additionalProperties: false },
);
export type CreateService = Static<typeof CreateService>;
