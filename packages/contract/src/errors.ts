import { type Static, Type } from 'typebox';
import { named, Timestamp } from './primitives.ts';

/** Every error code of the platform, with its usual status. */
export const errorCodes = {
  AUTHENTICATION_ERROR: 401,
  AUTHORIZATION_ERROR: 403,
  VALIDATION_ERROR: 422,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  INVALID_SESSION: 404,
} as const;

export type ErrorCode = keyof typeof errorCodes;

export const FieldError = Type.Object({ field: Type.String(), message: Type.String() });
export type FieldError = Static<typeof FieldError>;

export const ErrorBody = named('Error', {
  error: Type.Object({
    code: Type.Enum(Object.keys(errorCodes) as ErrorCode[]),
    message: Type.String(),
    details: Type.Union([Type.Array(FieldError), Type.Object({}, { additionalProperties: true })], {
      description:
        'One entry per invalid field, or an object with further details. For a 429, the object contains limit, window and reset_at.',
    }),
    request_id: Type.String({ description: 'Same value as in the X-Request-Id header' }),
    timestamp: Timestamp,
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;
