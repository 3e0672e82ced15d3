const passedOn = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/**
 * The environment of a service in another process. It contains no settings of the user who runs the tests, but
 * processes share the compile cache.
 */
export const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
