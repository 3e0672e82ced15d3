const passedOn = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/**
 * For a service in another process: it gets no settings of the user who runs the tests, but shares the compile cache.
 */
export const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
