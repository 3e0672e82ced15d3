import { AppError } from '../../foundation/http/index.ts';
import { findProgram } from '../../foundation/processes/find-program.ts';
import { createStarter, type Starter } from '../../foundation/processes/starter.ts';

/** The system's git, and a directory of the service that git uses as its home. */
export type GitProgram = {
  starter: Starter;
  /**
   * The path of git. Throws `GitMissing` if git is not installed. Each call looks again until git is found, so the
   * service need not be restarted after git is installed.
   */
  path(): Promise<string>;
  executablePath: string;
  home: string;
  /** When aborted, ends all processes of git. */
  signal?: AbortSignal | undefined;
};

/** The message is shown to clients, at `/readyz` and for imports. */
export class GitMissing extends AppError {
  constructor() {
    super(
      'SERVICE_UNAVAILABLE',
      'Git is not installed on the server: clone, push, import and archives do not work without it',
    );
  }
}

type Options = {
  executablePath: string;
  home: string;
  /** Memory limit of all git processes together, if the system can enforce it. */
  memoryBytes?: number;
};

export function createGitProgram({ executablePath, home, memoryBytes }: Options): GitProgram {
  let path: string | null = null;
  return {
    starter: createStarter({ name: 'git', ...(memoryBytes !== undefined && { memoryBytes }) }),
    async path() {
      path ??= await findProgram('git', executablePath);
      if (path === null) throw new GitMissing();
      return path;
    },
    executablePath,
    home,
  };
}
