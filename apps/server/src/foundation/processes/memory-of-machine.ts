import { totalmem } from 'node:os';

/** In a container, what it may use. Without a limit the system tells 0, or more than there is. */
export function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
