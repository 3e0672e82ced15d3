import type { SandboxSpec } from './driver.ts';

/** What every command finds in its environment, wherever it runs in an image; what its owner has set outweighs it. */
export const runEnvironment = ({ environment, port }: SandboxSpec): Record<string, string> => ({
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  CI: 'true',
  ...environment,
  ...(port !== null && { PORT: String(port) }),
});
