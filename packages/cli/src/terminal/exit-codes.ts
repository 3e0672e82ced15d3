/** Exit codes that scripts may rely on. docs/cli.md has the same table. */
export const exitCodes = {
  ok: [0, 'success'],
  failed: [1, 'failure, such as a failed deployment, a rejected request, or a service error'],
  usage: [2, 'the command line is invalid; nothing was sent'],
  notSignedIn: [3, 'you are not signed in, or the credential is no longer valid'],
  forbidden: [4, 'the credential does not have permission'],
  notFound: [5, 'not found, or you do not have permission to see it'],
  unreachable: [6, 'the service cannot be reached or is not ready'],
  conflict: [7, 'conflict with an existing object or another change'],
  limited: [8, 'a rate limit or a plan limit is reached; try again later'],
  interrupted: [130, 'stopped by Ctrl-C or SIGTERM'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>;

export type ExitName = keyof typeof exitCodes;
