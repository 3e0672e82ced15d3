import { readdir, readFile } from 'node:fs/promises';

const closesOnExec = 0o2000000;

/**
 * Descriptors that the parent process left open in the service. Node does not pass its own descriptors on to child
 * processes, but would pass on these.
 */
export async function inheritedDescriptors(): Promise<number[]> {
  const all = (await readdir('/proc/self/fd').catch(() => [])).map(Number).filter((descriptor) => descriptor > 2);
  const inherited = await Promise.all(
    all.map(async (descriptor) => {
      const info = await readFile(`/proc/self/fdinfo/${descriptor}`, 'latin1').catch(() => '');
      const [, flags] = /^flags:\s*(\d+)/m.exec(info) ?? [];
      return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0;
    }),
  );
  return all.filter((_descriptor, index) => inherited[index]);
}
