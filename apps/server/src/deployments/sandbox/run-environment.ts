import type { SandboxSpec } from './driver.ts';

/** The environment of every command in a container. Variables of the project override the defaults. */
export const runEnvironment = ({ environment, port }: SandboxSpec): Record<string, string> => ({
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  CI: 'true',
  ...environment,
  ...(port !== null && { PORT: String(port) }),
});
