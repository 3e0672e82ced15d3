import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/**
 * The body of a PUT or PATCH may be the response of a GET that the client sends back. So fields that only the service
 * sets are accepted and ignored: any value is valid, and nothing reads it. All other unknown fields are refused.
 */
export function acceptingReadOnly<Input extends TProperties>(
  input: Input,
  resource: TObject,
  options: Record<string, unknown> = {},
): TObject<Input> {
  const ignored: Record<string, TSchema> = {};
  for (const field of Object.keys(resource.properties)) {
    if (!(field in input)) ignored[field] = Type.Optional(Type.Unknown({ readOnly: true, description: 'Ignored' }));
  }
  // The static type omits ignored fields, so no code can depend on them.
  return Type.Object(
    { ...input, ...ignored },
    { additionalProperties: false, ...options },
  ) as unknown as TObject<Input>;
}
