import fastJson from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';

type Serialize = ReturnType<typeof fastJson>;

/** What a schema compiles to depends on nothing else, so the apps of one process share it. */
const compiled = new WeakMap<object, Serialize>();

/**
 * Fastify compiles the answers of every route by itself, and so the same schema again for HEAD, below each prefix and for
 * the errors that all routes share: most of the time that a start takes.
 */
export function registerSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(({ schema }) => {
    const serialize = compiled.get(schema) ?? fastJson(schema);
    compiled.set(schema, serialize);
    return serialize;
  });
}
