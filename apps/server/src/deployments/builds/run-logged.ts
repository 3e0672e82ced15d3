import type { LogWriter } from '../logs/index.ts';
import type { BuildDriver, Exit } from '../sandbox/index.ts';
import { asSandboxProblem } from '../state/index.ts';

type Spec = Parameters<BuildDriver['start']>[0];

/** Runs a command with its output in a log, until all its processes are gone. Throws if the signal has aborted. */
export async function runLogged(
  driver: BuildDriver,
  spec: Spec,
  { log, signal }: { log: LogWriter; signal: AbortSignal },
): Promise<Exit> {
  log.say(`Running in the sandbox (${driver.name}): ${log.masked(spec.command)}`);
  const running = await driver.start(spec).catch(asSandboxProblem);
  for (const note of running.notes) log.say(note, 'warn');
  log.follow(running);
  const stop = () => void running.stop(0);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const exit = await running.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return exit;
}
