import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** A response that has its own name in the OpenAPI document. */
export const named = <Fields extends TProperties>(title: string, fields: Fields) => Type.Object(fields, { title });

/** A request body, in which unknown fields are refused. */
export const strict = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 timestamp in UTC' });
export const NullableTimestamp = Type.Union([Timestamp, Type.Null()]);

/**
 * One line of text, without control characters and halves of surrogate pairs, because PostgreSQL stores neither
 * unchanged.
 */
export const lineOfText = '^[^\\p{Cc}\\p{Cs}]*$';

/** Text with line breaks and tabs. Otherwise, it is the same as a line of text. */
export const linesOfText = '^[^\\p{Cs}\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]*$';

export const PageInfo = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  total_pages: Type.Integer(),
});
export type PageInfo = Static<typeof PageInfo>;

/** Marks a query value with a default as optional for clients, in its type. Handlers always have the value. */
export const defaulted = <Schema extends TSchema>(schema: Schema) => schema as Schema & { default: unknown };
