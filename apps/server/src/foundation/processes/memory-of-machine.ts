import { totalmem } from 'node:os';

/**
 * The memory of the machine or, in a container, the memory that it may use. Without a limit, the system reports 0, or
 * more than there is.
 */
export function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
