import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type AgentFiles, SandboxError } from '../../deployments/index.ts';
import { shippedFolder } from '../../foundation/shipped.ts';

const require = createRequire(import.meta.url);

/** The directory of a package, whatever its main file is. */
const packageOf = (name: string): string => dirname(require.resolve(`${name}/package.json`));

/**
 * The agent's program and packages on this machine. The package for terminals is a different one for each kind of
 * machine.
 */
export function findAgentFiles(): AgentFiles {
  const pty = '@lydell/node-pty';
  const native = `${pty}-${process.platform}-${process.arch}`;
  try {
    return filesOf(pty, native);
  } catch (error) {
    throw new SandboxError(`Workspaces do not run on ${process.platform} ${process.arch}: ${(error as Error).message}`);
  }
}

function filesOf(pty: string, native: string): AgentFiles {
  return {
    program: shippedFolder('agent', join(import.meta.dirname, '../agent')),
    packages: { ignore: packageOf('ignore'), [pty]: packageOf(pty), [native]: packageOf(native) },
  };
}
