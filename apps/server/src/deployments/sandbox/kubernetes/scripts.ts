import type { SandboxSpec } from '../driver.ts';
import { runEnvironment } from '../run-environment.ts';

/**
 * A pod has two containers: commands run in one, looks at what they left in the other, which mounts it for reading. Their
 * first processes wait, and take in orphans. Every look leaves a beat; when none has come for twenty minutes, the worker is gone, and so
 * the pod ends by itself. Only the looks' container can write to /life.
 */
const missed = 80;
export const waitForBeats = `n=0
while [ $n -lt ${missed} ]; do
  if [ -e /life/beat ]; then rm /life/beat; n=0; else n=$((n+1)); fi
  sleep 15
done
: > /life/over`;
export const waitForEnd = 'until [ -e /life/over ]; do sleep 5; done';

/** Everything in the container but its first process. Nothing escapes: the kernel tells all of them at once. */
export const endAll = `cd /proc; there=$(echo [0-9]*); kill -KILL -1 2>/dev/null
for one in $there; do [ $one = 1 ] || [ $one = $$ ] || while [ -d $one ]; do :; done; done`;
export const askAllToEnd = 'kill -TERM -1';
export const unpack = 'exec tar -xf - -C /workspace';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The shell reads it from its input: there it can be of any length, and no log has its secrets. */
export function runScript(spec: SandboxSpec): string {
  const { limits, command, isReadOnly } = spec;
  const assigned = Object.entries(runEnvironment(spec)).map(([name, value]) => quoted(`${name}=${value}`));
  return [
    ...(isReadOnly ? [': > /life/beat'] : []),
    'cd /workspace || exit 126',
    'ulimit -c 0',
    `ulimit -f ${Math.ceil(limits.fileBytes / 512)}`,
    // The one name is that of bash, the other that of dash and BusyBox.
    `ulimit -u ${limits.processes} 2>/dev/null || ulimit -p ${limits.processes}`,
    // The command may heed a request to end; whoever waits for it has to outlive it.
    'trap : TERM',
    `env ${assigned.join(' ')} /bin/sh -c ${quoted(command)} </dev/null`,
    'code=$?',
    // What it left running would hold its output open. Looks leave nothing, and may not be alone.
    ...(isReadOnly ? [] : ['kill -KILL -1 2>/dev/null']),
    'exit $code\n',
  ].join('\n');
}
