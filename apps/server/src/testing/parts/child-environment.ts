const passedOn = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** For a service in a process of its own: no setting of whoever runs the tests, but what it loads is compiled once for all. */
export const childEnvironment = (): Record<string, string> =>
  Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
