import fastJson from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';

type Serialize = ReturnType<typeof fastJson>;

/** A compiled serializer depends only on its schema, so the apps of one process share it. */
const compiled = new WeakMap<object, Serialize>();

/**
 * Fastify compiles the responses of every route separately: the same schema again for HEAD, for each prefix and for the
 * errors that all routes share. Here each schema is compiled once, when a response first needs it. Compiling all of
 * them would take a large part of the start time.
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
