import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** An answer with its own name in the OpenAPI document. */
export const named = <Fields extends TProperties>(title: string, fields: Fields) => Type.Object(fields, { title });

/** A request body: unknown fields are refused. */
export const strict = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 timestamp in UTC' });
export const NullableTimestamp = Type.Union([Timestamp, Type.Null()]);

/** One line of text: no control characters, no half of a surrogate pair (neither survives PostgreSQL unchanged). */
export const lineOfText = '^[^\\p{Cc}\\p{Cs}]*$';

/** Text with line breaks and tabs, and otherwise the same. */
export const linesOfText = '^[^\\p{Cs}\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]*$';

export const PageInfo = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  total_pages: Type.Integer(),
});
export type PageInfo = Static<typeof PageInfo>;

/** Marks a query value with a default as optional for clients, in its type. Handlers always have it. */
export const defaulted = <Schema extends TSchema>(schema: Schema) => schema as Schema & { default: unknown };
