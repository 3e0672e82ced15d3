import type { DeploymentEnding, DeploymentError } from '@bottega/contract';
import { SandboxError } from '../sandbox/index.ts';

/** Why a deployment fails, with a message for its owner. Any other error is a fault of the service. */
export class BuildProblem extends Error {
  override readonly name = 'BuildProblem';
  readonly type: DeploymentError['type'];
  readonly ending: DeploymentEnding;

  constructor(type: DeploymentError['type'], message: string, ending: DeploymentEnding = { exit_code: null }) {
    super(message);
    this.type = type;
    this.ending = ending;
  }
}

/** For a `catch`: turns the error that no command can be run into the reason of the failure. */
export function asSandboxProblem(error: unknown): never {
  if (!(error instanceof SandboxError)) throw error;
  throw new BuildProblem('sandbox_unavailable', error.message);
}
