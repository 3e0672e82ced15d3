import fastJson from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';
import { onFirstUse } from './first-use.ts';

type Serialize = ReturnType<typeof fastJson>;

/** A compiled serializer depends only on its schema, so the apps of one process share it. */
const compiled = new WeakMap<object, () => Serialize>();

/**
 * Fastify compiles the responses of every route separately. It compiles the same schema again for HEAD, for each prefix
 * and for the errors that all routes share. Here, each schema is compiled once: in the background, or earlier if a
 * response needs it.
 */
export function registerSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(({ schema }) => {
    const serializer = compiled.get(schema) ?? onFirstUse(() => fastJson(schema));
    compiled.set(schema, serializer);
    return (value) => serializer()(value);
  });
}
