/** What scripts may rely on. docs/cli.md has the same table. */
export const exitCodes = {
  ok: [0, 'it is done'],
  failed: [1, 'it did not succeed: a failed deployment, an invalid request, an error of the service'],
  usage: [2, 'the command line is wrong; nothing was sent'],
  notSignedIn: [3, 'nobody is signed in, or the credential is no longer good'],
  forbidden: [4, 'the credential may not do this'],
  notFound: [5, 'there is no such thing, or you may not see it'],
  unreachable: [6, 'the service cannot be reached, or is not ready'],
  conflict: [7, 'something else is there, or happened in between'],
  limited: [8, 'a limit of requests or of the plan is used up; try again later'],
  interrupted: [130, 'it was stopped by Ctrl-C or SIGTERM'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>;

export type ExitName = keyof typeof exitCodes;
