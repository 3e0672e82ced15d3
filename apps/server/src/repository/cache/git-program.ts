import { AppError } from '../../foundation/http/index.ts';
import { findProgram } from '../../foundation/processes/find-program.ts';
import { createStarter, type Starter } from '../../foundation/processes/starter.ts';

/** The git of the system, and a directory of ours that stands for a home. */
export type GitProgram = {
  starter: Starter;
  /** Throws `GitMissing`. Asked anew until there is one: whoever installs it need not restart the service. */
  path(): Promise<string>;
  executablePath: string;
  home: string;
  /** Ends whatever was started with it, when whoever all of it is for has gone. */
  signal?: AbortSignal | undefined;
};

/** A client reads why it gets no answer, and so does whoever looks at `/readyz` or at an import. */
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
  /** What all its processes may take together, where the system can see to that. */
  memoryBytes?: number;
};

export function createGitProgram({ executablePath, home, memoryBytes }: Options): GitProgram {
  let found: string | null = null;
  return {
    starter: createStarter({ name: 'git', ...(memoryBytes !== undefined && { memoryBytes }) }),
    async path() {
      found ??= await findProgram('git', executablePath);
      if (found === null) throw new GitMissing();
      return found;
    },
    executablePath,
    home,
  };
}
