import fastJson from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';

type Serialize = ReturnType<typeof fastJson>;

/** What a schema compiles to depends on nothing else, so the apps of one process share it. */
const compiled = new WeakMap<object, Serialize>();

/**
 * Fastify compiles the answers of every route by itself, and so the same schema again for HEAD, below each prefix and for
 * the errors that all routes share. Each is compiled once here, and not before the first answer that needs it: all of them
 * would be a good part of the time that a start takes.
 */
export function registerSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(
    ({ schema }) =>
      (value) =>
        serializerOf(schema)(value),
  );
}

function serializerOf(schema: object): Serialize {
  const serialize = compiled.get(schema) ?? fastJson(schema);
  compiled.set(schema, serialize);
  return serialize;
}
