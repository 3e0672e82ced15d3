export type Later<Value> = { promise: Promise<Value>; resolve(value: Value): void; reject(error: unknown): void };

/** The same as `Promise.withResolvers`, which Node 20 lacks. A rejection that nobody awaits is ignored. */
export function later<Value>(): Later<Value> {
  const parts = {} as Later<Value>;
  parts.promise = new Promise<Value>((resolve, reject) => Object.assign(parts, { resolve, reject }));
  parts.promise.catch(() => undefined);
  return parts;
}
